// A fixed number of triangles for all tubes of a step. Segments go where a core is long, bends, or changes its radius, so that
// one tube and three hundred cost the same (Banks and Kelley 1995, section 4).
import { pieces, POINT, TERMS, type Tube, type TubeStep } from './tubes'

/** Triangles of all tubes. It is a multiple of the triangles of a segment with any number of sides. */
export const TRIANGLES = 24_000
/** Numbers of sides of a section, from fine to coarse. */
export const SIDES = [16, 12, 8, 6] as const
/** Segments per tube below which sections get fewer sides. */
const MIN_SEGMENTS = 8
/** Largest radius divided by the radius of curvature. Beyond it a core is a tight spiral and is left out. */
export const MAX_BEND = 0.7
/** Bending, in rad, and change of radius, as a share, that weigh as much as a hundredth of the length of all cores. */
const BEND_UNIT = 0.25
const RADIUS_UNIT = 0.2

/** The part of a tube that is drawn. */
export interface Share {
  tube: Tube
  /** Number of segments. */
  segments: number
  /** Cost of each piece between stored points; 0 for pieces that are left out. */
  costs: Float64Array
  cost: number
}

/** Number of sides of all sections and number of segments of all tubes. */
export function detail(tubes: number): { sides: number; segments: number } {
  const wanted = SIDES.find((sides) => TRIANGLES / (2 * sides) >= MIN_SEGMENTS * tubes)
  const sides = wanted ?? SIDES[SIDES.length - 1]!
  return { sides, segments: TRIANGLES / (2 * sides) }
}

/** Divides segments among the tubes of a step. Their number is exactly `segments` unless nothing can be drawn. */
export function divide(step: TubeStep, segments: number): Share[] {
  const vectors = step.tubes.map((tube) => pieceVectors(step, tube))
  let total = 0
  for (const list of vectors) for (let at = 0; at < list.length; at += 4) total += list[at]!
  if (!(total > 0)) return []
  let shares = step.tubes.map((tube, index) => {
    const costs = pieceCosts(step, tube, vectors[index]!, total / 100)
    return { tube, segments: 0, costs, cost: costs.reduce((a, b) => a + b, 0) }
  })
  shares = shares.filter((share) => share.cost > 0)
  // With more tubes than segments, the smallest are left out.
  if (shares.length > segments) shares = shares.sort((a, b) => b.cost - a.cost).slice(0, segments)
  const cost = shares.reduce((sum, share) => sum + share.cost, 0)
  const free = segments - shares.length
  const wanted = shares.map((share) => (free * share.cost) / cost)
  shares.forEach((share, index) => (share.segments = 1 + Math.floor(wanted[index]!)))
  let left = segments - shares.reduce((sum, share) => sum + share.segments, 0)
  const order = shares.map((_, index) => index)
  order.sort((a, b) => (wanted[b]! % 1) - (wanted[a]! % 1) || a - b)
  for (let k = 0; left > 0 && shares.length > 0; k++, left--) shares[order[k % order.length]!]!.segments++
  return shares
}

/** Length of each piece, followed by its unit direction. */
function pieceVectors(step: TubeStep, tube: Tube): Float64Array {
  const count = pieces(tube)
  const vectors = new Float64Array(4 * count)
  const { values } = step
  for (let piece = 0; piece < count; piece++) {
    const closes = piece + 1 === tube.count
    const a = (tube.first + piece) * POINT
    const b = (tube.first + (closes ? 0 : piece + 1)) * POINT
    const x = values[b]! - values[a]! + (closes ? tube.closure[0] : 0)
    const y = values[b + 1]! - values[a + 1]! + (closes ? tube.closure[1] : 0)
    const z = values[b + 2]! - values[a + 2]! + (closes ? tube.closure[2] : 0)
    const length = Math.sqrt(x * x + y * y + z * z)
    const at = 4 * piece
    vectors[at] = length
    vectors[at + 1] = x / (length || 1)
    vectors[at + 2] = y / (length || 1)
    vectors[at + 3] = z / (length || 1)
  }
  return vectors
}

function pieceCosts(step: TubeStep, tube: Tube, vectors: Float64Array, unit: number): Float64Array {
  const count = vectors.length / 4
  const costs = new Float64Array(count)
  for (let piece = 0; piece < count; piece++) {
    const next = tube.closed ? (piece + 1) % count : Math.min(piece + 1, count - 1)
    const [a, b] = [4 * piece, 4 * next]
    const cosine =
      vectors[a + 1]! * vectors[b + 1]! + vectors[a + 2]! * vectors[b + 2]! + vectors[a + 3]! * vectors[b + 3]!
    const bend = Math.acos(Math.min(1, Math.max(-1, cosine)))
    const radius = step.values[(tube.first + piece) * POINT + TERMS]!
    const nextRadius = step.values[(tube.first + ((piece + 1) % tube.count)) * POINT + TERMS]!
    const curvature = (2 * bend) / Math.max(vectors[a]! + vectors[b]!, 1e-30)
    if (curvature * radius > MAX_BEND) continue
    const change = Math.abs(nextRadius - radius) / Math.max(radius, 1e-30)
    costs[piece] = vectors[a]! / unit + bend / BEND_UNIT + Math.min(change, 2) / RADIUS_UNIT
  }
  return costs
}
