// Perspective in the three spaces. Geodesics through the observer are straight lines, so that a linear map of (x, y, z, w)
// gives the picture, and the depth is exact along every ray.
import type { Geometry } from './isometry'

/** Depth range of a projection, as distances from the observer. */
export interface Range {
  near: number
  far: number
}

/** Bounds of the picture at unit distance: tangents of the angles from the axis. */
export interface Window {
  left: number
  right: number
  bottom: number
  top: number
}

/** The window of a camera with a vertical angle of view, in rad, and a ratio of width to height. */
export function windowOf(angle: number, aspect: number): Window {
  const top = Math.tan(angle / 2)
  return { left: -top * aspect, right: top * aspect, bottom: -top, top }
}

/**
 * The matrix that maps (x, y, z, w) to clip coordinates, by columns. The depth is a + b w / -z. Along a ray, w / -z
 * falls from infinity: to 1 at infinity in hyperbolic space, to 0 in flat space, to -infinity at the opposite point of
 * the sphere.
 */
export function projection(geometry: Geometry, { left, right, bottom, top }: Window, { near, far }: Range): number[] {
  const ratio = (r: number) =>
    geometry === 'spherical' ? 1 / Math.tan(r) : geometry === 'flat' ? 1 / r : 1 / Math.tanh(r)
  const b = 2 / (ratio(far) - ratio(near))
  const a = -1 - b * ratio(near)
  const [sx, sy] = [2 / (right - left), 2 / (top - bottom)]
  const [ox, oy] = [(right + left) / (right - left), (top + bottom) / (top - bottom)]
  return [sx, 0, 0, 0, 0, sy, 0, 0, ox, oy, -a, -1, 0, 0, b, 0]
}

/** The planes through the observer that bound the picture, as unit normals that point inwards. */
export function sidePlanes({ left, right, bottom, top }: Window): [number, number, number][] {
  const unit = (x: number, y: number, z: number): [number, number, number] => {
    const length = Math.hypot(x, y, z)
    return [x / length, y / length, z / length]
  }
  return [unit(1, 0, left), unit(-1, 0, -right), unit(0, 1, bottom), unit(0, -1, -top)]
}
