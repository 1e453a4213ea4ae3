import { beforeAll, describe, expect, it, vi } from 'vitest'

let Playback: typeof import('./playback.svelte').Playback

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }))
  ;({ Playback } = await import('./playback.svelte'))
})

describe('a clock of clips', () => {
  it('plays to the end, pauses, and starts again', () => {
    const player = new Playback()
    player.end = 1
    player.advance(0.7)
    player.advance(0.7)
    expect(player.time).toBe(1)
    player.advance(0.4)
    expect(player.time).toBe(1)
    player.advance(0.4)
    expect(player.time).toBe(0)
  })

  it('seeks within the clip', () => {
    const player = new Playback()
    player.end = 2
    player.seek(1.5)
    expect([player.time, player.playing]).toEqual([1.5, false])
    player.seek(-1)
    expect(player.time).toBe(0)
    player.seek(9)
    expect(player.time).toBe(2)
  })
})
