// Data and styles of the fitness plot.
import type { Generation } from '../../lib/protocol'

/** A generation, and the highest fitness at its task until its end. */
export interface Row extends Generation {
  best_so_far: number | null
}

type Key = 'best_so_far' | 'best' | 'upper_quartile' | 'median' | 'lower_quartile' | 'diversity'

export interface Series {
  key: Key
  label: string
  /** CSS variable of its colour. */
  color: string
  scale: 'y' | 'diversity'
  width: number
  dash?: number[]
  faint?: boolean
  /** Whether a value holds until the next one, instead of changing linearly. */
  stepped?: boolean
}

/** Series in drawing order; the band lies between the quartiles. */
export const SERIES: Series[] = [
  { key: 'best_so_far', label: 'Best so far', color: '--coral', scale: 'y', width: 2.5, stepped: true },
  { key: 'best', label: 'Best of the generation', color: '--amber', scale: 'y', width: 1.5 },
  { key: 'upper_quartile', label: 'Upper quartile', color: '--teal', scale: 'y', width: 1, faint: true },
  { key: 'median', label: 'Median', color: '--teal', scale: 'y', width: 2 },
  { key: 'lower_quartile', label: 'Lower quartile', color: '--teal', scale: 'y', width: 1, faint: true },
  { key: 'diversity', label: 'Diversity', color: '--violet', scale: 'diversity', width: 1.5, dash: [5, 4] },
]

/** Indices of the upper and lower quartile among the columns of a plot, whose first column has the generations. */
export const BAND: [number, number] = [columnOf('upper_quartile'), columnOf('lower_quartile')]

function columnOf(key: Key): number {
  return 1 + SERIES.findIndex((series) => series.key === key)
}

/** Adds to each generation the highest fitness until its end, since the task changed. */
export function rowsOf(generations: readonly Generation[]): Row[] {
  let highest: number | null = null
  return generations.map((one) => {
    if (one.new_task) highest = null
    if (one.best !== null && (highest === null || one.best > highest)) highest = one.best
    return { ...one, best_so_far: highest }
  })
}

/** Returns the highest fitness since the task changed; null if no creature was scored. */
export function bestSoFar(generations: readonly Generation[]): number | null {
  return rowsOf(generations).at(-1)?.best_so_far ?? null
}

/** Returns the generations, then the values of each series; null where no creature was scored. */
export function curveColumns(rows: readonly Row[]): [number[], ...(number | null)[][]] {
  return [rows.map((one) => one.generation), ...SERIES.map(({ key }) => rows.map((one) => one[key] ?? null))]
}

/** Returns the row at an index, or the last one. */
export function nearestRow(rows: readonly Row[], index: number | null): Row | null {
  return (index === null ? rows.at(-1) : rows[index]) ?? null
}

/** Distances between ticks of an axis of integers. */
export const INTEGER_STEPS = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5, 6].map((power) => digit * 10 ** power))
INTEGER_STEPS.sort((a, b) => a - b)

/** Returns the ends of the axis of generations, which are in order. A single generation gets an axis of length 1. */
export function generationRange(generations: readonly number[]): [number, number] {
  const [low, high] = [generations[0] ?? 0, generations.at(-1) ?? 0]
  return high > low ? [low, high] : [low, low + 1]
}

/** Returns the curve as a table for other programs. */
export function curveTable(generations: readonly Generation[]): { columns: string[]; rows: (number | null)[][] } {
  const columns = ['generation', 'born', 'scored', ...SERIES.map((series) => series.key)] as const
  return { columns: [...columns], rows: rowsOf(generations).map((row) => columns.map((name) => row[name] ?? null)) }
}
