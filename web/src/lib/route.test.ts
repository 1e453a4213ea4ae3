import { beforeAll, describe, expect, it, vi } from 'vitest'

let readRoute: typeof import('./route.svelte').readRoute
let link: typeof import('./route.svelte').link

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('history', { replaceState: () => {} })
  ;({ readRoute, link } = await import('./route.svelte'))
})

describe('routes', () => {
  it('round-trip for any name', () => {
    for (const name of ['walk-1', 'a b', 'ümlaut/strange?', '100%']) {
      expect(readRoute(link('run', name, 'gallery'))).toEqual({ page: 'run', run: name, rest: ['gallery'] })
      expect(readRoute(link('compare', name, 'walk-2'))).toEqual({ page: 'compare', runs: [name, 'walk-2'] })
      expect(readRoute(link('stage', name))).toEqual({ page: 'stage', session: name })
      expect(readRoute(link('space', name))).toEqual({ page: 'space', space: name })
    }
  })

  it('shows the overview for an empty path, and says that any other is unknown', () => {
    for (const hash of ['', '#', '#/', '#/?x=1']) expect(readRoute(hash)).toEqual({ page: 'overview' })
    for (const path of ['stage', 'nonsense/1', 'run']) {
      expect(readRoute(`#/${path}`)).toEqual({ page: 'unknown', path })
    }
    expect(readRoute('#/stage/%E0%A4%A')).toEqual({ page: 'stage', session: '%E0%A4%A' })
  })
})
