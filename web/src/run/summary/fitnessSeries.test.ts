import { describe, expect, it } from 'vitest'
import type { Generation } from '../../lib/protocol'
import {
  BAND,
  bestSoFar,
  curveColumns,
  curveTable,
  generationRange,
  INTEGER_STEPS,
  nearestRow,
  rowsOf,
  SERIES,
} from './fitnessSeries'

const generation = (number: number, best: number | null): Generation => ({
  generation: number,
  born: 10,
  scored: best === null ? 0 : 10,
  best,
  upper_quartile: best,
  median: best,
  lower_quartile: best,
  diversity: 0.5,
  new_task: false,
})
const generations = [null, 2, 5, 3, null, 4].map((best, index) => generation(index, best))

describe('the fitness plot', () => {
  it('has the best so far and the best of the generation as two series with names', () => {
    const columns = curveColumns(rowsOf(generations))
    const of = (label: string) => columns[1 + SERIES.findIndex((series) => series.label === label)]
    expect(of('Best so far')).toEqual([null, 2, 5, 5, 5, 5])
    expect(of('Best of the generation')).toEqual([null, 2, 5, 3, null, 4])
    expect(columns[0]).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('ends with the number beside the title', () => {
    expect(bestSoFar(generations)).toBe(5)
    expect(nearestRow(rowsOf(generations), null)?.best_so_far).toBe(5)
    expect(bestSoFar([])).toBeNull()
  })

  it('has a best so far that starts anew with a new task', () => {
    const changed = generations.map((one) => ({ ...one, new_task: one.generation === 3 }))
    expect(rowsOf(changed).map((row) => row.best_so_far)).toEqual([null, 2, 5, 3, 3, 4])
    expect(bestSoFar(changed)).toBe(4)
  })

  it('is a table with the same numbers', () => {
    const { columns, rows } = curveTable(generations)
    expect(columns.slice(0, 5)).toEqual(['generation', 'born', 'scored', 'best_so_far', 'best'])
    expect(rows[3]!.slice(0, 5)).toEqual([3, 10, 10, 5, 3])
    expect(rows[0]![3]).toBeNull()
  })

  it('fills the band between the quartiles', () => {
    expect(BAND.map((column) => SERIES[column - 1]!.key)).toEqual(['upper_quartile', 'lower_quartile'])
  })

  it('has integer generations on its axis', () => {
    expect(INTEGER_STEPS.every(Number.isInteger)).toBe(true)
    expect(INTEGER_STEPS.slice(0, 5)).toEqual([1, 2, 5, 10, 20])
    expect(generationRange([0])).toEqual([0, 1])
    expect(generationRange([0, 3, 7])).toEqual([0, 7])
  })
})
