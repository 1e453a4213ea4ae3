// The warp by four corners, and the places of pictures in windows.
import { expect, test } from 'vitest'
import { apply, cornersToSquare, placeInPicture, squareToCorners, STRAIGHT, type Corner, type Corners } from './warp'
import { ClockOffset } from './clock'

const near = (found: Corner, expected: Corner) => {
  expect(found[0]).toBeCloseTo(expected[0], 9)
  expect(found[1]).toBeCloseTo(expected[1], 9)
}

test('the warp takes corners to corners and lines to lines', () => {
  const corners: Corners = [
    [0.1, 0.05],
    [0.9, 0],
    [1, 0.95],
    [0.02, 0.8],
  ]
  const map = squareToCorners(corners)
  STRAIGHT.forEach((corner, index) => near(apply(map, corner), corners[index]!))
  // A projective map keeps the intersection of the diagonals.
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = corners
  const middle = apply(map, [0.5, 0.5])
  const side = (px: number, py: number, qx: number, qy: number) =>
    (qx - px) * (middle[1] - py) - (qy - py) * (middle[0] - px)
  expect(side(ax, ay, cx, cy)).toBeCloseTo(0, 9)
  expect(side(bx, by, dx, dy)).toBeCloseTo(0, 9)
  const back = cornersToSquare(corners)
  for (const place of [
    [0.3, 0.7],
    [0.9, 0.1],
    [0.5, 0.5],
  ] as const)
    near(apply(back, apply(map, place)), place)
})

test('a place of the window belongs to an eye', () => {
  expect(placeInPicture([0.25, 0.5], 'side-by-side', STRAIGHT)).toEqual({ place: [0.5, 0.5], eye: 0 })
  expect(placeInPicture([0.75, 0.5], 'side-by-side', STRAIGHT)).toEqual({ place: [0.5, 0.5], eye: 1 })
  expect(placeInPicture([0.5, 0.75], 'top-bottom', STRAIGHT)).toEqual({ place: [0.5, 0.5], eye: 0 })
  expect(placeInPicture([0.5, 0.25], 'top-bottom', STRAIGHT)).toEqual({ place: [0.5, 0.5], eye: 1 })
  expect(placeInPicture([0.4, 0.25], 'anaglyph', STRAIGHT)).toEqual({ place: [0.4, 0.25], eye: 0 })
})

test('the fastest ping gives the offset of the clock', () => {
  const clock = new ClockOffset()
  expect(clock.offset).toBe(0)
  clock.add(0, 1090, 100)
  clock.add(200, 1205, 210)
  clock.add(300, 1390, 400)
  expect(clock.offset).toBe(1000)
})
