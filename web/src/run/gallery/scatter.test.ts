import { describe, expect, it } from 'vitest'
import { countInside, extentOf, isInside, queryOf, regionOf, Scale, ticksOf } from './scatter'

describe('the axes of a scatter plot', () => {
  it('hold all finite numbers, also one or none', () => {
    for (const numbers of [[1, 5, 3], [2, 2], [0], [-3], [], [NaN, 4], [Infinity, 1, 2]]) {
      const [low, high] = extentOf(numbers)
      expect(low).toBeLessThan(high)
      for (const value of numbers.filter(Number.isFinite)) {
        expect(value).toBeGreaterThan(low)
        expect(value).toBeLessThan(high)
      }
    }
  })

  it('have a few round ticks', () => {
    expect(ticksOf([0, 1], 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
    expect(ticksOf([0.07, 0.33], 4)).toEqual([0.1, 0.2, 0.3])
    expect(ticksOf([-1e6, 1e6], 4)).toEqual([-1e6, -5e5, 0, 5e5, 1e6])
    expect(ticksOf([1, 1], 4)).toEqual([])
  })
})

describe('a region', () => {
  const scale = new Scale([0, 10], [-1, 1], 40, 10, 200, 100)

  it('is found from pixels, in any direction of drawing', () => {
    const region = { x: [2.5, 5], y: [0, 0.5] }
    const [from, to] = [scale.toPixel(2.5, 0), scale.toPixel(5, 0.5)]
    expect(scale.region(from, to)).toEqual(region)
    expect(scale.region(to, from)).toEqual(region)
    expect(scale.region([from[0], to[1]], [to[0], from[1]])).toEqual(region)
  })

  it('ends at the border of the plot', () => {
    expect(scale.region([-100, -100], [1000, 1000])).toEqual({ x: [0, 10], y: [-1, 1] })
  })

  it('maps values to pixels and back', () => {
    for (const [x, y] of [
      [0, -1],
      [3, 0.2],
      [10, 1],
    ] as const) {
      const back = scale.toValue(...scale.toPixel(x, y))
      expect(back[0]).toBeCloseTo(x, 12)
      expect(back[1]).toBeCloseTo(y, 12)
    }
  })

  it('contains its border, and is what the server is asked for', () => {
    const region = { x: [1, 2] as [number, number], y: [-Infinity, 3] as [number, number] }
    expect([isInside(region, 1, 3), isInside(region, 2, -9), isInside(region, 2.1, 0)]).toEqual([true, true, false])
    const points = { total: 3, sampled: 3, id: [0, 1, 2], x: [1, 2, 3], y: [3, 4, 0], fitness: [null, null, null] }
    expect(countInside(region, points)).toBe(1)
    const query = queryOf(region, 'mass', 'fitness')
    expect(query).toEqual({ x: 'mass', x_low: 1, x_high: 2, y: 'fitness', y_low: undefined, y_high: 3 })
    expect(regionOf(query, 'mass', 'fitness')).toEqual(region)
    expect(regionOf(query, 'mass', 'height')).toBeNull()
    expect(Object.values(queryOf(null, 'mass', 'fitness')).every((value) => value === undefined)).toBe(true)
  })
})
