import { expect, test } from 'vitest'
import type { SpaceDetail } from '../lib/protocol'
import { beams, twentyFourCell, pairsOf, panes } from './domainMesh'
import { translation } from './isometry'
import { Observer } from './observer'

/** The 3-torus of a unit cube, written by hand. */
function torus(): SpaceDetail {
  const vertices = [...Array(8).keys()].map((i) =>
    [i & 1, (i >> 1) & 1, (i >> 2) & 1].map((bit) => bit - 0.5).concat(1),
  )
  const faces = [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side, k) => {
      const unit = [0, 1, 2].map((i) => (i === axis ? side : 0)) as [number, number, number]
      const [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)]
      const base = side > 0 ? 1 << axis : 0
      const corners = [base, base + u, base + u + v, base + v]
      return {
        plane: [...unit, -0.5] as [number, number, number, number],
        centre: [...unit.map((x) => x / 2), 1] as [number, number, number, number],
        corners: side > 0 ? corners : corners.reverse(),
        partner: 2 * axis + 1 - k,
        pairing: [...translation('flat', unit)],
      }
    }),
  )
  const edges = [0, 1, 2].flatMap((axis) =>
    [0, 1, 2, 3].map((k) => {
      const others = [(axis + 1) % 3, (axis + 2) % 3]
      const start = ((k & 1) << others[0]!) + ((k >> 1) << others[1]!)
      return { ends: [start, start + (1 << axis)], faces: [2 * others[0]!, 2 * others[1]!], cycle: axis, order: 1 }
    }),
  )
  const space = { geometry: 'flat', vertices, faces, edges, in_radius: 0.5, out_radius: Math.sqrt(0.75) }
  return space as unknown as SpaceDetail
}

test('a pair of faces is drawn once, and one edge of each cycle', () => {
  const space = torus()
  expect(pairsOf(space)).toEqual([0, 0, 1, 1, 2, 2])
  // Three faces with four sides of two triangles; three edges with four sides of two triangles.
  expect(panes(space).triangles).toBe(24)
  expect(beams(space).triangles).toBe(24)
  expect(twentyFourCell().triangles).toBe(96 * 8)
})

test('panes lie in their planes, and beams along their edges', () => {
  const { points } = panes(torus())
  for (let i = 0; i < points.length; i += 4) {
    const [x, y, z, w] = points.slice(i, i + 4)
    expect(w).toBeCloseTo(1, 12)
    expect(Math.max(Math.abs(x!), Math.abs(y!), Math.abs(z!))).toBeCloseTo(0.5, 12)
  }
  const beam = beams(torus()).points
  for (let i = 0; i < beam.length; i += 4) {
    const distances = beam.slice(i, i + 3).map((x) => Math.abs(Math.abs(x) - 0.5))
    expect(distances.every((d) => d < 0.02)).toBe(true)
  }
})

test('an observer who leaves through a face enters through its partner', () => {
  const space = torus()
  const gates = space.faces.map(({ plane, pairing }) => ({ plane: plane as [number, number, number, number], pairing }))
  const observer = new Observer('flat', gates)
  expect(observer.step([0.4, 0, 0])).toEqual([])
  expect(observer.step([0.3, 0, 0])).toEqual([1])
  expect(observer.position[0]).toBeCloseTo(-0.3, 12)
  expect(observer.step([-0.7, 2, 0]).length).toBe(3)
  expect(observer.position[0]).toBeCloseTo(0, 12)
  expect(observer.position[1]).toBeCloseTo(0, 12)
  expect(observer.crossings).toBe(4)
})
