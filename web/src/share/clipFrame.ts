// Frames of a clip in the form in which a view shows them.
import { duration, poseAt } from '../lib/clip'
import type { Frame } from '../lib/frame'
import type { Clip } from '../lib/protocol'

const FLOATS = 7

/** Share of a frame within which a time counts as that of the frame itself. */
const EXACT = 1e-4

/** Returns the poses at a time. At the time of a frame they are those of the frame, bit for bit. */
export function frameAt(clip: Clip, time: number, playing: boolean): Frame {
  const at = Math.min(Math.max(time * clip.rate, 0), Math.max(0, clip.frames - 1))
  const nearest = Math.round(at)
  let poses: Float32Array
  if (Math.abs(at - nearest) < EXACT) {
    const start = nearest * clip.bodies * FLOATS
    poses = clip.poses.slice(start, start + clip.bodies * FLOATS)
  } else {
    poses = new Float32Array(clip.bodies * FLOATS)
    poseAt(clip, time, poses)
  }
  return {
    playing,
    again: false,
    ended: false,
    epoch: clip.appearance.epoch,
    bodies: clip.bodies,
    step: nearest,
    latest: Math.max(0, clip.frames - 1),
    time: Math.min(time, duration(clip)),
    hash: '',
    kinetic: 0,
    potential: 0,
    factor: 1,
    poses,
    sections: new Map(),
  }
}
