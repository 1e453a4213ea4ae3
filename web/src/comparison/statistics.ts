// Median and quartiles over the runs of a group.
import type { RunHistory } from '../lib/protocol'
import type { Group } from './groups'

export type Measure = 'best' | 'median'

export interface Band {
  lower: number | null
  median: number | null
  upper: number | null
  /** Number of runs that have a value there. */
  runs: number
}

/** Returns a quantile of sorted numbers, interpolated linearly between neighbours; null if there are none. */
export function quantile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null
  const at = share * (sorted.length - 1)
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

/** Returns median and quartiles of numbers. */
export function bandOf(numbers: readonly number[]): Band {
  const sorted = [...numbers].sort((a, b) => a - b)
  const at = (share: number) => quantile(sorted, share)
  return { lower: at(0.25), median: at(0.5), upper: at(0.75), runs: sorted.length }
}

/** Returns the value of a run after a number of evaluations: that of its last point; null before the first and after the end. */
export function valueAt(run: RunHistory, measure: Measure, evaluations: number): number | null {
  if (evaluations > run.count) return null
  let [low, high] = [-1, run.evaluations.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (run.evaluations[middle]! <= evaluations) low = middle
    else high = middle - 1
  }
  return low < 0 ? null : (run[measure][low] ?? null)
}

/** Maximum number of points of a chart at equal distances. */
const MAX_POINTS = 200

/** Returns the numbers of evaluations at which curves are drawn: multiples of the largest distance of points of any run, and the ends. */
export function chartGrid(runs: readonly RunHistory[]): number[] {
  const longest = Math.max(0, ...runs.map((run) => run.count))
  const distance = Math.max(1, Math.ceil(longest / MAX_POINTS), ...runs.map((run) => run.evaluations[0] ?? 1))
  const grid = new Set(runs.map((run) => run.count).filter((count) => count > 0))
  for (let at = distance; at <= longest; at += distance) grid.add(at)
  return [...grid].sort((a, b) => a - b)
}

/** Returns median and quartiles over the runs of a group at each number of evaluations. */
export function groupBands(group: Group, measure: Measure, grid: readonly number[]): Band[] {
  return grid.map((at) => {
    const values = group.runs.map((run) => valueAt(run, measure, at))
    return bandOf(values.filter((value) => value !== null))
  })
}
