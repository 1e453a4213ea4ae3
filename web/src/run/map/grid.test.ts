import { describe, expect, it } from 'vitest'
import { buildGrid, cellEnds } from './grid'

const parts = { descriptor: 'parts', low: 2, high: 18, cells: 4 }
const height = { descriptor: 'height', low: 0, high: 1, cells: 2 }

describe('a map of elites', () => {
  it('is a grid with the lowest row first', () => {
    const laid = buildGrid({
      dimensions: [parts, height],
      cells: [
        { cell: [3, 1], id: 7, fitness: 2 },
        { cell: [0, 0], id: 1, fitness: 1 },
      ],
    })
    expect([laid.columns, laid.rows]).toEqual([4, 2])
    expect(laid.elites[0]?.id).toBe(1)
    expect(laid.elites[7]?.id).toBe(7)
    expect(laid.elites.filter(Boolean)).toHaveLength(2)
  })

  it('shows the fittest over further dimensions, and one row if there is only one dimension', () => {
    const cells = [
      { cell: [1, 0, 0], id: 1, fitness: 3 },
      { cell: [1, 0, 5], id: 2, fitness: 4 },
    ]
    expect(
      buildGrid({ dimensions: [parts, height, { descriptor: 'mass', low: 0, high: 9, cells: 9 }], cells }).elites[1]
        ?.id,
    ).toBe(2)
    expect(buildGrid({ dimensions: [parts], cells: [{ cell: [2], id: 5, fitness: 1 }] }).elites[2]?.id).toBe(5)
  })

  it('returns the bounds of cells', () => {
    expect(cellEnds(parts, 1)).toEqual([6, 10])
    expect(cellEnds({ descriptor: 'height', low: 0, high: 1, cells: 10 }, 2)).toEqual([0.2, 0.3])
  })
})
