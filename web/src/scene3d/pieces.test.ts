import { Matrix4, Quaternion, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import type { Pose } from '../lib/protocol'
import { placePieces, poseMatrix, buildPieces } from './pieces'
import { STILL, world } from '../lib/testSamples'

describe('pieces of an appearance', () => {
  it('builds a capsule from a tube and two matching domes', () => {
    const pieces = buildPieces(world([{ kind: 'capsule', size: [0.2, 0.5] }]))
    expect(pieces.units).toEqual(['tube', 'dome', 'dome'])
    const top = (index: number, z: number) =>
      new Vector3(0, 0, z).applyMatrix4(new Matrix4().fromArray(pieces.locals, 16 * index)).z
    // Single floats carry seven digits.
    expect(top(0, 1)).toBeCloseTo(0.5, 6)
    expect(top(1, 1)).toBeCloseTo(0.7, 6)
    expect(top(2, 1)).toBeCloseTo(-0.7, 6)
  })

  it('separates half-spaces and omits missing meshes', () => {
    const pieces = buildPieces(
      world([{ body: null, kind: 'half-space', size: [] }, { kind: 'mesh', size: [], mesh: 3 }, {}]),
    )
    expect(pieces.planes).toHaveLength(1)
    expect(pieces.units).toEqual(['box'])
  })

  it('places pieces like matrix products', () => {
    const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 1.1)
    const own: Pose = [0.1, -0.2, 0.3, ...(turn.toArray() as [number, number, number, number])]
    const pieces = buildPieces(
      world([
        { body: 1, size: [0.5, 0.6, 0.7], pose: own },
        { body: null, pose: own },
      ]),
    )
    const poses = Float32Array.of(0, 0, 0, 0, 0, 0, 1, 3, 4, 5, ...turn.clone().invert().toArray())
    const worlds = new Float32Array(32)
    placePieces(pieces, poses, worlds)
    const expected = poseMatrix(poses.subarray(7)).multiply(new Matrix4().fromArray(pieces.locals, 0))
    expected.elements.forEach((value, k) => expect(worlds[k]).toBeCloseTo(value, 5))
    expect([...worlds.subarray(16)]).toEqual([...pieces.locals.subarray(16)])
  })

  it('keeps the poses of bodies that a frame does not contain', () => {
    const pieces = buildPieces(world([{ body: 1 }]))
    const worlds = new Float32Array(16).fill(9)
    placePieces(pieces, Float32Array.from(STILL), worlds)
    expect([...worlds]).toEqual(new Array(16).fill(9))
  })
})
