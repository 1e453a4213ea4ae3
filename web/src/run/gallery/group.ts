// Many creatures on one ground as one world: their pieces are in one list, so that all of them take a few draw calls.
// Meshes are scaled to a common size, and similar ones are shared: all cones, for example, are one mesh.
import { Matrix4, Vector3 } from 'three'
import type { Clip, Mesh } from '../../lib/protocol'
import { buildPieces, type Pieces, type Unit } from '../../scene3d/pieces'
import { smoothedMiddle } from '../../clips/clipActor'
import { duration, poseAt } from '../../lib/clip'

/** Maximum difference of coordinates between meshes of unit size that are drawn as one. It is invisible at a group's distance. */
const MAX_MESH_DIFFERENCE = 0.06

export interface CreatureGroup {
  pieces: Pieces
  clips: Clip[]
  /** First body of each creature in the common list. */
  firstBody: number[]
  poses: Float32Array
  /** Number of creatures in a row. */
  columns: number
  spacing: number
}

/** Builds one world of many clips, without the fixed parts of their arenas. */
export function buildGroup(clips: Clip[]): CreatureGroup {
  const shared = new Meshes()
  const separate = clips.map((clip) => buildPieces(clip.appearance))
  const kept = separate.map((pieces) => pieces.units.map((_, i) => i).filter((i) => pieces.bodies[i]! >= 0))
  const count = kept.reduce((sum, list) => sum + list.length, 0)
  const pieces: Pieces = {
    count,
    units: [],
    bodies: new Int32Array(count),
    locals: new Float32Array(16 * count),
    colours: new Float32Array(3 * count),
    radii: new Float32Array(count),
    meshes: shared.all,
    planes: [],
  }
  const firstBody: number[] = []
  const sizes: number[] = []
  let bodies = 0
  separate.forEach((own, creature) => {
    firstBody.push(bodies)
    for (const i of kept[creature]!) {
      const at = pieces.units.length
      const local = own.locals.subarray(16 * i, 16 * i + 16)
      const { unit, matrix } = shared.take(own.units[i]!, own.meshes)
      pieces.units.push(unit)
      pieces.locals.set(matrix ? new Matrix4().fromArray(local).multiply(matrix).elements : local, 16 * at)
      pieces.colours.set(own.colours.subarray(3 * i, 3 * i + 3), 3 * at)
      pieces.radii[at] = own.radii[i]!
      pieces.bodies[at] = bodies + own.bodies[i]!
    }
    bodies += clips[creature]!.bodies
    sizes.push(extent(clips[creature]!, own))
  })
  // A quantile, so that one very large creature does not spread out the others.
  const size = Math.max(0.1, sizes.sort((a, b) => a - b)[Math.floor(0.85 * sizes.length)] ?? 1)
  return {
    pieces,
    clips,
    firstBody,
    poses: new Float32Array(7 * bodies),
    columns: Math.max(1, Math.ceil(Math.sqrt(clips.length * 2.2))),
    spacing: 2 * size,
  }
}

/** Returns how far a creature extends along the ground from its middle at the start, in m. */
function extent(clip: Clip, pieces: Pieces): number {
  if (clip.frames === 0) return 0
  const [x, y] = smoothedMiddle(clip, 0)
  let max = 0
  pieces.bodies.forEach((body, i) => {
    if (body < 0) return
    max = Math.max(max, Math.hypot(clip.poses[7 * body]! - x, clip.poses[7 * body + 1]! - y) + pieces.radii[i]!)
  })
  return max
}

/** Where creature `index` of the group stands. */
export function positionOf(group: CreatureGroup, index: number): [number, number] {
  const rows = Math.ceil(group.clips.length / group.columns)
  const column = index % group.columns
  const row = Math.floor(index / group.columns)
  return [((rows - 1) / 2 - row) * group.spacing, (column - (group.columns - 1) / 2) * group.spacing]
}

/** Computes the poses of all creatures at a time. In place, each stays at its position; otherwise it moves from there. */
export function poseGroup(group: CreatureGroup, time: number, inPlace: boolean): void {
  group.clips.forEach((clip, index) => {
    const out = group.poses.subarray(7 * group.firstBody[index]!, 7 * (group.firstBody[index]! + clip.bodies))
    const at = Math.min(time, duration(clip))
    poseAt(clip, at, out)
    const [x, y] = positionOf(group, index)
    const [ox, oy] = clip.frames ? smoothedMiddle(clip, inPlace ? at : 0) : [0, 0]
    for (let body = 0; body < clip.bodies; body++) {
      out[7 * body]! += x - ox
      out[7 * body + 1]! += y - oy
    }
  })
}

/** Returns the index of the creature at a point of the ground, or null. */
export function creatureAt(group: CreatureGroup, x: number, y: number): number | null {
  let best: number | null = null
  let nearest = 0.75 * group.spacing
  group.clips.forEach((_, index) => {
    const [a, b] = positionOf(group, index)
    const away = Math.hypot(a - x, b - y)
    if (away < nearest) [best, nearest] = [index, away]
  })
  return best
}

/** Meshes within -1..1 on each axis. Meshes with the same triangles that differ by less than `MAX_MESH_DIFFERENCE` are shared. */
class Meshes {
  readonly all: Mesh[] = []
  private readonly taken = new Map<Mesh, { unit: Unit; matrix: Matrix4 }>()
  /** Indices of meshes by their triangles. */
  private readonly known = new Map<string, number[]>()

  take(unit: Unit, meshes: Mesh[]): { unit: Unit; matrix: Matrix4 | null } {
    if (!unit.startsWith('mesh:')) return { unit, matrix: null }
    const mesh = meshes[Number(unit.slice(5))]!
    let taken = this.taken.get(mesh)
    if (!taken) this.taken.set(mesh, (taken = this.share(mesh)))
    return taken
  }

  private share(mesh: Mesh): { unit: Unit; matrix: Matrix4 } {
    const { centre, half } = box(mesh)
    const positions = mesh.positions.map((value, i) => (value - centre.getComponent(i % 3)) / half.getComponent(i % 3))
    const triangles = `${positions.length}/${mesh.triangles.join()}`
    const candidates = this.known.get(triangles) ?? []
    this.known.set(triangles, candidates)
    let index = candidates.find((one) =>
      this.all[one]!.positions.every((value, i) => Math.abs(value - positions[i]!) < MAX_MESH_DIFFERENCE),
    )
    if (index === undefined) {
      index = this.all.push({ positions, normals: scaledNormals(mesh, half), triangles: mesh.triangles }) - 1
      candidates.push(index)
    }
    return { unit: `mesh:${index}`, matrix: new Matrix4().makeScale(half.x, half.y, half.z).setPosition(centre) }
  }
}

function box(mesh: Mesh): { centre: Vector3; half: Vector3 } {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  mesh.positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3]!, value)
    high[i % 3] = Math.max(high[i % 3]!, value)
  })
  const middle = (k: number) => (low[k]! + high[k]!) / 2
  const side = (k: number) => Math.max((high[k]! - low[k]!) / 2, 1e-9)
  return { centre: new Vector3(middle(0), middle(1), middle(2)), half: new Vector3(side(0), side(1), side(2)) }
}

/** Returns the unit normals of a mesh whose positions were divided by `half`. */
function scaledNormals(mesh: Mesh, half: Vector3): number[] {
  const normals: number[] = []
  for (let at = 0; at + 2 < mesh.normals.length; at += 3) {
    const n = new Vector3(mesh.normals[at], mesh.normals[at + 1], mesh.normals[at + 2]).multiply(half).normalize()
    normals.push(n.x, n.y, n.z)
  }
  return normals
}
