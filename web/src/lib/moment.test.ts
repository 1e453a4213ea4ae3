import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Take } from './messages'
import type { Source } from './protocol'

let momentLink: typeof import('./moment').momentLink
let readMoment: typeof import('./moment').readMoment
let readRoute: typeof import('./route.svelte').readRoute

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('history', { replaceState: () => {} })
  ;({ momentLink, readMoment } = await import('./moment'))
  ;({ readRoute } = await import('./route.svelte'))
})

const takeOf = (source: Source, more: Partial<Take> = {}): Take => ({
  version: 1,
  source,
  latest: 900,
  events: [],
  hashes: [[0, '00']],
  ...more,
})

/** Follows a link as the page does. */
function follow(link: string): { source: Source; step: number } {
  const route = readRoute(link)
  if (route.page !== 'world') throw new Error(`${link} is the page ${route.page}`)
  return JSON.parse(JSON.stringify(readMoment(route.path, route.query)))
}

describe('links to a moment', () => {
  it('open every kind of world at the step', () => {
    const sources: Source[] = [
      { type: 'scene', name: 'stack' },
      { type: 'creature', name: 'walker', task: 'swim', seed: 7 },
      { type: 'creature', name: 'ümlaut / ?&#' },
      { type: 'individual', run: 'walk 1', id: 12 },
      { type: 'individual', run: 'walk-1' },
      { type: 'recording', name: 'a&b=c.bur' },
      { type: 'bounce', objects: 20, coherence: false, broad_phase: 'sweep' },
      { type: 'bounce' },
    ] as Source[]
    for (const source of sources) expect(follow(momentLink(takeOf(source), 480))).toEqual({ source, step: 480 })
  })

  it('contain the changes of a world', () => {
    const events = [{ step: 3, hand: 1, do: 'change', friction: 0.5 }] as unknown as Take['events']
    const take = takeOf({ type: 'scene', name: 'Stäck' }, { events })
    expect(follow(momentLink(take, 5))).toEqual({ source: { type: 'take', take: { ...take, hashes: [] } }, step: 5 })
    const slower = takeOf({ type: 'scene', name: 'stack' }, { paradigm: 'impulse' })
    expect(follow(momentLink(slower, 5)).source.type).toBe('take')
  })

  it('say why there is none', () => {
    expect(() => momentLink(takeOf({ type: 'file', name: 'x.toml' }), 1)).toThrow('file of this computer')
    const events = Array.from({ length: 500 }, (_, step) => ({ step, do: 'release', hand: 1 }))
    const take = takeOf({ type: 'scene', name: 'stack' }, { events: events as unknown as Take['events'] })
    expect(() => momentLink(take, 1)).toThrow('too often')
  })

  it('say what is wrong with an address', () => {
    expect(() => readMoment(['scene'], '')).toThrow('does not name a world')
    expect(() => readMoment(['planet', 'x'], '')).toThrow('names a planet')
    expect(() => readMoment(['scene', 'stack'], 'step=-3')).toThrow('found -3')
    expect(() => readMoment(['scene', 'stack'], 'step=x')).toThrow('found x')
    expect(() => readMoment(['take', '%%%'], '')).toThrow('cut off')
  })
})
