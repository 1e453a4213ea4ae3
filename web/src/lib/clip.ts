// A clip: the motion of a creature during its evaluation. Decodes the bytes of `.../clip` and interpolates poses.
import { parseJson } from './check'
import { clipHeader } from './messages'
import type { Clip } from './protocol'

const FLOATS = 7

/** Decodes a clip; throws an error that says what is wrong with the bytes. */
export function decodeClip(bytes: ArrayBuffer): Clip {
  if (bytes.byteLength < 4)
    throw new Error(`A clip starts with the length of its header in 4 bytes; found ${bytes.byteLength} bytes.`)
  const length = new DataView(bytes).getUint32(0, true)
  const start = 4 + length
  if (start > bytes.byteLength)
    throw new Error(`The header of the clip should have ${length} bytes; found ${bytes.byteLength - 4}.`)
  if (start % 4 !== 0) throw new Error(`The header of the clip ends at byte ${start}, which is not a multiple of 4.`)
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length))
  const header = parseJson(text, clipHeader, 'Header of the clip')
  const { frames, bodies, rate } = header
  if (!(frames >= 0) || !(bodies >= 0) || !(rate > 0))
    throw new Error(`The clip has ${frames} frames of ${bodies} bodies at ${rate} frames per second.`)
  const expected = frames * bodies * FLOATS * 4
  if (bytes.byteLength - start !== expected) {
    throw new Error(
      `${frames} frames of ${bodies} bodies need ${expected} bytes; the clip has ${bytes.byteLength - start}.`,
    )
  }
  return { ...header, poses: new Float32Array(bytes, start, frames * bodies * FLOATS) }
}

/** Returns the time from the first frame to the last, in s. */
export function duration(clip: Clip): number {
  return Math.max(0, clip.frames - 1) / clip.rate
}

/** Returns the memory of a clip, in bytes. */
export function clipBytes(clip: Clip): number {
  return clip.poses.buffer.byteLength
}

/** Writes the poses of all bodies at a time, interpolated between frames and constant beyond both ends. */
export function poseAt(clip: Clip, time: number, out: Float32Array): void {
  const { bodies, frames, poses } = clip
  if (frames === 0) return void out.fill(0)
  const at = Math.min(Math.max(time * clip.rate, 0), frames - 1)
  const first = Math.floor(at)
  const share = at - first
  const a = first * bodies * FLOATS
  const b = Math.min(first + 1, frames - 1) * bodies * FLOATS
  for (let body = 0; body < bodies; body++) {
    const o = body * FLOATS
    for (let k = 0; k < 3; k++) out[o + k] = poses[a + o + k]! * (1 - share) + poses[b + o + k]! * share
    blend(poses, a + o + 3, b + o + 3, share, out, o + 3)
  }
}

/** Interpolates two orientations along the shorter arc and normalises the result. */
function blend(from: Float32Array, a: number, b: number, share: number, out: Float32Array, o: number): void {
  let dot = 0
  for (let k = 0; k < 4; k++) dot += from[a + k]! * from[b + k]!
  const sign = dot < 0 ? -1 : 1
  let square = 0
  for (let k = 0; k < 4; k++) {
    const value = from[a + k]! * (1 - share) + sign * from[b + k]! * share
    out[o + k] = value
    square += value * value
  }
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0
  for (let k = 0; k < 4; k++) out[o + k]! *= scale
}

/** Returns the time in a looped clip, with a short pause at the end. */
export function looped(clip: Clip, clock: number, pause = 0.6): number {
  return Math.min(clock % (duration(clip) + pause), duration(clip))
}
