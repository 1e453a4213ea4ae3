// Geometry of a scatter plot: extents, ticks, and the region that the user draws.
import type { IndividualQuery, Scatter } from '../../lib/protocol'

export type Extent = [low: number, high: number]

export interface Region {
  x: Extent
  y: Extent
}

/** Returns the ends of an axis for some numbers, with a margin, so that no point lies on the border. */
export function extentOf(numbers: readonly number[]): Extent {
  let [low, high] = [Infinity, -Infinity]
  for (const value of numbers) {
    if (!Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return [0, 1]
  const margin = high > low ? 0.04 * (high - low) : Math.max(0.5 * Math.abs(low), 0.5)
  return [low - margin, high + margin]
}

/** Returns round numbers within an extent, at most `most`. */
export function ticksOf([low, high]: Extent, most: number): number[] {
  const least = (high - low) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((each) => each >= least * (1 - 1e-9)) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  if (!Number.isFinite(first) || last - first > 100) return []
  // Removes rounding errors such as 0.1 + 0.2.
  return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)))
}

/** Maps between values and pixels. The vertical axis points up. */
export class Scale {
  constructor(
    readonly x: Extent,
    readonly y: Extent,
    readonly left: number,
    readonly top: number,
    readonly width: number,
    readonly height: number,
  ) {}

  toPixel(x: number, y: number): [number, number] {
    const share = ([low, high]: Extent, value: number) => (value - low) / (high - low)
    return [this.left + this.width * share(this.x, x), this.top + this.height * (1 - share(this.y, y))]
  }

  /** Returns the values at a pixel, limited to the plot. */
  toValue(left: number, top: number): [number, number] {
    const at = ([low, high]: Extent, share: number) => low + (high - low) * Math.min(1, Math.max(0, share))
    return [at(this.x, (left - this.left) / this.width), at(this.y, 1 - (top - this.top) / this.height)]
  }

  /** Returns the region between two pixels. */
  region(from: [number, number], to: [number, number]): Region {
    const [a, b] = [this.toValue(...from), this.toValue(...to)]
    const sorted = (k: 0 | 1): Extent => [Math.min(a[k], b[k]), Math.max(a[k], b[k])]
    return { x: sorted(0), y: sorted(1) }
  }
}

export function isInside(region: Region, x: number, y: number): boolean {
  return x >= region.x[0] && x <= region.x[1] && y >= region.y[0] && y <= region.y[1]
}

/** Returns the number of points in a region. */
export function countInside(region: Region, points: Scatter): number {
  return points.x.reduce((count, x, k) => count + Number(isInside(region, x, points.y[k]!)), 0)
}

/** Returns the region of a query; null if it has none for these axes. */
export function regionOf(query: IndividualQuery, x: string, y: string): Region | null {
  if (query.x !== x || query.y !== y) return null
  return {
    x: [query.x_low ?? -Infinity, query.x_high ?? Infinity],
    y: [query.y_low ?? -Infinity, query.y_high ?? Infinity],
  }
}

/** Returns the fields of a query for a region; without one, they are removed. */
export function queryOf(region: Region | null, x: string, y: string): IndividualQuery {
  const end = (value: number) => (Number.isFinite(value) ? value : undefined)
  return {
    x: region ? x : undefined,
    x_low: region ? end(region.x[0]) : undefined,
    x_high: region ? end(region.x[1]) : undefined,
    y: region ? y : undefined,
    y_low: region ? end(region.y[0]) : undefined,
    y_high: region ? end(region.y[1]) : undefined,
  }
}
