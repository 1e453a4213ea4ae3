import { describe, expect, it } from 'vitest'
import type { ProfileMessage } from '../../lib/protocol'
import { crawls, helps, isSlow, offers, reason, shares } from './pace'

const profile: ProfileMessage = {
  say: 'profile',
  steps: 10,
  controllers: 0,
  collision_detection: 0.001,
  collision_solver: 0.0005,
  motion_solver: 0.0005,
  constraint_solver: 0.008,
  contacts: 120.4,
  collisions: 3,
  sub_steps: 0,
  sweeps: 40,
}

describe('the pace of a world', () => {
  it('is slow below the chosen speed, but not above real time, and does not flicker', () => {
    expect(isSlow(0.5, 1, false)).toBe(true)
    expect(isSlow(0.85, 1, false)).toBe(false)
    expect(isSlow(0.85, 1, true)).toBe(true)
    expect(isSlow(0.95, 1, true)).toBe(false)
    expect(isSlow(1.2, 8, false)).toBe(false)
    expect(isSlow(0.25, 0.25, false)).toBe(false)
  })

  it('has a reason with the slowest module', () => {
    expect(shares(profile).modules[0]).toEqual({ name: 'constraint_solver', share: expect.closeTo(0.8) })
    expect(reason(profile, 1 / 240)).toBe('A step of 4.2 ms takes 10 ms, 80 % of it for contact forces (120 contacts).')
    expect(reason(null, 1 / 240)).toMatch(/longer/)
  })

  it('offers only what exists', () => {
    expect(offers('time-stepping', 1 / 240, true).map(({ change }) => Object.keys(change)[0])).toEqual(['step'])
    expect(offers('impulse', 0.015, null).map(({ change }) => Object.keys(change)[0])).toEqual(['paradigm'])
    expect(offers('time-stepping', 1 / 240, false)[0]!.change).toEqual({ sleeping: true })
  })

  it('warns of what crawls, and recommends what helps', () => {
    expect(crawls({ factor: 0.1, failure: null }, 1)).toBe(true)
    expect(crawls({ factor: 0.1, failure: null }, 0.11)).toBe(false)
    expect(crawls({ factor: 0.9, failure: null }, 1)).toBe(false)
    expect(crawls({ factor: 2, failure: 'too fast' }, 1)).toBe(true)
    expect(helps({ factor: 0.5, failure: null }, 0.3)).toBe(true)
    expect(helps({ factor: 0.5, failure: null }, 0.45)).toBe(false)
  })
})
