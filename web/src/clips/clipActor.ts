// A creature that plays its clip: its pieces, its position at a time, and the size of the view that it needs.
import type { Clip } from '../lib/protocol'
import { buildPieces, type Pieces } from '../scene3d/pieces'
import { Instances } from '../scene3d/instances'
import { poseAt } from '../lib/clip'

/** Half the time over which the camera's path is smoothed, in s. */
const SMOOTHING = 0.5

export class ClipActor {
  readonly pieces: Pieces
  readonly instances: Instances
  readonly poses: Float32Array
  /** Radius of a sphere round the creature's middle that contains it most of the time, in m. */
  readonly radius: number

  constructor(readonly clip: Clip) {
    this.pieces = buildPieces(clip.appearance)
    this.instances = new Instances(this.pieces)
    this.poses = new Float32Array(7 * clip.bodies)
    this.radius = reach(clip, this.pieces)
  }

  show(time: number): void {
    poseAt(this.clip, time, this.poses)
    this.instances.place(this.poses)
  }

  /** Returns the target of a following camera; it depends on the time only. */
  middle(time: number): [number, number, number] {
    return smoothedMiddle(this.clip, time)
  }

  dispose(): void {
    this.instances.dispose()
  }
}

/** Returns the followed body and all bodies connected to it, or all bodies if none is followed. */
export function creatureBodies(clip: Clip): number[] {
  const { bodies, followed } = clip.appearance
  const all = bodies.map((_, body) => body)
  if (followed === null) return all
  const root = (body: number) => {
    for (let steps = 0; steps < bodies.length && bodies[body]!.parent !== null; steps++) body = bodies[body]!.parent!
    return body
  }
  const own = root(followed)
  return all.filter((body) => root(body) === own)
}

/** Writes the mean position of the creature's bodies in a frame to `out`. */
function middleOf(clip: Clip, members: number[], frame: number, out: [number, number, number]): void {
  out.fill(0)
  for (const body of members) {
    const at = 7 * (frame * clip.bodies + body)
    for (let k = 0; k < 3; k++) out[k]! += clip.poses[at + k]! / members.length
  }
}

const membersOf = new WeakMap<Clip, number[]>()

export function smoothedMiddle(clip: Clip, time: number): [number, number, number] {
  let members = membersOf.get(clip)
  if (!members) membersOf.set(clip, (members = creatureBodies(clip)))
  const sum: [number, number, number] = [0, 0, 0]
  const one: [number, number, number] = [0, 0, 0]
  const samples = 7
  for (let i = 0; i < samples; i++) {
    const at = (time - SMOOTHING + (2 * SMOOTHING * i) / (samples - 1)) * clip.rate
    const frame = Math.round(Math.min(Math.max(at, 0), clip.frames - 1))
    middleOf(clip, members, frame, one)
    for (let k = 0; k < 3; k++) sum[k]! += one[k]! / samples
  }
  return sum
}

/** Returns how far the creature's parts get from its middle, in m: a quantile over a dozen times, at least 0.1. */
function reach(clip: Clip, pieces: Pieces): number {
  const members = new Set(creatureBodies(clip))
  const middle: [number, number, number] = [0, 0, 0]
  const reaches: number[] = []
  for (let i = 0; i < 12; i++) {
    const frame = Math.floor(((clip.frames - 1) * i) / 12)
    if (frame < 0) break
    middleOf(clip, [...members], frame, middle)
    let max = 0
    pieces.bodies.forEach((body, piece) => {
      if (!members.has(body)) return
      const at = 7 * (frame * clip.bodies + body)
      const away = Math.hypot(
        clip.poses[at]! - middle[0],
        clip.poses[at + 1]! - middle[1],
        clip.poses[at + 2]! - middle[2],
      )
      max = Math.max(max, away + pieces.radii[piece]!)
    })
    reaches.push(max)
  }
  reaches.sort((a, b) => a - b)
  // A quantile, so that one extreme moment does not enlarge the view for the whole clip.
  return Math.max(0.1, reaches[Math.floor(reaches.length * 0.8)] ?? 1)
}
