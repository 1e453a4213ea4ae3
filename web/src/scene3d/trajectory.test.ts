import { describe, expect, it } from 'vitest'
import { pointInBody } from './grab'
import { metres } from './gridLabels'
import { bodyPoint } from './overlays'
import { Trajectory } from './trajectory'

const drawn = (path: Trajectory, step: number) => {
  const pieces: number[] = []
  path.segmentsUntil(step, (ax, _ay, _az, bx) => pieces.push(ax, bx))
  return pieces
}

describe('a path', () => {
  it('does not depend on the order in which steps are shown', () => {
    const forward = new Trajectory()
    for (const step of [0, 4, 8, 12]) forward.add(step, step, 0, 0)
    const mixed = new Trajectory()
    for (const step of [8, 0, 12, 4, 4]) mixed.add(step, step, 0, 0)
    expect(drawn(mixed, 12)).toEqual(drawn(forward, 12))
    expect(drawn(forward, 9)).toEqual([0, 4, 4, 8])
    expect(mixed.length).toBe(4)
  })

  it('drops the points after a step', () => {
    const path = new Trajectory()
    for (const step of [0, 4, 8]) path.add(step, step, 0, 0)
    path.truncate(4)
    expect(drawn(path, 100)).toEqual([0, 4])
  })
})

describe('points of bodies', () => {
  it('are transformed to the world and back', () => {
    const poses = Float32Array.of(1, 2, 3, 0.5, 0.5, 0.5, 0.5)
    const point = pointInBody(poses, 0, [4, 5, 6])
    bodyPoint(poses, 0, point).forEach((value, axis) => expect(value).toBeCloseTo([4, 5, 6][axis]!, 6))
  })
})

describe('lengths', () => {
  it('have a unit that fits their size', () => {
    expect([0, 1, -20, 0.1, 0.005, 2000].map(metres)).toEqual(['0', '1 m', '-20 m', '10 cm', '5 mm', '2 km'])
  })
})
