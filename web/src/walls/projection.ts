// Off-axis projection: the picture that a wall must show so that an eye at any place in front of it sees the world behind
// the wall in its true perspective. `crates/walls/src/projection.rs` has the same function and explains it.

export type Point = readonly [number, number, number]

/** A rectangle; lengths in m. */
export interface Rectangle {
  lower_left: Point
  lower_right: Point
  upper_left: Point
}

/** Matrices with columns one after the other, as three.js has them. */
export interface WallProjection {
  /** From the world to the eye. */
  view: number[]
  /** From the eye to clip coordinates, with depths from -1 to 1. */
  projection: number[]
}

/** Minimum distance of an eye from a wall, in m. A nearer eye, or one behind the wall, is moved to this distance. */
export const MIN_EYE_DISTANCE = 0.01

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const along = (a: Point, b: Point, factor: number): Point => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
]
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const length = (a: Point) => Math.sqrt(dot(a, a))
const unit = (a: Point): Point => along([0, 0, 0], a, 1 / length(a))

/** Returns the projection of a wall for an eye. `near` and `far` are distances along the wall's normal, in m. */
export function wallProjection(wall: Rectangle, eye: Point, near: number, far: number): WallProjection {
  const right = unit(minus(wall.lower_right, wall.lower_left))
  const normal = unit(cross(right, minus(wall.upper_left, wall.lower_left)))
  const up = cross(normal, right)
  const found = dot(minus(eye, wall.lower_left), normal)
  const distance = Math.max(found, MIN_EYE_DISTANCE)
  const from = along(eye, normal, distance - found)
  const corner = minus(wall.lower_left, from)
  const scale = near / distance
  const [left, bottom] = [dot(corner, right) * scale, dot(corner, up) * scale]
  const width = length(minus(wall.lower_right, wall.lower_left)) * scale
  const height = length(minus(wall.upper_left, wall.lower_left)) * scale
  const depth = far - near
  // prettier-ignore
  const projection = [
    2 * near / width, 0, 0, 0,
    0, 2 * near / height, 0, 0,
    (2 * left + width) / width, (2 * bottom + height) / height, -(far + near) / depth, -1,
    0, 0, -2 * far * near / depth, 0,
  ]
  // prettier-ignore
  const view = [
    right[0], up[0], normal[0], 0,
    right[1], up[1], normal[1], 0,
    right[2], up[2], normal[2], 0,
    -dot(right, from), -dot(up, from), -dot(normal, from), 1,
  ]
  return { view, projection }
}

export type Quaternion = readonly [number, number, number, number]

/** Turns a vector by a quaternion. */
export function turned([x, y, z, w]: Quaternion, vector: Point): Point {
  const axis: Point = [x, y, z]
  const aside = cross(axis, vector)
  return along(along(vector, aside, 2 * w), cross(axis, aside), 2)
}

/** Returns the places of the left and the right eye. The head's axes are x to the right, y forward and z up. */
export function eyes(head: Point, orientation: Quaternion, separation: number): [Point, Point] {
  const offset = turned(orientation, [separation / 2, 0, 0])
  return [along(head, offset, -1), along(head, offset, 1)]
}
