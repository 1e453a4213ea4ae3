// A clip: the motion of one creature as it was evaluated, decoded from the bytes of `.../clip`, and its pose at any time.
import type { Clip, ClipHead } from './protocol'

const FLOATS = 7

/** Reads a clip; what is no clip is refused with a sentence. */
export function decodeClip(bytes: ArrayBuffer): Clip {
  if (bytes.byteLength < 4)
    throw new Error(`A clip begins with 4 bytes that tell the length of its head; found ${bytes.byteLength}.`)
  const length = new DataView(bytes).getUint32(0, true)
  const start = 4 + length
  if (start > bytes.byteLength)
    throw new Error(`The head of the clip has ${length} bytes, but only ${bytes.byteLength - 4} are there.`)
  if (start % 4 !== 0) throw new Error(`The head of the clip ends at byte ${start}, which is not a multiple of 4.`)
  let head: ClipHead
  try {
    head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as ClipHead
  } catch {
    throw new Error('The head of the clip is not JSON.')
  }
  const { frames, bodies, rate } = head
  if (!(frames >= 0) || !(bodies >= 0) || !(rate > 0) || !head.appearance) {
    throw new Error(
      'The head of the clip lacks its appearance, or the number of frames, of bodies, or of frames a second.',
    )
  }
  const expected = frames * bodies * FLOATS * 4
  if (bytes.byteLength - start !== expected) {
    throw new Error(
      `${frames} frames of ${bodies} bodies are ${expected} bytes; the clip has ${bytes.byteLength - start}.`,
    )
  }
  return { ...head, hashes: head.hashes ?? [], poses: new Float32Array(bytes, start, frames * bodies * FLOATS) }
}

/** Length of a clip in seconds: from the first frame to the last. */
export function duration(clip: Clip): number {
  return Math.max(0, clip.frames - 1) / clip.rate
}

/** Bytes that a clip holds on to. */
export function clipBytes(clip: Clip): number {
  return clip.poses.buffer.byteLength
}

/** The poses of all bodies at a time, between frames by interpolation; before the first and after the last they stand. */
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

/** Between two near orientations along the shorter way, normalised. */
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

/** The time in a clip that is played over and over, with a short rest at the end. */
export function looped(clip: Clip, clock: number, rest = 0.6): number {
  return Math.min(clock % (duration(clip) + rest), duration(clip))
}
