import { expect, test } from 'vitest'
import { visibleCopies } from './culling'
import { type Geometry, identity, multiply, type Point, pointAt, translation, turn } from './isometry'
import { projection, sidePlanes, windowOf } from './projection'

function project(matrix: number[], p: Point): number[] {
  const row = (i: number) => [0, 1, 2, 3].reduce((sum, k) => sum + matrix[4 * k + i]! * p[k]!, 0)
  const w = row(3)
  return [row(0) / w, row(1) / w, row(2) / w]
}

const RANGES: Record<Geometry, { near: number; far: number }> = {
  spherical: { near: 0.01, far: Math.PI - 0.01 },
  flat: { near: 0.01, far: 20 },
  hyperbolic: { near: 0.01, far: 10 },
}

test('points of one ray coincide in the picture, and depth grows along it from -1 to 1', () => {
  for (const geometry of ['spherical', 'flat', 'hyperbolic'] as const) {
    const { near, far } = RANGES[geometry]
    const matrix = projection(geometry, windowOf(1.2, 1.5), { near, far })
    const ray: [number, number, number] = [0.3, -0.2, -1]
    const length = Math.hypot(...ray)
    let last = -Infinity
    for (let i = 0; i <= 40; i++) {
      const r = near + ((far - near) * i) / 40
      const at = project(matrix, pointAt(geometry, ray.map((x) => (x * r) / length) as [number, number, number]))
      expect(at[0]).toBeCloseTo(0.3 / (1.5 * Math.tan(0.6)), 6)
      expect(at[1]).toBeCloseTo(-0.2 / Math.tan(0.6), 6)
      expect(at[2]).toBeGreaterThan(last)
      last = at[2]!
    }
    const axis = (r: number) => project(matrix, pointAt(geometry, [0, 0, -r]))[2]!
    expect(axis(near)).toBeCloseTo(-1, 9)
    expect(axis(far)).toBeCloseTo(1, 9)
  }
})

test('no copy that reaches into the picture is left out', () => {
  // Points of balls about random centres are projected; a ball with a point in the picture must be kept.
  let state = 5
  const random = () => (state = (state * 1664525 + 1013904223) % 4294967296) / 4294967296
  const window = windowOf(1.1, 1.3)
  const radius = 0.4
  for (const geometry of ['spherical', 'flat', 'hyperbolic'] as const) {
    let [kept, left] = [0, 0]
    for (let i = 0; i < 300; i++) {
      const v: [number, number, number] = [4 * random() - 2, 4 * random() - 2, 4 * random() - 2]
      const copy = multiply(translation(geometry, v), turn([random(), random(), random()]))
      const found = visibleCopies({
        geometry,
        view: identity(),
        copies: copy,
        radius,
        sides: sidePlanes(window),
        reach: Infinity,
        limit: 10,
      })
      if (found.length) kept++
      else left++
      for (let k = 0; k < 30 && !found.length; k++) {
        const u = [random() - 0.5, random() - 0.5, random() - 0.5]
        const scale = (radius * random()) / Math.hypot(...u)
        const inside = pointAt(geometry, u.map((x) => x * scale) as [number, number, number])
        const p = [0, 1, 2].map((row) => [0, 1, 2, 3].reduce((sum, c) => sum + copy[4 * c + row]! * inside[c]!, 0))
        const [x, y] = [p[0]! / -p[2]!, p[1]! / -p[2]!]
        const seen = p[2]! < 0 && Math.abs(x) < window.right && Math.abs(y) < window.top
        expect(seen).toBe(false)
      }
    }
    expect(kept).toBeGreaterThan(20)
    expect(left).toBeGreaterThan(20)
  }
})

test('the nearest copies are kept within the limit', () => {
  const copies = [3, 1, 2].flatMap((z) => [...translation('flat', [0, 0, -z])])
  const cull = { geometry: 'flat' as const, view: identity(), copies, radius: 0.1, sides: [], reach: 9, limit: 2 }
  expect(visibleCopies(cull).map(({ copy }) => copy)).toEqual([1, 2])
  expect(visibleCopies({ ...cull, reach: 1.5 }).map(({ copy }) => copy)).toEqual([1])
})
