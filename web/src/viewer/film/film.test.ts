import { describe, expect, it } from 'vitest'
import { filmSteps } from './film'

describe('the steps of a film', () => {
  it('are evenly spaced in time', () => {
    expect(filmSteps({ rate: 60, seconds: 0.1, speed: 1 }, 100, 1 / 240)).toEqual([100, 104, 108, 112, 116, 120])
  })

  it('do not drift when a frame is not a whole number of steps', () => {
    const steps = filmSteps({ rate: 30, seconds: 10, speed: 1 }, 0, 0.0013)
    expect(steps).toHaveLength(300)
    steps.forEach((step, k) => expect(Math.abs(step * 0.0013 - k / 30)).toBeLessThan(0.0013))
  })

  it('repeat when slow motion is finer than a step', () => {
    expect(filmSteps({ rate: 60, seconds: 0.1, speed: 1 / 16 }, 0, 1 / 240)).toEqual([0, 0, 1, 1, 1, 1])
  })
})
