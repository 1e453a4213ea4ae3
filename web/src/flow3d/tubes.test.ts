import { describe, expect, it } from 'vitest'
import { detail, divide, MAX_BEND, SIDES, TRIANGLES } from './budget'
import { nearestToRay, probePoints, rayDistance } from './probe'
import { randomNumbers, randomStep } from './testTubes'
import { TubeMesh } from './tubeMesh'
import { decodeStep, emptyPlace, placeAt, POINT, TERMS } from './tubes'

const still = () => [0, 0, 0] as const

describe('the bytes of a step', () => {
  it('are refused when they are too short or too long', () => {
    const bytes = randomStep(3, randomNumbers(1))
    expect(decodeStep(bytes).tubes).toHaveLength(3)
    for (const length of [0, 3, 20, bytes.byteLength - 1])
      expect(() => decodeStep(bytes.slice(0, length))).toThrow(/bytes/)
    const longer = new Uint8Array(bytes.byteLength + 4)
    longer.set(new Uint8Array(bytes))
    expect(() => decodeStep(longer.buffer)).toThrow(/bytes/)
  })

  it('give cores that pass through their points', () => {
    const step = decodeStep(randomStep(6, randomNumbers(2)))
    const place = emptyPlace()
    for (const tube of step.tubes)
      for (let point = 0; point < tube.count - 1; point++) {
        placeAt(step, tube, point, 0, place)
        for (let axis = 0; axis < 3; axis++)
          expect(place.position[axis]).toBeCloseTo(step.values[(tube.first + point) * POINT + axis]!, 5)
        expect(place.terms[0]).toBeCloseTo(step.values[(tube.first + point) * POINT + TERMS]!, 6)
      }
  })
})

describe('the budget of triangles', () => {
  it('is spent exactly, for one tube and for many', () => {
    const random = randomNumbers(3)
    for (const tubes of [1, 2, 7, 40, 300, 2100]) {
      const step = decodeStep(randomStep(tubes, random))
      const { sides, segments } = detail(tubes)
      expect(2 * sides * segments).toBe(TRIANGLES)
      const shares = divide(step, segments)
      expect(shares.reduce((sum, share) => sum + share.segments, 0)).toBe(segments)
      expect(shares.every((share) => share.segments >= 1)).toBe(true)
    }
    expect(SIDES.every((sides) => TRIANGLES % (2 * sides) === 0)).toBe(true)
  })

  it('fills a mesh of the same size at every step', () => {
    const mesh = new TubeMesh()
    const random = randomNumbers(4)
    for (const tubes of [1, 150, 600]) {
      const step = decodeStep(randomStep(tubes, random))
      expect(mesh.fill(step, () => [1, 1, 1], still)).toBe(TRIANGLES)
      const { index } = mesh.mesh.geometry
      const last = Array.from(index!.array).reduce((most, vertex) => Math.max(most, vertex), 0)
      expect(last).toBeLessThan(mesh.mesh.geometry.attributes.position!.count)
    }
    mesh.dispose()
  })

  it('gives a bent core more segments than a straight one of the same length', () => {
    const step = decodeStep(randomStep(2, randomNumbers(5)))
    const [bent, straight] = step.tubes as [(typeof step.tubes)[0], (typeof step.tubes)[0]]
    for (const tube of [bent, straight]) {
      tube.closed = false
      for (let point = 0; point < tube.count; point++) {
        const at = (tube.first + point) * POINT
        const share = point / (tube.count - 1)
        const angle = 3 * share
        const place = tube === bent ? [Math.cos(angle), Math.sin(angle), 0] : [3 * share, 0, 5]
        step.values.set(place, at)
        step.values[at + TERMS] = 0.05
      }
    }
    const [a, b] = divide(step, 1000)
    expect(a!.segments).toBeGreaterThan(1.05 * b!.segments)
  })

  it('leaves out pieces that bend more than their radius allows', () => {
    const step = decodeStep(randomStep(1, randomNumbers(6)))
    const tube = step.tubes[0]!
    for (let point = 0; point < tube.count; point++) {
      const at = (tube.first + point) * POINT
      step.values.set([Math.cos(point / 2), Math.sin(point / 2), 0], at)
      step.values[at + TERMS] = (point < tube.count / 2 ? 0.9 : 0.5) * (MAX_BEND / 0.7)
    }
    tube.closed = false
    const [share] = divide(step, 100)
    const first = share!.costs.slice(0, Math.floor(tube.count / 2) - 1)
    expect(first.every((cost) => cost === 0)).toBe(true)
    expect(share!.costs.at(-2)).toBeGreaterThan(0)
  })
})

describe('the probe', () => {
  it('finds the same place as a search over all places', () => {
    const random = randomNumbers(7)
    for (let trial = 0; trial < 25; trial++) {
      const points = probePoints(decodeStep(randomStep(1 + Math.floor(random() * 40), random)), still)
      const origin = [20 * random() - 5, 20 * random() - 5, 20 * random() - 5] as const
      const to = [random() - 0.5, random() - 0.5, random() - 0.5] as const
      const length = Math.hypot(...to)
      const direction = to.map((value) => value / length) as unknown as [number, number, number]
      let shortest = Infinity
      for (let k = 0; k < points.positions.length; k += 3) {
        const [x, y, z] = points.positions.subarray(k, k + 3) as unknown as [number, number, number]
        shortest = Math.min(shortest, rayDistance(origin, direction, x, y, z))
      }
      expect(nearestToRay(points, origin, direction)!.distance).toBe(shortest)
    }
  })
})
