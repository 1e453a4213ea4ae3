// Fixed pieces in front of what moves: a direction of view that avoids them, and which of them to leave out.
import { type PerspectiveCamera, Ray, Vector3 } from 'three'
import { hitDistance, pick } from './pick'
import type { Pieces } from './pieces'

/** Maximum number of moving pieces that are tested. */
const MAX_SAMPLES = 24
/** Maximum number of tests of a fixed piece against a ray in one frame. */
const MAX_TESTS = 20_000
/** Share of moving pieces in sight that is enough for a direction. */
const ENOUGH = 0.9
/** A fixed piece that hides at least this share of the moving pieces is left out. */
const TOO_MUCH = 0.5

/** A direction from which a camera looks, in rad. */
export interface Direction {
  azimuth: number
  elevation: number
}

const degrees = (angle: number) => (angle * Math.PI) / 180

/** Directions in order of preference: with the x axis to the right, then from other sides; from low, then from high. */
export const DIRECTIONS: Direction[] = [
  [-60, -120, -90, -30, -150],
  [60, 120, 90, 0, 180],
].flatMap((side) =>
  [0.3, 0.6, 0.9].flatMap((elevation) => side.map((angle) => ({ azimuth: degrees(angle), elevation }))),
)

/** Returns the indices of some pieces of bodies that `includes` accepts, evenly spaced. */
export function sampleMoving(pieces: Pieces, includes: (body: number) => boolean): number[] {
  const moving = [...pieces.bodies.keys()].filter((index) => {
    const body = pieces.bodies[index]!
    return body >= 0 && includes(body)
  })
  const stride = Math.max(1, moving.length / MAX_SAMPLES)
  return Array.from({ length: Math.min(moving.length, MAX_SAMPLES) }, (_, k) => moving[Math.floor(k * stride)]!)
}

/** Returns the share of the sampled pieces that no fixed piece hides from a point. */
export function visibleShare(from: Vector3, samples: number[], pieces: Pieces, worlds: Float32Array): number {
  if (samples.length === 0) return 1
  const seen = samples.filter((index) => pick(rayTo(from, worlds, index).ray, pieces, worlds) !== null)
  return seen.length / samples.length
}

/**
 * Returns the first direction from which enough is in sight, or the best one. If less than half is in sight from
 * everywhere, pieces must be left out, and the first direction is as good as any. `place` gives the camera's position.
 */
export function chooseDirection(
  samples: number[],
  pieces: Pieces,
  worlds: Float32Array,
  place: (direction: Direction) => Vector3,
): Direction {
  let best = DIRECTIONS[0]!
  let most = -1
  if (!hasFixed(pieces)) return best
  for (const direction of DIRECTIONS) {
    const share = visibleShare(place(direction), samples, pieces, worlds)
    if (share >= ENOUGH) return direction
    if (share > most) [best, most] = [direction, share]
  }
  return most < 1 - TOO_MUCH ? DIRECTIONS[0]! : best
}

/** Returns the fixed pieces that hide at least half of the samples from a camera. */
export function hidingPieces(
  camera: PerspectiveCamera,
  samples: number[],
  pieces: Pieces,
  worlds: Float32Array,
): number[] {
  const fixed = [...pieces.bodies.keys()].filter((index) => pieces.bodies[index]! < 0)
  if (!samples.length || !fixed.length || samples.length * fixed.length > MAX_TESTS) return []
  const rays = samples.map((index) => rayTo(camera.position, worlds, index))
  return fixed.filter((piece) => {
    const hidden = rays.filter(({ ray, length }) => (hitDistance(ray, pieces, worlds, piece) ?? Infinity) < length)
    return hidden.length >= TOO_MUCH * rays.length
  })
}

function hasFixed(pieces: Pieces): boolean {
  return pieces.bodies.some((body) => body < 0)
}

function rayTo(from: Vector3, worlds: Float32Array, index: number): { ray: Ray; length: number } {
  const direction = new Vector3().fromArray(worlds, 16 * index + 12).sub(from)
  const length = direction.length()
  return { ray: new Ray(from.clone(), direction.normalize()), length }
}
