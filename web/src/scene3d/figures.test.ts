import { describe, expect, it } from 'vitest'
import { bend, figureDetail, limbs, type FootPlace } from './figures'

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.hypot(...a.map((value, index) => value - b[index]!))

describe('bend', () => {
  it('keeps the lengths of both bones wherever the end can be reached', () => {
    for (let index = 0; index < 200; index++) {
      const [u, v] = [(index * 0.618) % 1, (index * 0.414) % 1]
      const reach = 0.05 + 0.74 * u
      const angle = 2 * Math.PI * v
      const end: [number, number, number] = [reach * Math.cos(angle), 0.1 * u, reach * Math.sin(angle)]
      const length = Math.hypot(...end)
      if (length > 0.79) continue
      const knee = bend([0, 0, 0], end, 0.4, 0.4, [1, 0, 0])
      // A line along the forward direction leaves no side to bend to.
      if (Math.abs(end[0]) / length > 0.999) continue
      expect(distance(knee, [0, 0, 0])).toBeCloseTo(0.4, 9)
      expect(distance(knee, end)).toBeCloseTo(0.4, 9)
    }
  })

  it('is straight towards an end out of reach', () => {
    expect(bend([0, 0, 1], [0, 0, -1], 0.4, 0.4, [1, 0, 0])).toEqual([0, 0, 0.6])
  })
})

describe('limbs', () => {
  const feet: [FootPlace, FootPlace] = [
    { x: 1.2, y: 2.08, height: 0, heading: 0 },
    { x: 0.8, y: 1.92, height: 0.05, heading: 0.1 },
  ]
  const root = { x: 1, y: 2, heading: 0 }

  it('starts the legs of all details at the same hips and ends them at the same feet', () => {
    for (const detail of ['full', 'simplified', 'sketch'] as const) {
      const legs = limbs(root, feet, detail).filter((limb) => limb.part === 'leg')
      expect(legs[0]!.from).toEqual([1, 2.08, 0.82])
      const ends = legs.filter((leg) => leg.to[2] < 0.2).map((leg) => leg.to)
      expect(ends).toEqual([
        [1.2, 2.08, 0.06],
        [0.8, 1.92, 0.11],
      ])
    }
  })

  it('has fewer limbs with less detail', () => {
    const counts = (['full', 'simplified', 'sketch'] as const).map((detail) => limbs(root, feet, detail).length)
    expect(counts).toEqual([10, 4, 2])
  })

  it('chooses the detail by distance and number', () => {
    expect([figureDetail(10, 50), figureDetail(60, 50), figureDetail(200, 50)]).toEqual([
      'full',
      'simplified',
      'sketch',
    ])
    expect([figureDetail(10, 500), figureDetail(10, 5000)]).toEqual(['simplified', 'sketch'])
  })
})
