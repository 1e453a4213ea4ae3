import { Ray, Vector3 } from 'three'
import { expect, it } from 'vitest'
import { floorPoint } from './floor'

it('finds where a ray meets the floor', () => {
  const down = new Ray(new Vector3(1, 2, 6), new Vector3(3, 0, -4).normalize())
  const [x, y] = floorPoint(down)!
  expect(x).toBeCloseTo(1 + (3 * 6) / 4)
  expect(y).toBeCloseTo(2)
  expect(floorPoint(new Ray(new Vector3(0, 0, 1), new Vector3(1, 0, 0)))).toBeNull()
})
