// The plots under the stage: which signals are plotted, their values, and the part of time that is shown.
import type { PlotData, Signal } from '../../lib/protocol'
import type { Viewer } from '../viewer.svelte'
import { PlotSamples } from './plotData'
import { describe, keyOf, type Names } from './signals'

/** Maximum number of signals that the server sends to a viewer. */
const MAX_SIGNALS = 16

/** Length of the recent time that a button shows, in s. */
export const RECENT_TIME = 10

/** Colours of the curves of a chart, as variables of the theme. */
export const CURVE_COLOURS = ['--teal', '--coral', '--violet', '--amber', '--kelp', '--ink']

export interface Curve {
  key: string
  signal: Signal
  label: string
  unit: string
  /** Index in the samples. */
  index: number
  /** Variable of the theme. */
  colour: string
}

/** Signals with the same unit share a chart. */
export interface Chart {
  unit: string
  curves: Curve[]
}

export class Plots {
  open = $state(false)
  signals = $state.raw<Signal[]>([])
  /** Changes when the samples change. */
  version = $state(0)
  /** Part of time that is shown, in s; null shows all. */
  range = $state.raw<[number, number] | null>(null)
  /** Whether the last moments are shown, up to the current time. */
  recent = $state(false)
  readonly samples = new PlotSamples()
  private restored = false

  constructor(private readonly viewer: Viewer) {}

  get charts(): Chart[] {
    const { names } = this
    const charts: Chart[] = []
    this.signals.forEach((signal, index) => {
      const { label, unit } = describe(signal, names)
      let chart = charts.find((each) => each.unit === unit)
      if (!chart) charts.push((chart = { unit, curves: [] }))
      const colour = CURVE_COLOURS[chart.curves.length % CURVE_COLOURS.length]!
      chart.curves.push({ key: keyOf(signal), signal, label, unit, index, colour })
    })
    return charts
  }

  private get names(): Names {
    const { contents, brain } = this.viewer
    return { bodies: this.viewer.bodies, contents, brain }
  }

  has(signal: Signal): boolean {
    const key = keyOf(signal)
    return this.signals.some((other) => keyOf(other) === key)
  }

  toggle(signal: Signal): void {
    const key = keyOf(signal)
    if (this.has(signal)) this.set(this.signals.filter((other) => keyOf(other) !== key))
    else this.add([signal])
  }

  add(signals: Signal[]): void {
    const wanted = [...this.signals, ...signals.filter((signal) => !this.has(signal))]
    if (wanted.length > MAX_SIGNALS) {
      this.viewer.notify(`There are ${MAX_SIGNALS} curves, the maximum. Remove one first.`)
      return
    }
    this.open = true
    this.set(wanted)
  }

  clear(): void {
    this.set([])
  }

  close(): void {
    this.open = false
    this.clear()
  }

  /** Opens the plots, or closes them. */
  switch(): void {
    if (this.open) this.close()
    else this.open = true
  }

  /** Shows a part of time, in s. */
  show(from: number, to: number): void {
    ;[this.range, this.recent] = [[from, to], false]
  }

  showAll(): void {
    ;[this.range, this.recent] = [null, false]
  }

  showRecent(): void {
    ;[this.range, this.recent] = [null, true]
  }

  /** Plots again what was plotted when the page of this world was left, once. */
  restore(): void {
    if (this.restored) return
    this.restored = true
    const signals = stored(this.key)
    if (signals.length && this.signals.length === 0) this.add(signals)
  }

  private get key(): string {
    return `burgess-plots-${this.viewer.start}-${this.viewer.id}`
  }

  private set(signals: Signal[]): void {
    this.signals = signals
    store(this.key, signals)
    if (signals.length === 0) this.showAll()
    this.request()
  }

  private request(): void {
    this.viewer.send({ do: 'plot', signals: this.signals })
  }

  receive(data: PlotData): void {
    // Values of signals that were chosen before do not count.
    const same =
      data.signals.length === this.signals.length &&
      data.signals.every((signal, index) => keyOf(signal) === keyOf(this.signals[index]!))
    if (!same) return
    if (this.samples.add(data)) this.version++
    else this.request()
  }

  /** Values of a curve so far; empty until they arrive. */
  valuesOf(curve: Curve): (number | null)[] {
    return this.samples.values.length === this.signals.length ? (this.samples.values[curve.index] ?? []) : []
  }

  /** Goes to the sample nearest to a time, in s. */
  seek(time: number): void {
    const index = this.samples.nearest(time)
    if (index >= 0) this.viewer.seek(this.samples.steps[index]!)
  }
}

function store(key: string, signals: Signal[]): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(signals))
  } catch {
    // Without storage the plots are gone when the page is left.
  }
}

function stored(key: string): Signal[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as Signal[]
  } catch {
    return []
  }
}
