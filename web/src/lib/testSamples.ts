// Frames and worlds for tests.
import type { Appearance, Pose, Shape } from './protocol'

export const STILL: Pose = [0, 0, 0, 0, 0, 0, 1]

export function world(shapes: Partial<Shape>[], bodies = 2): Appearance {
  return {
    epoch: 0,
    ground: true,
    gravity: [0, 0, -9.81],
    fluid: false,
    bodies: Array.from({ length: bodies }, (_, n) => ({
      name: `b${n}`,
      mass: 1,
      parent: null,
      joint: null,
      collides: true,
    })),
    shapes: shapes.map(
      (shape) => ({ body: 0, kind: 'box', size: [1, 1, 1], pose: STILL, color: [1, 1, 1], ...shape }) as Shape,
    ),
    meshes: [],
    followed: null,
    box: { min: [-1, -1, 0], max: [1, 1, 1] },
  }
}

/** A frame written byte by byte as docs/protocol.md has it. */
export function writeFrame(
  poses: number[],
  sections: [number, number, number[]][] = [],
  head: { flags?: number; step?: number; latest?: number; epoch?: number } = {},
): ArrayBuffer {
  const size = 64 + 4 * poses.length + sections.reduce((sum, [, , floats]) => sum + 8 + 4 * floats.length, 0)
  const view = new DataView(new ArrayBuffer(size))
  view.setUint32(0, 0x46475242, true)
  view.setUint16(4, 1, true)
  view.setUint16(6, head.flags ?? 3, true)
  view.setUint32(8, head.epoch ?? 7, true)
  view.setUint32(12, poses.length / 7, true)
  view.setBigUint64(16, BigInt(head.step ?? 120), true)
  view.setBigUint64(24, BigInt(head.latest ?? 240), true)
  view.setFloat64(32, 0.5, true)
  view.setBigUint64(40, 0x00ffee0011223344n, true)
  view.setFloat32(48, 1.5, true)
  view.setFloat32(52, -2.5, true)
  view.setFloat32(56, 0.75, true)
  view.setUint32(60, sections.length, true)
  poses.forEach((value, index) => view.setFloat32(64 + 4 * index, value, true))
  let at = 64 + 4 * poses.length
  for (const [kind, items, floats] of sections) {
    view.setUint32(at, kind, true)
    view.setUint32(at + 4, items, true)
    floats.forEach((value, index) => view.setFloat32(at + 8 + 4 * index, value, true))
    at += 8 + 4 * floats.length
  }
  return view.buffer
}
