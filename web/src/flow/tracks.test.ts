import { describe, expect, it } from 'vitest'
import { centroid, decodeStep, POINT } from '../flow3d/tubes'
import { randomNumbers, randomStep } from '../flow3d/testTubes'
import { trackShifts } from './tracks'

describe('shifts of tracks', () => {
  it('make the motion through a periodic box continuous', () => {
    const bytes = randomStep(4, randomNumbers(1))
    const extent = [10, 10, 10]
    const steps = Array.from({ length: 30 }, (_, number) => {
      const step = decodeStep(bytes.slice(0))
      for (const tube of step.tubes) {
        // Moves along z and appears at the other side of the box.
        const height = centroid(step, tube)[2] + 0.8 * number
        const wrapped = height - 10 * Math.floor(height / 10)
        for (let point = 0; point < tube.count; point++) step.values[(tube.first + point) * POINT + 2] = wrapped
      }
      return step
    })
    const shifts = trackShifts(steps, { extent, periodic: [true, true, true] })
    steps.forEach((step, number) => {
      for (const tube of step.tubes) {
        const moved = centroid(step, tube)[2] + shifts[number]!.get(tube.track)![2]
        const start = centroid(steps[0]!, steps[0]!.tubes[tube.track]!)[2]
        expect(moved - start).toBeCloseTo(0.8 * number, 4)
      }
    })
    const fixed = trackShifts(steps, { extent, periodic: [true, true, false] })
    expect(fixed.every((step) => [...step.values()].every((shift) => shift[2] === 0))).toBe(true)
  })
})
