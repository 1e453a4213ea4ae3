import { describe, expect, it } from 'vitest'
import { latest, ratingColumns, scoreColor, scoreColumns, sidesOf } from './sides'

const result = (generation: number, side: number, score: number | null, leader: number | null = 7) => ({
  generation,
  side,
  score,
  leader,
  meetings: score === null ? 0 : 4,
})

describe('the sides of a contest', () => {
  const results = [
    result(0, 0, null),
    result(0, 1, null),
    result(1, 0, 0.5),
    result(1, 1, 0.25),
    result(2, 0, 1),
    result(2, 1, 0),
    result(3, 0, null, null),
  ]

  it('have scores in the generations with opponents', () => {
    expect(sidesOf(results)).toEqual([0, 1])
    expect(scoreColumns(results)).toEqual([
      [0, 1, 2, 3],
      [null, 0.5, 1, null],
      [null, 0.25, 0, null],
    ])
    expect(scoreColumns([])).toEqual([[]])
  })

  it('have ratings with their errors by generation', () => {
    const player = (generation: number, side: number, elo: number) => ({ id: 1, generation, side, elo, elo_error: 10 })
    expect(ratingColumns([player(5, 0, 100), player(0, 0, -50), player(5, 1, 20)])).toEqual([
      [0, 5],
      [-50, 100],
      [-60, 90],
      [-40, 110],
      [null, 20],
      [null, 10],
      [null, 30],
    ])
    expect(ratingColumns([])).toEqual([[]])
  })

  it('have the leaders of the latest generation', () => {
    expect(latest(results).map((one) => [one.generation, one.side])).toEqual([
      [2, 0],
      [2, 1],
    ])
    expect(latest([])).toEqual([])
  })

  it('are coloured by the winner', () => {
    expect(scoreColor(1)).toContain('#336bbf 100%')
    expect(scoreColor(0)).toContain('#e67a21 100%')
    expect(scoreColor(0.5)).toContain(' 0%')
    expect(scoreColor(null)).toBe('var(--sunken)')
  })
})
