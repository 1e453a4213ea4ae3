import { describe, expect, it } from 'vitest'
import { world } from './testSamples'
import { clipBytes, decodeClip, duration, looped, poseAt } from './clip'

function encode(header: object, poses: number[]): ArrayBuffer {
  let text = JSON.stringify(header)
  text = text.padEnd(Math.ceil((text.length + 4) / 4) * 4 - 4)
  const bytes = new ArrayBuffer(4 + text.length + 4 * poses.length)
  new DataView(bytes).setUint32(0, text.length, true)
  new Uint8Array(bytes, 4, text.length).set(new TextEncoder().encode(text))
  new Float32Array(bytes, 4 + text.length).set(poses)
  return bytes
}

const half = Math.SQRT1_2
const header = {
  appearance: world([], 1),
  rate: 10,
  frames: 3,
  bodies: 1,
  fitness: 1.5,
  outcome: 'scored',
  hashes: ['0f'],
}
// Moves along x and turns by a quarter about z between the first two frames; the third has the same turn with the sign of the quaternion changed.
const poses = [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, half, half, 2, 0, 0, 0, 0, -half, -half]

describe('a clip', () => {
  it('is decoded', () => {
    const clip = decodeClip(encode(header, poses))
    expect(clip).toMatchObject({ rate: 10, frames: 3, bodies: 1, fitness: 1.5, hashes: ['0f'] })
    expect(duration(clip)).toBeCloseTo(0.2, 12)
    expect(clipBytes(clip)).toBeGreaterThan(3 * 28)
  })

  it('interpolates between frames', () => {
    const clip = decodeClip(encode(header, poses))
    const out = new Float32Array(7)
    poseAt(clip, 0.05, out)
    expect(out[0]).toBeCloseTo(0.5, 6)
    // An eighth of a turn, in f32.
    expect(out[5]).toBeCloseTo(Math.sin(Math.PI / 8), 6)
    expect(out[6]).toBeCloseTo(Math.cos(Math.PI / 8), 6)
    poseAt(clip, 0.15, out)
    // The two quaternions are the same turn: it stays.
    expect(Math.abs(out[5]!)).toBeCloseTo(half, 6)
    expect(Math.hypot(out[3]!, out[4]!, out[5]!, out[6]!)).toBeCloseTo(1, 6)
  })

  it('is constant before the first and after the last frame', () => {
    const clip = decodeClip(encode(header, poses))
    const out = new Float32Array(7)
    poseAt(clip, -3, out)
    expect(out[0]).toBe(0)
    poseAt(clip, 99, out)
    expect(out[0]).toBe(2)
  })

  it('loops with a pause', () => {
    const clip = decodeClip(encode(header, poses))
    expect(looped(clip, 0.1, 0.5)).toBeCloseTo(0.1, 12)
    expect(looped(clip, 0.4, 0.5)).toBeCloseTo(0.2, 12)
    expect(looped(clip, 0.75, 0.5)).toBeCloseTo(0.05, 12)
  })

  it('rejects invalid bytes with a reason', () => {
    expect(() => decodeClip(new ArrayBuffer(2))).toThrow(/4 bytes/)
    expect(() => decodeClip(encode(header, poses).slice(0, 40))).toThrow(/found 36/)
    expect(() => decodeClip(encode(header, poses.slice(1)))).toThrow(
      /3 frames of 1 bodies need 84 bytes; the clip has 80/,
    )
    expect(() => decodeClip(encode({ rate: 10 }, []))).toThrow(
      /Header of the clip.appearance: expected an object, found nothing/,
    )
    const garbage = encode(header, poses)
    new Uint8Array(garbage, 4, 1).fill(33)
    expect(() => decodeClip(garbage)).toThrow(/not valid JSON/)
  })
})
