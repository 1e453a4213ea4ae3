import { describe, expect, it } from 'vitest'
import { groupRuns } from './groups'
import { bandOf, chartGrid, groupBands, quantile, valueAt } from './statistics'
import { testRun } from './testRun'

describe('quantiles', () => {
  it('are interpolated linearly', () => {
    expect(quantile([], 0.5)).toBeNull()
    expect(quantile([7], 0.25)).toBe(7)
    expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantile([1, 2, 3, 4], share))).toEqual([1, 1.75, 2.5, 3.25, 4])
    expect(bandOf([5, 1, 3])).toEqual({ lower: 2, median: 3, upper: 4, runs: 3 })
    expect(bandOf([])).toEqual({ lower: null, median: null, upper: null, runs: 0 })
  })

  it('of uniform numbers lie where they should', () => {
    // The quantile at share q of 0, 1, ..., n is q n.
    for (const n of [1, 2, 10, 101]) {
      const numbers = Array.from({ length: n + 1 }, (_, k) => k)
      for (const share of [0, 0.1, 0.25, 0.5, 0.9, 1]) expect(quantile(numbers, share)).toBeCloseTo(share * n, 12)
    }
  })
})

describe('curves of a group', () => {
  it('hold the last value until the next point, and end with the run', () => {
    const run = testRun(1, [1, null, 3])
    expect([5, 10, 15, 20, 29, 30, 31].map((at) => valueAt(run, 'best', at))).toEqual([null, 1, 1, null, null, 3, null])
    expect(valueAt(testRun(1, []), 'best', 0)).toBeNull()
  })

  it('count only the runs that have come so far', () => {
    const runs = [testRun(1, [1, 2, 3]), testRun(2, [3, 4]), testRun(3, [5, 6, 9])]
    const grid = chartGrid(runs)
    expect(grid).toEqual([10, 20, 30])
    const bands = groupBands(groupRuns(runs)[0]!, 'best', grid)
    expect(bands.map((band) => band.runs)).toEqual([3, 3, 2])
    expect(bands.map((band) => band.median)).toEqual([3, 4, 6])
    expect(bands[0]).toEqual({ lower: 2, median: 3, upper: 4, runs: 3 })
  })

  it('has no more points than a chart can show', () => {
    const runs = [testRun(1, [1], { count: 100_000, evaluations: [100_000], best: [1] }), testRun(2, [1, 2])]
    expect(chartGrid(runs)).toEqual([20, 100_000])
    expect(chartGrid([testRun(1, [1], { count: 100_000, evaluations: [1, 100_000], best: [0, 1] })])).toHaveLength(200)
    expect(chartGrid([])).toEqual([])
  })
})
