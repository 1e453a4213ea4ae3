// Which body is under a point of the screen: a ray against the unit shapes, each in its own frame. No GPU is asked.
import { Matrix4, Ray, Vector3 } from 'three'
import type { Pieces } from './appearance'

export interface Hit {
  body: number
  /** m along the ray */
  distance: number
  point: Vector3
}

const inverse = new Matrix4()
const local = new Ray()
const centre = new Vector3()

/** The nearest piece of a moving body, or null where the ray meets a fixed one first or none. */
export function pick(ray: Ray, pieces: Pieces, worlds: Float32Array): Hit | null {
  let best = Infinity
  let body = -1
  for (let index = 0; index < pieces.count; index++) {
    const at = 16 * index
    const radius = pieces.radii[index]!
    centre.set(worlds[at + 12]!, worlds[at + 13]!, worlds[at + 14]!)
    if (ray.distanceSqToPoint(centre) > radius * radius) continue
    inverse.fromArray(worlds, at).invert()
    // The direction keeps the scale, so that a parameter along it is metres along the ray.
    local.origin.copy(ray.origin).applyMatrix4(inverse)
    local.direction.copy(ray.origin).add(ray.direction).applyMatrix4(inverse).sub(local.origin)
    const t = meet(local, pieces, index)
    if (t !== null && t < best) {
      best = t
      body = pieces.bodies[index]!
    }
  }
  if (body < 0) return null
  return { body, distance: best, point: ray.at(best, new Vector3()) }
}

function meet(ray: Ray, pieces: Pieces, index: number): number | null {
  const unit = pieces.units[index]!
  switch (unit) {
    case 'box':
      return meetBox(ray)
    case 'sphere':
      return meetBall(ray, -1)
    case 'dome':
      return meetBall(ray, 0)
    case 'cylinder':
    case 'tube':
      return meetCylinder(ray)
    default:
      return meetMesh(ray, pieces.meshes[Number(unit.slice(5))]!)
  }
}

function meetBox({ origin, direction }: Ray): number | null {
  let enter = 0
  let leave = Infinity
  for (const axis of ['x', 'y', 'z'] as const) {
    const a = (-1 - origin[axis]) / direction[axis]
    const b = (1 - origin[axis]) / direction[axis]
    if (direction[axis] === 0 && Math.abs(origin[axis]) > 1) return null
    if (direction[axis] === 0) continue
    enter = Math.max(enter, Math.min(a, b))
    leave = Math.min(leave, Math.max(a, b))
  }
  return enter <= leave ? enter : null
}

/** The unit ball, its part above `lowest` z. */
function meetBall({ origin, direction }: Ray, lowest: number): number | null {
  const a = direction.lengthSq()
  const b = origin.dot(direction)
  const c = origin.lengthSq() - 1
  return firstOf(a, b, c, (t) => origin.z + t * direction.z >= lowest)
}

function meetCylinder({ origin, direction }: Ray): number | null {
  const a = direction.x ** 2 + direction.y ** 2
  const b = origin.x * direction.x + origin.y * direction.y
  const c = origin.x ** 2 + origin.y ** 2 - 1
  const side = a > 0 ? firstOf(a, b, c, (t) => Math.abs(origin.z + t * direction.z) <= 1) : null
  const z = direction.z > 0 ? -1 : 1
  const cap = (z - origin.z) / direction.z
  const onCap = cap >= 0 && (origin.x + cap * direction.x) ** 2 + (origin.y + cap * direction.y) ** 2 <= 1 ? cap : null
  if (side === null || onCap === null) return side ?? onCap
  return Math.min(side, onCap)
}

/** The first root of a t^2 + 2 b t + c that is not behind and that counts. */
function firstOf(a: number, b: number, c: number, counts: (t: number) => boolean): number | null {
  const under = b * b - a * c
  if (under < 0) return null
  const root = Math.sqrt(under)
  for (const t of [(-b - root) / a, (-b + root) / a]) if (t >= 0 && counts(t)) return t
  return null
}

const corner = [new Vector3(), new Vector3(), new Vector3()] as const
const met = new Vector3()

function meetMesh(ray: Ray, mesh: { positions: number[]; triangles: number[] }): number | null {
  let best: number | null = null
  const length = ray.direction.length()
  for (let at = 0; at + 2 < mesh.triangles.length; at += 3) {
    for (let k = 0; k < 3; k++) corner[k]!.fromArray(mesh.positions, 3 * mesh.triangles[at + k]!)
    if (!ray.intersectTriangle(corner[0], corner[1], corner[2], false, met)) continue
    const t = met.distanceTo(ray.origin) / length
    if (best === null || t < best) best = t
  }
  return best
}
