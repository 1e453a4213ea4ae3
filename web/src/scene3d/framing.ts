// What the camera shows before the user moves it. A world with a followed body, or with one free articulated body, is
// followed. Otherwise the camera stands still and fits the box of what moves, over all frames seen so far.
import { Box3, Vector3 } from 'three'
import { POSE } from '../lib/frame'
import type { Appearance } from '../lib/protocol'
import { boxOf } from './bounds'
import { connectedBodies } from './cameras'
import type { Pieces } from './pieces'

/** Bodies farther from the start than this many diagonals of the world have left the subject. */
const REACH = 4
/** Half the side of the picture, in radii of the subject: a share of the world as context, between two limits. */
const MIN_SIDE = { fixed: 0.6, followed: 1.3 }
const MAX_SIDE = 2.2
/** Share of the world's diagonal that is context. */
const CONTEXT = 0.1
/** Other bodies nearer than this many radii of the followed ones are in the first picture. */
const NEIGHBOURS = 8

export class Framing {
  /** Body to follow; null if the camera stands still. */
  readonly followed: number | null
  /** Box of the subject in all frames so far, in m. */
  readonly box = new Box3()
  /** Largest distance of the followed bodies from their mean position along each axis, in m. */
  readonly half = new Vector3()
  /** Bodies of the subject. */
  readonly subject: ReadonlySet<number>
  private readonly parents: (number | null)[]
  private readonly centre = new Vector3()
  private reach = Infinity

  constructor(
    private readonly appearance: Appearance,
    /** Height of the ground, in m; null without ground. */
    private readonly ground: number | null,
  ) {
    const { bodies } = appearance
    this.parents = bodies.map((body) => body.parent)
    this.followed = appearance.followed ?? onlyFreeTree(appearance)
    // A body that forces do not move is part of the stage, unless there is nothing else.
    const moved = bodies.flatMap((body, index) => (body.mass > 0 ? [index] : []))
    const all = moved.length ? moved : bodies.map((_, index) => index)
    this.subject = new Set(this.followed === null ? all : connectedBodies(this.followed, this.parents))
  }

  /** Adds a frame with the matrices of its pieces. Returns whether the box or the extent has grown. */
  add(pieces: Pieces, worlds: Float32Array, poses: Float32Array): boolean {
    const now = this.current(pieces, worlds)
    if (now.isEmpty()) return false
    const first = this.box.isEmpty()
    const [box, half] = [this.box.clone(), this.half.clone()]
    this.box.union(now)
    if (first) this.begin(pieces, worlds, poses)
    if (this.followed !== null) this.growHalf(now, meanOf(poses, this.subject))
    return !box.equals(this.box) || !half.equals(this.half)
  }

  /** Forgets the frames so far. */
  restart(): void {
    this.box.makeEmpty()
    this.reach = Infinity
  }

  /** Returns the box of the subject in one frame. Bodies that have left it are not counted. */
  current(pieces: Pieces, worlds: Float32Array): Box3 {
    // A followed subject may go anywhere.
    const reach = this.followed === null ? this.reach : Infinity
    return boxOf(pieces, worlds, (body) => this.subject.has(body), this.centre, reach)
  }

  private begin(pieces: Pieces, worlds: Float32Array, poses: Float32Array): void {
    const radius = radiusOf(this.box)
    const { box } = this.appearance
    const world = new Vector3(...box.max).distanceTo(new Vector3(...box.min))
    const side = (least: number) => Math.min(Math.max(CONTEXT * world, least * radius), MAX_SIDE * radius)
    if (this.followed !== null) {
      this.half.setScalar(side(MIN_SIDE.followed) / Math.sqrt(3))
      this.addNeighbours(pieces, worlds, meanOf(poses, this.subject), NEIGHBOURS * radius)
      return
    }
    // Where the bodies will probably go: to the other side of a hinge, and down to the ground.
    this.addSwings(pieces, worlds, poses)
    const middle = this.box.getCenter(new Vector3())
    this.box.union(
      new Box3(middle.clone().subScalar(side(MIN_SIDE.fixed)), middle.clone().addScalar(side(MIN_SIDE.fixed))),
    )
    if (this.ground !== null) this.box.min.z = this.ground
    this.box.getCenter(this.centre)
    this.reach = REACH * Math.max(2 * radiusOf(this.box), world)
  }

  /** Extends the box by the mirror image of each tree that hangs on a hinge of the world, and by its length downwards. */
  private addSwings(pieces: Pieces, worlds: Float32Array, poses: Float32Array): void {
    const { bodies, gravity } = this.appearance
    bodies.forEach(({ parent, joint }, root) => {
      if (parent !== null || (joint !== 'revolute' && joint !== 'spherical')) return
      const tree = new Set(connectedBodies(root, this.parents))
      const box = boxOf(pieces, worlds, (body) => tree.has(body) && this.subject.has(body))
      if (box.isEmpty()) return
      const hinge = originOf(poses, root)
      const length = farthest(box, hinge)
      const mirrored = [box.min, box.max].map((corner) => hinge.clone().multiplyScalar(2).sub(corner).setZ(corner.z))
      for (const corner of mirrored) this.box.expandByPoint(corner)
      if (gravity[2] < 0) this.box.min.z = Math.min(this.box.min.z, hinge.z - length)
    })
  }

  /** Extends the extent to bodies next to the followed ones: a ball, a cube or an opponent. */
  private addNeighbours(pieces: Pieces, worlds: Float32Array, mean: Vector3, reach: number): void {
    const { bodies } = this.appearance
    this.growHalf(
      boxOf(pieces, worlds, (body) => (bodies[body]?.mass ?? 0) > 0, mean, reach),
      mean,
    )
  }

  private growHalf(box: Box3, mean: Vector3): void {
    if (!box.isEmpty()) this.half.max(box.max.clone().sub(mean)).max(mean.clone().sub(box.min))
  }
}

/** Returns the root of the only tree of several bodies if it moves freely; null if there is none or another body. */
function onlyFreeTree({ bodies }: Appearance): number | null {
  const roots = bodies.flatMap((body, index) => (body.parent === null ? [index] : []))
  const [root] = roots
  if (roots.length !== 1 || root === undefined || bodies.length < 2) return null
  return bodies[root]!.joint === null ? root : null
}

function radiusOf(box: Box3): number {
  return 0.5 * box.getSize(new Vector3()).length()
}

function originOf(poses: Float32Array, body: number): Vector3 {
  return new Vector3().fromArray(poses, POSE * body)
}

/** Returns the mean position of bodies, as the camera that follows them computes it. */
function meanOf(poses: Float32Array, bodies: ReadonlySet<number>): Vector3 {
  const known = [...bodies].filter((body) => POSE * body + 2 < poses.length)
  const mean = new Vector3()
  for (const body of known) mean.addScaledVector(originOf(poses, body), 1 / known.length)
  return mean
}

/** Returns the distance from a point to the farthest corner of a box. */
function farthest(box: Box3, from: Vector3): number {
  const low = from.clone().sub(box.min)
  const high = box.max.clone().sub(from)
  return low.max(high).length()
}
