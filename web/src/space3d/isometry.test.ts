import { expect, test } from 'vitest'
import {
  apply,
  distanceFromOrigin,
  type Geometry,
  identity,
  inverse,
  type Matrix,
  multiply,
  ORIGIN,
  orthonormalised,
  pointAt,
  translation,
  turn,
  type Vector,
} from './isometry'

const GEOMETRIES: Geometry[] = ['spherical', 'flat', 'hyperbolic']

/** Numbers from -1 to 1 from a fixed linear congruential generator. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 2147483648 - 1
  }
}

function difference(a: Matrix, b: Matrix): number {
  return Math.max(...a.map((x, i) => Math.abs(x - b[i]!)))
}

test('translations and turns are isometries whose inverses undo them', () => {
  const random = randomNumbers(7)
  const vector = (): Vector => [random(), random(), random()]
  for (const geometry of GEOMETRIES)
    for (let i = 0; i < 200; i++) {
      const v = vector()
      const motion = multiply(translation(geometry, v), turn(vector()))
      expect(difference(multiply(motion, inverse(geometry, motion)), identity())).toBeLessThan(1e-13)
      const end = apply(motion, ORIGIN)
      expect(distanceFromOrigin(geometry, end)).toBeCloseTo(Math.hypot(...v), 12)
      pointAt(geometry, v).forEach((x, k) => expect(end[k]).toBeCloseTo(x, 12))
    }
})

test('small errors are removed', () => {
  const random = randomNumbers(3)
  for (const geometry of GEOMETRIES) {
    const exact = multiply(translation(geometry, [0.4, -0.2, 0.5]), turn([0.3, 0.9, -0.2]))
    const damaged = exact.map((x, i) => (geometry === 'flat' && i % 4 === 3 ? x : x + 1e-6 * random()))
    const mended = orthonormalised(geometry, orthonormalised(geometry, damaged))
    expect(difference(multiply(mended, inverse(geometry, mended)), identity())).toBeLessThan(1e-12)
    expect(difference(mended, exact)).toBeLessThan(1e-5)
  }
})

test('a great circle of the three-sphere returns after 2 pi', () => {
  const step = translation('spherical', [0, (2 * Math.PI) / 500, 0])
  let frame = identity()
  for (let i = 0; i < 500; i++) frame = orthonormalised('spherical', multiply(frame, step))
  expect(difference(frame, identity())).toBeLessThan(1e-12)
})
