// Data and styles of the fitness plot.
import type { Generation } from '../../lib/protocol'

type Key = 'best' | 'upper_quartile' | 'median' | 'lower_quartile' | 'diversity'

export interface Series {
  key: Key
  label: string
  /** CSS variable of its colour. */
  color: string
  scale: 'y' | 'diversity'
  width: number
  dash?: number[]
  faint?: boolean
}

/** Series in drawing order; the band lies between the quartiles. */
export const SERIES: Series[] = [
  { key: 'best', label: 'Best', color: '--coral', scale: 'y', width: 2.5 },
  { key: 'upper_quartile', label: 'Upper quartile', color: '--teal', scale: 'y', width: 1, faint: true },
  { key: 'median', label: 'Median', color: '--teal', scale: 'y', width: 2 },
  { key: 'lower_quartile', label: 'Lower quartile', color: '--teal', scale: 'y', width: 1, faint: true },
  { key: 'diversity', label: 'Diversity', color: '--violet', scale: 'diversity', width: 1.5, dash: [5, 4] },
]

/** Returns the generations, then the values of each series; null where no creature was scored. */
export function curveColumns(generations: Generation[]): [number[], ...(number | null)[][]] {
  return [
    generations.map((one) => one.generation),
    ...SERIES.map(({ key }) => generations.map((one) => one[key] ?? null)),
  ]
}

/** Returns the generation at an index, or the last one. */
export function nearestRow(generations: Generation[], index: number | null): Generation | null {
  return (index === null ? generations.at(-1) : generations[index]) ?? null
}
