// The curves of a run as columns of numbers, and what each line looks like.
import type { Generation } from '../../lib/protocol'

type Key = 'best' | 'upper_quartile' | 'median' | 'lower_quartile' | 'diversity'

export interface Series {
  key: Key
  label: string
  /** Name of the CSS variable of its colour. */
  color: string
  scale: 'y' | 'diversity'
  width: number
  dash?: number[]
  faint?: boolean
}

/** In the order of the drawing; the band lies between the quartiles. */
export const SERIES: Series[] = [
  { key: 'best', label: 'Best', color: '--coral', scale: 'y', width: 2.5 },
  { key: 'upper_quartile', label: 'Upper quartile', color: '--teal', scale: 'y', width: 1, faint: true },
  { key: 'median', label: 'Median', color: '--teal', scale: 'y', width: 2 },
  { key: 'lower_quartile', label: 'Lower quartile', color: '--teal', scale: 'y', width: 1, faint: true },
  { key: 'diversity', label: 'Diversity', color: '--violet', scale: 'diversity', width: 1.5, dash: [5, 4] },
]

/** Generations, then each series; null where nothing was scored. */
export function curveColumns(generations: Generation[]): [number[], ...(number | null)[][]] {
  return [
    generations.map((one) => one.generation),
    ...SERIES.map(({ key }) => generations.map((one) => one[key] ?? null)),
  ]
}

/** The generation that is pointed at, else the last. */
export function nearestRow(generations: Generation[], index: number | null): Generation | null {
  return (index === null ? generations.at(-1) : generations[index]) ?? null
}
