// The probe: the place on a core that is nearest to a ray. Tubes whose bounding sphere is farther from the ray than the best
// place so far are skipped.
import { emptyPlace, pieces, placeAt, type TubeStep } from './tubes'

/** Places per piece between stored points. */
const PLACES_PER_PIECE = 8

export interface ProbePoints {
  /** Positions of all places, three numbers each. */
  positions: Float64Array
  /** For each place: number of the tube, piece, share. */
  places: Float64Array
  /** For each tube: first place, number of places, centre and radius of a sphere around them. */
  spheres: Float64Array
}

export interface Hit {
  tube: number
  piece: number
  share: number
  /** Distance from the ray. */
  distance: number
}

/** Computes the places of all cores, shifted. */
export function probePoints(step: TubeStep, shift: (track: number) => readonly [number, number, number]): ProbePoints {
  const count = step.tubes.reduce((sum, tube) => sum + pieces(tube) * PLACES_PER_PIECE + 1, 0)
  const positions = new Float64Array(3 * count)
  const places = new Float64Array(3 * count)
  const spheres = new Float64Array(6 * step.tubes.length)
  const place = emptyPlace()
  let at = 0
  step.tubes.forEach((tube, number) => {
    const first = at
    const moved = shift(tube.track)
    const total = pieces(tube) * PLACES_PER_PIECE
    for (let k = 0; k <= total; k++) {
      const piece = Math.min(Math.floor(k / PLACES_PER_PIECE), pieces(tube) - 1)
      const share = k / PLACES_PER_PIECE - piece
      placeAt(step, tube, piece, share, place)
      positions.set(
        [0, 1, 2].map((axis) => place.position[axis]! + moved[axis]!),
        3 * at,
      )
      places.set([number, piece, share], 3 * at)
      at++
    }
    spheres.set([first, at - first, ...sphere(positions, first, at)], 6 * number)
  })
  return { positions, places, spheres }
}

/** Centre of the box of some places and distance of the farthest. */
function sphere(positions: Float64Array, first: number, end: number): [number, number, number, number] {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let k = first; k < end; k++)
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis]!, positions[3 * k + axis]!)
      high[axis] = Math.max(high[axis]!, positions[3 * k + axis]!)
    }
  const centre = low.map((value, axis) => 0.5 * (value + high[axis]!)) as [number, number, number]
  let radius = 0
  for (let k = first; k < end; k++)
    radius = Math.max(radius, Math.hypot(...centre.map((value, axis) => positions[3 * k + axis]! - value)))
  return [...centre, radius]
}

type Vector = readonly [number, number, number]

/** Distance of a point from a ray with a unit direction. Behind the start it is that from the start. */
export function rayDistance(origin: Vector, direction: Vector, x: number, y: number, z: number): number {
  const [dx, dy, dz] = [x - origin[0], y - origin[1], z - origin[2]]
  const along = Math.max(0, dx * direction[0] + dy * direction[1] + dz * direction[2])
  return Math.hypot(dx - along * direction[0], dy - along * direction[1], dz - along * direction[2])
}

/** The place nearest to a ray; null if there are no tubes. The first of equally near places counts. */
export function nearestToRay(points: ProbePoints, origin: Vector, direction: Vector): Hit | null {
  const { positions, places, spheres } = points
  let best = -1
  let shortest = Infinity
  for (let tube = 0; tube < spheres.length / 6; tube++) {
    const [first, count, x, y, z, radius] = spheres.subarray(6 * tube, 6 * tube + 6) as unknown as number[]
    if (rayDistance(origin, direction, x!, y!, z!) - radius! > shortest) continue
    for (let k = first!; k < first! + count!; k++) {
      const far = rayDistance(origin, direction, positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!)
      if (far < shortest) [best, shortest] = [k, far]
    }
  }
  if (best < 0) return null
  const [tube, piece, share] = places.subarray(3 * best, 3 * best + 3) as unknown as [number, number, number]
  return { tube, piece, share, distance: shortest }
}
