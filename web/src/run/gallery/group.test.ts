import { describe, expect, it } from 'vitest'
import type { Appearance, Clip, Mesh, Shape } from '../../lib/protocol'
import { Instances } from '../../scene3d/instances'
import { buildGroup, poseGroup, positionOf, creatureAt } from './group'

const POSE = [0, 0, 0, 0, 0, 0, 1] as Shape['pose']
const color: Shape['color'] = [0.5, 0.5, 0.5]

/** Two frames of a creature that goes 1 m along x. */
function walker(shapes: Partial<Shape>[], meshes: Mesh[] = []): Clip {
  const bodies = shapes.filter((shape) => shape.body !== null).length
  const appearance: Appearance = {
    epoch: 0,
    ground: true,
    gravity: [0, 0, -9.81],
    fluid: false,
    followed: 0,
    meshes,
    box: { min: [0, 0, 0], max: [1, 1, 1] },
    bodies: Array.from({ length: bodies }, (_, body) => ({
      name: `part-${body}`,
      mass: 1,
      parent: body ? body - 1 : null,
      joint: null,
      collides: true,
    })),
    shapes: shapes.map((shape, body) => ({ body, kind: 'box', size: [0.1, 0.1, 0.1], pose: POSE, color, ...shape })),
  }
  const poses = new Float32Array(2 * bodies * 7)
  for (let i = 0; i < 2 * bodies; i++) poses.set([i < bodies ? 0 : 1, 0, 0.5, 0, 0, 0, 1], 7 * i)
  return { appearance, rate: 0.5, frames: 2, bodies, fitness: 1, outcome: 'scored', hashes: [], poses }
}

/** A pyramid of some size: the same as any other when stretched. */
function pyramid(a: number, b: number, c: number): Mesh {
  return {
    positions: [-a, -b, 0, a, -b, 0, a, b, 0, -a, b, 0, 0, 0, c],
    normals: [],
    triangles: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
  }
}

describe('a group', () => {
  it('places creatures side by side', () => {
    const group = buildGroup(Array.from({ length: 7 }, () => walker([{}, {}])))
    poseGroup(group, 0, true)
    group.clips.forEach((_, index) => {
      const [x, y] = positionOf(group, index)
      const at = 7 * group.firstBody[index]!
      expect(group.poses[at]).toBeCloseTo(x, 5)
      expect(group.poses[at + 1]).toBeCloseTo(y, 5)
      expect(creatureAt(group, x + 0.1 * group.spacing, y)).toBe(index)
    })
    expect(creatureAt(group, 1000, 0)).toBeNull()
  })

  it('moves along, or stays in place', () => {
    const group = buildGroup([walker([{}])])
    poseGroup(group, 2, false)
    // The whole way of 1 m, in f32.
    expect(group.poses[0]! - positionOf(group, 0)[0]).toBeCloseTo(1, 5)
    poseGroup(group, 2, true)
    expect(group.poses[0]! - positionOf(group, 0)[0]).toBeCloseTo(0, 5)
  })

  it('omits fixed bodies, and shares meshes that differ only in size', () => {
    const clips = [1, 2, 3].map((size) =>
      walker([{ kind: 'mesh', size: [], mesh: 0 }, { body: null }], [pyramid(0.1 * size, 0.2, 0.3 / size)]),
    )
    const group = buildGroup(clips)
    expect(group.pieces.count).toBe(3)
    expect(group.pieces.meshes).toHaveLength(1)
    expect(new Set(group.pieces.units)).toEqual(new Set(['mesh:0']))
    // The tip of the second pyramid is where it was: 0.15 m above its base.
    const local = group.pieces.locals.subarray(16, 32)
    expect(local[10]! * 1 + local[14]!).toBeCloseTo(0.15, 6)
  })

  it('approximates tapers by a few shapes, within 6 % of the width', () => {
    const frustum = (taper: number): Mesh => ({
      ...pyramid(1, 1, 1),
      positions: [-1, -1, -1, 1, -1, -1, taper, taper, 1, -taper, taper, 1, 0, 0, 1],
    })
    const clips = Array.from({ length: 200 }, (_, i) =>
      walker([{ kind: 'mesh', size: [], mesh: 0 }], [frustum(0.2 + (0.8 * i) / 200)]),
    )
    const { pieces } = buildGroup(clips)
    expect(pieces.meshes.length).toBeLessThanOrEqual(16)
    clips.forEach((clip, i) => {
      const shown = pieces.meshes[Number(pieces.units[i]!.slice(5))]!
      // The box of each is that of its own mesh, within -1..1 already along x and z.
      expect(Math.abs(shown.positions[6]! - clip.appearance.meshes[0]!.positions[6]!)).toBeLessThan(0.06)
    })
  })

  it('of 500 creatures of 10 parts has few batches', () => {
    const kinds: Partial<Shape>[] = [{}, { kind: 'sphere', size: [0.1] }, { kind: 'capsule', size: [0.05, 0.1] }]
    const clip = walker(Array.from({ length: 10 }, (_, part) => kinds[part % 3]!))
    const group = buildGroup(Array.from({ length: 500 }, () => clip))
    expect(group.poses).toHaveLength(500 * 10 * 7)
    const instances = new Instances(group.pieces)
    // Each of box, ball, cylinder and dome has at most three levels of detail, and its edges.
    expect(instances.group.children.length).toBeLessThanOrEqual(4 * 4)
  })
})
