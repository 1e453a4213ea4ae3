// The curves of groups as a table for other programs.
import type { Cell } from '../lib/tables'
import type { Group } from './groups'
import { groupBands, type Measure } from './statistics'

const COLUMNS = [
  'task',
  'algorithm',
  'family',
  'settings',
  'evaluations',
  'runs',
  'lower_quartile',
  'median',
  'upper_quartile',
]

/** Returns one row for each group and number of evaluations that some run of it has reached. */
export function bandTable(groups: readonly Group[], measure: Measure, grid: readonly number[]) {
  const rows = groups.flatMap((group): Cell[][] => {
    const facts = [group.task, group.algorithm, group.family, group.settings.join('; ')]
    const bands = groupBands(group, measure, grid)
    return bands.flatMap(({ runs, lower, median, upper }, at) =>
      runs > 0 ? [[...facts, grid[at]!, runs, lower, median, upper]] : [],
    )
  })
  return { columns: COLUMNS, rows }
}
