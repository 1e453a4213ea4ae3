// The projection of walls, with the test vectors that the server's implementation passes, too.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eyes, wallProjection, type Point, type Rectangle } from './projection'

interface Case extends Rectangle {
  eye: Point
  near: number
  far: number
  points: { point: Point; picture: Point }[]
}

const cases = JSON.parse(
  readFileSync(new URL('../../../crates/walls/tests/projection.json', import.meta.url), 'utf8'),
) as Case[]

function times(matrix: number[], [x, y, z, w]: number[]): number[] {
  return [0, 1, 2, 3].map(
    (row) => matrix[row]! * x! + matrix[row + 4]! * y! + matrix[row + 8]! * z! + matrix[row + 12]! * w!,
  )
}

test('points are where their rays meet the wall', () => {
  expect(cases.length).toBeGreaterThan(20)
  for (const wall of cases) {
    const { view, projection } = wallProjection(wall, wall.eye, wall.near, wall.far)
    for (const { point, picture } of wall.points) {
      const clip = times(projection, times(view, [...point, 1]))
      for (let axis = 0; axis < 3; axis++) expect(clip[axis]! / clip[3]!).toBeCloseTo(picture[axis]!, 8)
    }
  }
})

test('eyes change sides when the head is upside down', () => {
  const [left, right] = eyes([0, 0, 1.7], [0, 0, 0, 1], 0.064)
  expect(right[0] - left[0]).toBeCloseTo(0.064, 12)
  const [low, high] = eyes([0, 0, 1.7], [0, 1, 0, 0], 0.064)
  expect(high[0] - low[0]).toBeCloseTo(-0.064, 12)
})
