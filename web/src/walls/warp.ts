// The way from the picture to the window: the warp by four corners, and the halves of stereo pictures.
import type { Stereo } from '../lib/protocol'

export type Corner = readonly [number, number]
/** Lower left, lower right, upper right, upper left, as fractions of the window from its lower left. */
export type Corners = readonly [Corner, Corner, Corner, Corner]

export const STRAIGHT: Corners = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

/** A 3x3 matrix with rows one after the other. */
export type Homography = readonly number[]

/** Returns the projective map of the unit square to a quadrilateral (Heckbert 1989, section 2.2.3). */
export function squareToCorners(corners: Corners): Homography {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3]
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2]
  const area = dx1 * dy2 - dx2 * dy1
  const g = (sx * dy2 - dx2 * sy) / area
  const h = (dx1 * sy - sx * dy1) / area
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, 1]
}

/** Returns the map of a quadrilateral to the unit square. */
export function cornersToSquare(corners: Corners): Homography {
  const [a, b, c, d, e, f, g, h, i] = squareToCorners(corners) as number[]
  // The adjugate is the inverse up to a factor, which does not matter.
  return [
    e! * i! - f! * h!,
    c! * h! - b! * i!,
    b! * f! - c! * e!,
    f! * g! - d! * i!,
    a! * i! - c! * g!,
    c! * d! - a! * f!,
    d! * h! - e! * g!,
    b! * g! - a! * h!,
    a! * e! - b! * d!,
  ]
}

export function apply(map: Homography, [x, y]: Corner): Corner {
  const w = map[6]! * x + map[7]! * y + map[8]!
  return [(map[0]! * x + map[1]! * y + map[2]!) / w, (map[3]! * x + map[4]! * y + map[5]!) / w]
}

/** Eyes whose pictures a wall needs: -1 left, 0 between both, 1 right. */
export function eyesOf(stereo: Stereo): (-1 | 0 | 1)[] {
  switch (stereo) {
    case 'none':
      return [0]
    case 'left':
      return [-1]
    case 'right':
      return [1]
    default:
      return [-1, 1]
  }
}

/** Returns the place in the picture at a place of the window, and the index of the eye. Fractions from the lower left. */
export function placeInPicture(place: Corner, stereo: Stereo, corners: Corners): { place: Corner; eye: number } {
  let [x, y] = place
  let eye = 0
  if (stereo === 'side-by-side') {
    eye = x < 0.5 ? 0 : 1
    x = 2 * x - eye
  } else if (stereo === 'top-bottom') {
    eye = y < 0.5 ? 1 : 0
    y = 2 * y - (eye === 1 ? 0 : 1)
  }
  return { place: apply(cornersToSquare(corners), [x, y]), eye }
}
