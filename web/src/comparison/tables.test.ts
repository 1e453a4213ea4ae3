import { describe, expect, it } from 'vitest'
import type { Run } from '../lib/protocol'
import { bandTable } from './bandTable'
import { groupRuns } from './groups'
import { kinds } from './kinds'
import { chartGrid } from './statistics'
import { testRun } from './testRun'

describe('the table of a comparison', () => {
  it('has a row for each group and number of evaluations that a run has reached', () => {
    const runs = [testRun(1, [1, 3]), testRun(2, [3]), testRun(1, [null], { task: 'swim' })]
    const { columns, rows } = bandTable(groupRuns(runs), 'best', chartGrid(runs))
    expect(rows.map((row) => Object.fromEntries(columns.map((name, k) => [name, row[k]])))).toEqual([
      { task: 'walk', ...common, evaluations: 10, runs: 2, lower_quartile: 1.5, median: 2, upper_quartile: 2.5 },
      { task: 'walk', ...common, evaluations: 20, runs: 1, lower_quartile: 3, median: 3, upper_quartile: 3 },
    ])
  })
  const common = { algorithm: 'genetic', family: 'legged', settings: '' }
})

describe('the list of runs', () => {
  const run = (name: string, seed: number, algorithm = 'genetic') =>
    ({ name, task: 'walk', family: 'legged', algorithm, seed }) as Run

  it('has those with most runs first, by seed, and can be searched', () => {
    const all = [run('b', 2), run('c', 1, 'map_elites'), run('a', 1), run('d', 1)]
    expect(kinds(all).map((kind) => kind.runs.map((one) => one.name))).toEqual([['a', 'd', 'b'], ['c']])
    expect(kinds(all, ' Map ELITES').map((kind) => kind.runs.length)).toEqual([1])
    expect(kinds(all, 'nothing')).toEqual([])
  })
})
