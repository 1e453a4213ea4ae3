// A creature that plays its clip: its pieces, where it is at a time, and how large a view must be to show it.
import type { Clip } from '../lib/protocol'
import { buildPieces, type Pieces } from '../scene3d/pieces'
import { Instances } from '../scene3d/instances'
import { poseAt } from '../lib/clip'

/** Half of the time over which the camera's path is smoothed, in s. */
const CALM = 0.5

export class ClipActor {
  readonly pieces: Pieces
  readonly instances: Instances
  readonly poses: Float32Array
  /** Of a ball round the middle of the creature that holds it at most times, in m. */
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

  /** Where a camera that follows looks, at a time: the same for the same time, however one got there. */
  middle(time: number): [number, number, number] {
    return calmMiddle(this.clip, time)
  }

  dispose(): void {
    this.instances.dispose()
  }
}

/** The creature's bodies: the one that is followed and all that hang on it; all if nobody is followed. */
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

/** Mean place of the creature's bodies in a frame, written to `out`. */
function middleOf(clip: Clip, members: number[], frame: number, out: [number, number, number]): void {
  out.fill(0)
  for (const body of members) {
    const at = 7 * (frame * clip.bodies + body)
    for (let k = 0; k < 3; k++) out[k]! += clip.poses[at + k]! / members.length
  }
}

const membersOf = new WeakMap<Clip, number[]>()

export function calmMiddle(clip: Clip, time: number): [number, number, number] {
  let members = membersOf.get(clip)
  if (!members) membersOf.set(clip, (members = creatureBodies(clip)))
  const sum: [number, number, number] = [0, 0, 0]
  const one: [number, number, number] = [0, 0, 0]
  const samples = 7
  for (let i = 0; i < samples; i++) {
    const at = (time - CALM + (2 * CALM * i) / (samples - 1)) * clip.rate
    const frame = Math.round(Math.min(Math.max(at, 0), clip.frames - 1))
    middleOf(clip, members, frame, one)
    for (let k = 0; k < 3; k++) sum[k]! += one[k]! / samples
  }
  return sum
}

/** Farthest a part of the creature gets from its middle, at a dozen times; at least a hand. */
function reach(clip: Clip, pieces: Pieces): number {
  const members = new Set(creatureBodies(clip))
  const middle: [number, number, number] = [0, 0, 0]
  const reaches: number[] = []
  for (let i = 0; i < 12; i++) {
    const frame = Math.floor(((clip.frames - 1) * i) / 12)
    if (frame < 0) break
    middleOf(clip, [...members], frame, middle)
    let most = 0
    pieces.bodies.forEach((body, piece) => {
      if (!members.has(body)) return
      const at = 7 * (frame * clip.bodies + body)
      const away = Math.hypot(
        clip.poses[at]! - middle[0],
        clip.poses[at + 1]! - middle[1],
        clip.poses[at + 2]! - middle[2],
      )
      most = Math.max(most, away + pieces.radii[piece]!)
    })
    reaches.push(most)
  }
  reaches.sort((a, b) => a - b)
  // Not the very largest: somebody who is thrown apart for a moment does not make the view small for good.
  return Math.max(0.1, reaches[Math.floor(reaches.length * 0.8)] ?? 1)
}
