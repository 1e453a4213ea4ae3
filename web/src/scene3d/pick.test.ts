import { Ray, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import type { Shape } from '../lib/protocol'
import { placePieces, buildPieces } from './pieces'
import { STILL, world } from '../lib/testSamples'
import { pick } from './pick'

function shoot(
  shapes: Partial<Shape>[],
  from: [number, number, number],
  to: [number, number, number],
  meshes: unknown[] = [],
) {
  const appearance = world(shapes, 3)
  appearance.meshes = meshes as never
  const pieces = buildPieces(appearance)
  const worlds = new Float32Array(16 * pieces.count)
  placePieces(pieces, Float32Array.from([...STILL, 5, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0, 0, 0, 1]), worlds)
  const origin = new Vector3(...from)
  return pick(new Ray(origin, new Vector3(...to).sub(origin).normalize()), pieces, worlds)
}

describe('picking', () => {
  it('finds each shape at its surface', () => {
    const cases: [Partial<Shape>, number][] = [
      [{ kind: 'box', size: [0.5, 1, 1] }, 9.5],
      [{ kind: 'sphere', size: [0.5] }, 9.5],
      [{ kind: 'ellipsoid', size: [2, 0.5, 0.5] }, 8],
      [{ kind: 'cylinder', size: [0.5, 1] }, 9.5],
      [{ kind: 'capsule', size: [0.5, 1] }, 9.5],
    ]
    // Matrices are single floats: ten metres to a hundredth of a millimetre.
    for (const [shape, distance] of cases) {
      expect(shoot([shape], [10, 0, 0], [0, 0, 0])!.distance, shape.kind).toBeCloseTo(distance, 5)
      expect(shoot([shape], [10, 0, 0], [10, 1, 0]), shape.kind).toBeNull()
      expect(shoot([shape], [10, 0, 0], [20, 0, 0]), shape.kind).toBeNull()
    }
  })

  it('does not hit a shape from inside', () => {
    for (const kind of ['box', 'sphere', 'cylinder', 'capsule'] as const) {
      expect(shoot([{ kind, size: [1, 1, 1] }], [0, 0, 0], [1, 0.1, 0.2]), kind).toBeNull()
    }
  })

  it('finds the ends of capsules and cylinders', () => {
    expect(shoot([{ kind: 'capsule', size: [0.5, 1] }], [0, 0, 10], [0, 0, 0])!.distance).toBeCloseTo(8.5, 5)
    expect(shoot([{ kind: 'capsule', size: [0.5, 1] }], [0, 0, -10], [0, 0, 0])!.distance).toBeCloseTo(8.5, 5)
    expect(shoot([{ kind: 'cylinder', size: [0.5, 1] }], [0, 0, 10], [0, 0, 0])!.distance).toBeCloseTo(9, 5)
  })

  it('finds triangles of meshes', () => {
    const mesh = { positions: [1, -1, -1, 1, 1, -1, 1, 0, 1], normals: [], triangles: [0, 1, 2] }
    expect(shoot([{ kind: 'mesh', size: [], mesh: 0 }], [10, 0, 0], [0, 0, 0], [mesh])!.distance).toBeCloseTo(9, 5)
    expect(shoot([{ kind: 'mesh', size: [], mesh: 0 }], [10, 0, 1.1], [0, 0, 1.1], [mesh])).toBeNull()
  })

  it('returns the nearest body', () => {
    const hit = shoot([{ body: 0 }, { body: 1 }, { body: 2 }], [10, 0, 0], [0, 0, 0])!
    expect(hit.body).toBe(1)
    expect(hit.point.x).toBeCloseTo(6, 5)
  })

  it('finds nothing behind a fixed wall', () => {
    expect(shoot([{ body: 0 }, { body: null, pose: [3, 0, 0, 0, 0, 0, 1] }], [10, 0, 0], [0, 0, 0])).toBeNull()
  })

  it('ignores a piece that is left out of the picture', () => {
    const pane: Partial<Shape> = { body: null, kind: 'box', size: [0.01, 9, 9], pose: [-5, 0, 0, 0, 0, 0, 1] }
    const pieces = buildPieces(world([{ kind: 'sphere', size: [0.5] }, pane], 1))
    const worlds = new Float32Array(16 * pieces.count)
    placePieces(pieces, Float32Array.from(STILL), worlds)
    const ray = new Ray(new Vector3(-10, 0, 0), new Vector3(1, 0, 0))
    expect(pick(ray, pieces, worlds)).toBeNull()
    expect(pick(ray, pieces, worlds, Uint8Array.of(0, 1))?.body).toBe(0)
  })
})
