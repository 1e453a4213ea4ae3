// Finds the body under a point of the screen: intersects a ray with the unit shapes, each in its own frame, on the CPU.
import { Matrix4, Ray, Vector3 } from 'three'
import type { Pieces } from './pieces'

export interface Hit {
  body: number
  /** Distance along the ray, in m. */
  distance: number
  point: Vector3
}

const inverse = new Matrix4()
const local = new Ray()
const centre = new Vector3()

/**
 * Returns the nearest piece of a moving body, or null if the ray first meets a fixed piece or nothing. Pieces with a 1 in
 * `omitted` are not in the picture and do not count.
 */
export function pick(ray: Ray, pieces: Pieces, worlds: Float32Array, omitted?: Uint8Array): Hit | null {
  let best = Infinity
  let body = -1
  for (let index = 0; index < pieces.count; index++) {
    if (omitted?.[index]) continue
    const t = hitDistance(ray, pieces, worlds, index)
    if (t !== null && t < best) {
      best = t
      body = pieces.bodies[index]!
    }
  }
  if (body < 0) return null
  return { body, distance: best, point: ray.at(best, new Vector3()) }
}

/** Returns the distance along a ray at which it enters a piece, in m; null if it misses the piece. */
export function hitDistance(ray: Ray, pieces: Pieces, worlds: Float32Array, index: number): number | null {
  const at = 16 * index
  const radius = pieces.radii[index]!
  centre.set(worlds[at + 12]!, worlds[at + 13]!, worlds[at + 14]!)
  if (ray.distanceSqToPoint(centre) > radius * radius) return null
  inverse.fromArray(worlds, at).invert()
  // The direction keeps the scale, so that a parameter along it is metres along the ray.
  local.origin.copy(ray.origin).applyMatrix4(inverse)
  local.direction.copy(ray.origin).add(ray.direction).applyMatrix4(inverse).sub(local.origin)
  return intersect(local, pieces, index)
}

function intersect(ray: Ray, pieces: Pieces, index: number): number | null {
  const unit = pieces.units[index]!
  switch (unit) {
    case 'box':
      return intersectBox(ray)
    case 'sphere':
      return intersectSphere(ray, -1)
    case 'dome':
      return intersectSphere(ray, 0)
    case 'cylinder':
    case 'tube':
      return intersectCylinder(ray)
    default:
      return intersectMesh(ray, pieces.meshes[Number(unit.slice(5))]!)
  }
}

// Only entry points count: a ray that starts inside a shape, as that of the first-person camera, ignores it.

function intersectBox({ origin, direction }: Ray): number | null {
  let enter = -Infinity
  let leave = Infinity
  for (const axis of ['x', 'y', 'z'] as const) {
    if (direction[axis] === 0) {
      if (Math.abs(origin[axis]) > 1) return null
      continue
    }
    const a = (-1 - origin[axis]) / direction[axis]
    const b = (1 - origin[axis]) / direction[axis]
    enter = Math.max(enter, Math.min(a, b))
    leave = Math.min(leave, Math.max(a, b))
  }
  return enter >= 0 && enter <= leave ? enter : null
}

/** Intersects the part of the unit sphere above z = `lowest`. */
function intersectSphere({ origin, direction }: Ray, lowest: number): number | null {
  const t = lowerRoot(direction.lengthSq(), origin.dot(direction), origin.lengthSq() - 1)
  return t !== null && origin.z + t * direction.z >= lowest ? t : null
}

function intersectCylinder({ origin, direction }: Ray): number | null {
  const a = direction.x ** 2 + direction.y ** 2
  const b = origin.x * direction.x + origin.y * direction.y
  const c = origin.x ** 2 + origin.y ** 2 - 1
  const round = a > 0 ? lowerRoot(a, b, c) : null
  const side = round !== null && Math.abs(origin.z + round * direction.z) <= 1 ? round : null
  const z = direction.z > 0 ? -1 : 1
  const cap = (z - origin.z) / direction.z
  const onCap = cap >= 0 && (origin.x + cap * direction.x) ** 2 + (origin.y + cap * direction.y) ** 2 <= 1 ? cap : null
  if (side === null || onCap === null) return side ?? onCap
  return Math.min(side, onCap)
}

/** Returns the lower root of a t^2 + 2 b t + c, or null if there is none or it is negative. */
function lowerRoot(a: number, b: number, c: number): number | null {
  const under = b * b - a * c
  if (under < 0) return null
  const t = (-b - Math.sqrt(under)) / a
  return t >= 0 ? t : null
}

const corner = [new Vector3(), new Vector3(), new Vector3()] as const
const met = new Vector3()

function intersectMesh(ray: Ray, mesh: { positions: number[]; triangles: number[] }): number | null {
  let best: number | null = null
  const length = ray.direction.length()
  for (let at = 0; at + 2 < mesh.triangles.length; at += 3) {
    for (let k = 0; k < 3; k++) corner[k]!.fromArray(mesh.positions, 3 * mesh.triangles[at + k]!)
    if (!ray.intersectTriangle(corner[0], corner[1], corner[2], true, met)) continue
    const t = met.distanceTo(ray.origin) / length
    if (best === null || t < best) best = t
  }
  return best
}
