import { describe, expect, it } from 'vitest'
import { groupName, groupRuns, seedsText, settingsOf } from './groups'
import { testRun } from './testRun'

const config = `
seed = 3
evaluations = 100
family = "legged"

[task]
name = "walk"
formula = "a = [b"
start = [
    1.0,
    2.0,
]

[[stages]]
evaluations = 10

[[stages]]
evaluations = 20
[stages.algorithm]
type = "genetic"
`

describe('settings', () => {
  it('have the paths of their sections', () => {
    expect([...settingsOf(config)]).toEqual([
      ['seed', '3'],
      ['evaluations', '100'],
      ['family', '"legged"'],
      ['task.name', '"walk"'],
      ['task.formula', '"a = [b"'],
      ['task.start', '[ 1.0, 2.0, ]'],
      ['stages[0].evaluations', '10'],
      ['stages[1].evaluations', '20'],
      ['stages[1].algorithm.type', '"genetic"'],
    ])
  })

  it('of an empty or odd text are none', () => {
    expect(settingsOf('').size).toBe(0)
    expect(settingsOf('no table\n= 3\n[').size).toBe(0)
  })
})

describe('groups', () => {
  it('unite runs that differ only in seed and length', () => {
    const [group, ...others] = groupRuns([testRun(1, [1]), testRun(2, [1, 2]), testRun(2, [3])])
    expect(others).toEqual([])
    expect(group!.runs).toHaveLength(3)
    expect(group!.settings).toEqual([])
    expect(groupName(group!)).toBe('walk · Genetic algorithm · legged bodies')
    expect(seedsText(group!)).toBe('seeds 1, 2, 2 (1 repeated)')
  })

  it('separate tasks, algorithms and settings, and say which settings differ', () => {
    const other = (population: number, seed: number) =>
      testRun(seed, [1], { config: `seed = ${seed}\n[algorithm]\npopulation = ${population}\n` })
    const groups = groupRuns([
      other(40, 1),
      other(80, 1),
      other(40, 2),
      testRun(1, [1], { task: 'swim' }),
      testRun(1, [1], { algorithm: 'map_elites' }),
    ])
    expect(groups.map((group) => [group.task, group.algorithm, group.runs.length, group.settings])).toEqual([
      ['walk', 'genetic', 2, ['algorithm.population = 40']],
      ['walk', 'genetic', 1, ['algorithm.population = 80']],
      ['swim', 'genetic', 1, []],
      ['walk', 'map_elites', 1, []],
    ])
  })
})
