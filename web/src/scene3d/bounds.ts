// Boxes round pieces in the world.
import { Box3, Vector3 } from 'three'
import type { Pieces } from './pieces'

/**
 * Returns the box along the world's axes round the pieces of the bodies that `includes` accepts. Pieces farther than
 * `reach` from `centre` are left out.
 */
export function boxOf(
  pieces: Pieces,
  worlds: Float32Array,
  includes: (body: number) => boolean,
  centre: Vector3 = ORIGIN,
  reach = Infinity,
): Box3 {
  const box = new Box3()
  const middle = new Vector3()
  const half = new Vector3()
  for (let index = 0; index < pieces.count; index++) {
    const body = pieces.bodies[index]!
    if (body < 0 || !includes(body)) continue
    middle.fromArray(worlds, 16 * index + 12)
    if (middle.distanceTo(centre) > reach) continue
    halfExtent(pieces, worlds, index, half)
    box.expandByPoint(middle.clone().add(half)).expandByPoint(middle.sub(half))
  }
  return box
}

const ORIGIN = new Vector3()

/** Writes half the size of the box round a piece. A round unit shape is smaller than its cube. */
function halfExtent(pieces: Pieces, worlds: Float32Array, index: number, out: Vector3): Vector3 {
  const unit = pieces.units[index]!
  if (unit.startsWith('mesh:')) return out.setScalar(pieces.radii[index]!)
  const at = 16 * index
  const along = (row: number) => [worlds[at + row]!, worlds[at + 4 + row]!, worlds[at + 8 + row]!] as const
  const size = (row: number) => {
    const [x, y, z] = along(row)
    if (unit === 'box') return Math.abs(x) + Math.abs(y) + Math.abs(z)
    if (unit === 'sphere' || unit === 'dome') return Math.hypot(x, y, z)
    return Math.hypot(x, y) + Math.abs(z)
  }
  return out.set(size(0), size(1), size(2))
}

/** Returns how far the pieces of a body reach along its x axis, in m. */
export function frontOf(pieces: Pieces, body: number): number {
  const box = boxOf(pieces, pieces.locals, (each) => each === body)
  return box.isEmpty() ? 0 : box.max.x
}
