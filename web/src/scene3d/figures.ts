// Legs and arms of people who walk. Their hips are on the body of a frame and their feet where the server says; the
// knees follow by inverse kinematics.
import type { Vector3Tuple } from 'three'

/** Height of the hips and of the shoulders, and distance of each from the middle of the body, in m. */
const HIP = { height: 0.82, side: 0.08 }
const SHOULDER = { height: 1.36, side: 0.17 }
/** Lengths of the thigh and of the shank, and height of the ankle above the sole, in m. */
const THIGH = 0.4
const SHANK = 0.4
const ANKLE = 0.06
/** Lengths of the upper arm and of the lower arm, in m. */
const UPPER_ARM = 0.28
const LOWER_ARM = 0.26

/** A limb from one point to another, with its radius in m. */
export interface Limb {
  from: Vector3Tuple
  to: Vector3Tuple
  radius: number
  part: 'leg' | 'foot' | 'arm'
}

/** The place of a body on the floor: position in m, and heading in rad. */
export interface Root {
  x: number
  y: number
  heading: number
}

/** A foot: position in m, height of the sole in m, heading in rad. */
export interface FootPlace {
  x: number
  y: number
  height: number
  heading: number
}

export type FigureDetail = 'full' | 'simplified' | 'sketch'

/** Chooses the detail of figures from the distance of the camera, in m, and their number. */
export function figureDetail(distance: number, count: number): FigureDetail {
  if (distance < 40 && count <= 300) return 'full'
  return distance < 80 && count <= 1000 ? 'simplified' : 'sketch'
}

/**
 * Returns the joint between two bones that lead from one point to another: bent towards `forward`, a unit vector, or
 * straight if the end is out of reach.
 */
export function bend(
  from: Vector3Tuple,
  to: Vector3Tuple,
  first: number,
  second: number,
  forward: Vector3Tuple,
): Vector3Tuple {
  const offset: Vector3Tuple = [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
  const distance = Math.hypot(...offset)
  if (distance < 1e-9) return [from[0] + first * forward[0], from[1] + first * forward[1], from[2] + first * forward[2]]
  const axis = offset.map((value) => value / distance) as Vector3Tuple
  // Law of cosines: the part of the first bone that is along the line.
  const along = Math.min(
    first,
    Math.max(-first, (distance * distance + first * first - second * second) / (2 * distance)),
  )
  const aside = Math.sqrt(Math.max(0, first * first - along * along))
  const dot = forward[0] * axis[0] + forward[1] * axis[1] + forward[2] * axis[2]
  const across = forward.map((value, index) => value - dot * axis[index]!) as Vector3Tuple
  const length = Math.hypot(...across)
  const share = length > 1e-9 ? aside / length : 0
  return from.map((value, index) => value + along * axis[index]! + share * across[index]!) as Vector3Tuple
}

/** Returns the limbs of a figure. The root is the same for every detail. */
export function limbs(root: Root, feet: [FootPlace, FootPlace], detail: FigureDetail): Limb[] {
  const [cos, sin] = [Math.cos(root.heading), Math.sin(root.heading)]
  const forward: Vector3Tuple = [cos, sin, 0]
  const beside = (side: number, height: number): Vector3Tuple => [root.x - side * sin, root.y + side * cos, height]
  const result: Limb[] = []
  feet.forEach((foot, index) => {
    const sign = index === 0 ? 1 : -1
    const hip = beside(sign * HIP.side, HIP.height)
    const ankle: Vector3Tuple = [foot.x, foot.y, foot.height + ANKLE]
    if (detail === 'sketch') {
      result.push({ from: hip, to: ankle, radius: 0.06, part: 'leg' })
      return
    }
    const knee = bend(hip, ankle, THIGH, SHANK, forward)
    result.push(
      { from: hip, to: knee, radius: 0.07, part: 'leg' },
      { from: knee, to: ankle, radius: 0.055, part: 'leg' },
    )
    if (detail !== 'full') return
    const [toeX, toeY] = [Math.cos(foot.heading), Math.sin(foot.heading)]
    const sole = foot.height + 0.035
    result.push({
      from: [foot.x - 0.06 * toeX, foot.y - 0.06 * toeY, sole],
      to: [foot.x + 0.17 * toeX, foot.y + 0.17 * toeY, sole],
      radius: 0.04,
      part: 'foot',
    })
    // An arm swings with the leg of the other side.
    const other = feet[1 - index]!
    const swing = 0.7 * ((other.x - root.x) * cos + (other.y - root.y) * sin)
    const shoulder = beside(sign * SHOULDER.side, SHOULDER.height)
    const hand: Vector3Tuple = beside(sign * (SHOULDER.side + 0.04), SHOULDER.height - 0.5)
    hand[0] += swing * cos
    hand[1] += swing * sin
    hand[2] += 0.4 * swing * swing
    const elbow = bend(shoulder, hand, UPPER_ARM, LOWER_ARM, [-cos, -sin, 0])
    result.push(
      { from: shoulder, to: elbow, radius: 0.045, part: 'arm' },
      { from: elbow, to: hand, radius: 0.04, part: 'arm' },
    )
  })
  return result
}
