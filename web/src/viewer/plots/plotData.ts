// Values of signals over time, as the server sends them: all values so far, then the new ones.
import type { PlotData } from '../../lib/protocol'

/** Maximum number of samples; above it every second one is dropped. */
export const MAX_SAMPLES = 20_000

export class PlotSamples {
  steps: number[] = []
  times: number[] = []
  /** Values of each signal; null where it did not exist. */
  values: (number | null)[][] = []

  /** Adds a message. Returns false if messages before it were lost, so that all values must be requested again. */
  add(data: PlotData): boolean {
    if (data.after === null) {
      this.steps = data.steps.slice()
      this.times = data.times.slice()
      this.values = data.values.map((list) => list.slice())
      return true
    }
    if (data.values.length !== this.values.length) return false
    // An edit discards what came after it.
    let keep = this.steps.length
    while (keep > 0 && this.steps[keep - 1]! > data.after) keep--
    if (keep === 0 || this.steps[keep - 1]! < data.after - this.gap()) return false
    for (const list of [this.steps, this.times, ...this.values]) list.length = keep
    for (const step of data.steps) this.steps.push(step)
    for (const time of data.times) this.times.push(time)
    data.values.forEach((list, index) => {
      const own = this.values[index]!
      for (const value of list) own.push(value)
    })
    if (this.steps.length > MAX_SAMPLES) this.thin()
    return true
  }

  /** Largest difference between the last sample and an edit, in steps: samples are not at every step. */
  private gap(): number {
    const { steps } = this
    return steps.length > 1 ? steps[steps.length - 1]! - steps[steps.length - 2]! : 0
  }

  private thin(): void {
    const even = <T>(list: T[]) => list.filter((_, index) => index % 2 === 0)
    this.steps = even(this.steps)
    this.times = even(this.times)
    this.values = this.values.map(even)
  }

  /** Returns the index of the sample nearest to a time, in s; -1 without samples. */
  nearest(time: number): number {
    const { times } = this
    let low = 0
    let high = times.length - 1
    if (high < 0) return -1
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (times[middle]! <= time) low = middle
      else high = middle
    }
    return Math.abs(times[high]! - time) < Math.abs(times[low]! - time) ? high : low
  }
}

/** Formats samples as CSV, one column for each signal. */
export function csvOf(samples: PlotSamples, labels: readonly string[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = [['step', 'time (s)', ...labels.map(quoted)].join(',')]
  samples.steps.forEach((step, index) => {
    const values = samples.values.map((list) => list[index] ?? '')
    lines.push([step, samples.times[index], ...values].join(','))
  })
  return `${lines.join('\n')}\n`
}
