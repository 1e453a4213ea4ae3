// State of the page of a flow: its steps, the current time, what is selected, and how tubes are coloured.
import * as api from '../lib/api'
import type { FlowDetail, FlowEvent } from '../lib/protocol'
import { rgb } from '../lib/colourScales'
import type { FlowView, Style } from '../flow3d/flowView'
import { nearestToRay, probePoints, type ProbePoints } from '../flow3d/probe'
import {
  type CorePlace,
  centroid,
  decodeStep,
  emptyPlace,
  pieces,
  placeAt,
  type Tube,
  type TubeStep,
} from '../flow3d/tubes'
import { type Shifts, trackShifts, type Vector } from './tracks'

export const SPEEDS = [-4, -2, -1, 1, 2, 4] as const
/** Steps per second at speed 1. */
const RATE = 12
/** Number of colours between the least and the largest value. */
const COLOURS = 256
/** Brightness of tubes that are not the selected one. */
const PALE = 0.35

/** The probed place. */
export interface Probe {
  track: number
  /** Share of the length of the core, from 0 to 1. */
  share: number
  place: CorePlace
  length: number
  radius: number
  /** Values of the chosen quantity along the core: arc length and value. */
  plot: [number, number][]
}

export class Flow {
  detail = $state.raw<FlowDetail | null>(null)
  failure = $state<string | null>(null)
  /** Number of steps that are loaded. */
  loaded = $state(0)
  step = $state(0)
  playing = $state(false)
  speed = $state<(typeof SPEEDS)[number]>(1)
  quantity = $state(0)
  style = $state<Style>('surface')
  /** Whether the camera moves with the tubes. */
  carried = $state(false)
  /** Track that is followed; null follows none. */
  followed = $state<number | null>(null)
  probe = $state.raw<Probe | null>(null)
  view: FlowView | null = null
  private readonly steps: (TubeStep | undefined)[] = []
  private shifts: Shifts | null = null
  private points: { step: number; carried: boolean; points: ProbePoints } | null = null
  private readonly colours = new Float32Array(3 * COLOURS)
  private closed = false
  private animationFrame = 0
  private played = 0

  constructor(readonly id: string) {}

  /** Loads the description, then all steps from the first to the last. */
  async open(): Promise<FlowDetail | null> {
    try {
      this.detail = await api.flow(this.id)
      this.carried = this.detail.wind.some((speed) => speed !== 0)
    } catch (error) {
      this.failure = (error as Error).message
    }
    return this.detail
  }

  async loadAll(): Promise<void> {
    const count = this.detail?.steps.length ?? 0
    try {
      for (let step = 0; step < count && !this.closed; step++) {
        await this.load(step)
        if (step === this.step) this.refresh()
      }
    } catch (error) {
      this.failure = (error as Error).message
      return
    }
    if (this.closed || !this.detail) return
    this.shifts = trackShifts(this.steps as TubeStep[], this.detail)
    this.points = null
    this.refresh()
  }

  private async load(step: number): Promise<TubeStep> {
    const known = this.steps[step]
    if (known) return known
    const found = decodeStep(await api.flowStep(this.id, step))
    this.steps[step] = found
    this.loaded = this.steps.filter(Boolean).length
    return found
  }

  /** Goes to a step. A step that is not loaded yet is loaded first. */
  async seek(step: number): Promise<void> {
    const count = this.detail?.steps.length ?? 1
    this.step = Math.min(Math.max(Math.round(step), 0), count - 1)
    const wanted = this.step
    if (!this.steps[wanted]) {
      try {
        await this.load(wanted)
      } catch (error) {
        this.failure = (error as Error).message
        return
      }
    }
    if (wanted === this.step) this.refresh()
  }

  play(on: boolean): void {
    this.playing = on
    cancelAnimationFrame(this.animationFrame)
    if (!on) return
    let last: number | null = null
    const count = this.detail?.steps.length ?? 1
    if (this.step === (this.speed > 0 ? count - 1 : 0)) void this.seek(this.speed > 0 ? 0 : count - 1)
    this.played = this.step
    const tick = (now: number) => {
      if (!this.playing) return
      const before = this.step
      this.played += last === null ? 0 : ((now - last) / 1000) * RATE * this.speed
      last = now
      const next = Math.min(Math.max(this.played, 0), count - 1)
      if (Math.floor(next) !== before) void this.seek(Math.floor(next))
      if (next !== this.played) this.playing = false
      else this.animationFrame = requestAnimationFrame(tick)
    }
    this.animationFrame = requestAnimationFrame(tick)
  }

  setSpeed(speed: (typeof SPEEDS)[number]): void {
    this.speed = speed
    if (this.playing) this.play(true)
  }

  setQuantity(quantity: number): void {
    this.quantity = quantity
    this.refresh()
  }

  setCarried(on: boolean): void {
    this.carried = on
    this.refresh()
  }

  /** Follows the probed tube through its life, or stops. */
  follow(track: number | null): void {
    this.followed = track
    this.refresh()
  }

  /** Tubes and time of the current step, if it is loaded. */
  get current(): TubeStep | null {
    return this.steps[this.step] ?? null
  }

  get time(): number {
    return this.detail?.steps[this.step]?.time ?? 0
  }

  /** Events at a step. */
  eventsAt(step: number): FlowEvent[] {
    return this.detail?.events.filter((event) => event.step === step) ?? []
  }

  /** Draws the current step. */
  refresh(): void {
    const { view, detail } = this
    const step = this.current
    if (!view || !detail || !step) return
    this.fillColours()
    const { least, most } = detail.quantities[this.quantity]!
    const { followed, quantity, colours } = this
    const colour: [number, number, number] = [0, 0, 0]
    const colouring = (place: CorePlace, track: number) => {
      const share = most > least ? (place.quantities[quantity]! - least) / (most - least) : 0.5
      const at = 3 * Math.min(Math.max(Math.round(share * (COLOURS - 1)), 0), COLOURS - 1)
      const factor = followed === null || followed === track ? 1 : PALE
      for (let k = 0; k < 3; k++) colour[k] = factor * colours[at + k]!
      return colour
    }
    this.aim(step)
    view.show(step, this.time, colouring, (track) => this.shift(track))
    this.updateProbe(step)
  }

  private shift(track: number): Vector {
    const moves = this.carried || this.followed !== null
    return (moves ? this.shifts?.[this.step]?.get(track) : undefined) ?? [0, 0, 0]
  }

  /** Moves the camera's target with the followed tube, or with all. */
  private aim(step: TubeStep): void {
    const { view, detail } = this
    if (!view || !detail) return
    const tubes = step.tubes.filter((tube) => this.followed === null || tube.track === this.followed)
    const target = detail.origin.map((low, axis) => low + 0.5 * detail.extent[axis]!) as Vector
    if ((this.carried || this.followed !== null) && tubes.length > 0) {
      const mean: Vector = [0, 0, 0]
      for (const tube of tubes) {
        const [here, shift] = [centroid(step, tube), this.shift(tube.track)]
        for (let axis = 0; axis < 3; axis++) mean[axis]! += (here[axis]! + shift[axis]!) / tubes.length
      }
      // The height stays, so that the horizon does, unless one tube is followed.
      const axes = this.followed === null && detail.wind.some((speed) => speed !== 0) ? 2 : 3
      for (let axis = 0; axis < axes; axis++) target[axis] = mean[axis]!
    }
    view.target.set(...target)
  }

  private fillColours(): void {
    for (let k = 0; k < COLOURS; k++) {
      // From sRGB to the linear values that the renderer expects.
      rgb(k / (COLOURS - 1)).forEach((value, channel) => {
        const share = value / 255
        this.colours[3 * k + channel] = share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
    }
  }

  /** Probes the core nearest to the ray under a point of the canvas. */
  probeAt(x: number, y: number): void {
    const { view } = this
    const step = this.current
    if (!view || !step) return
    const carried = this.carried || this.followed !== null
    if (this.points?.step !== this.step || this.points.carried !== carried)
      this.points = { step: this.step, carried, points: probePoints(step, (track) => this.shift(track)) }
    const { origin, direction } = view.ray(x, y)
    const hit = nearestToRay(this.points.points, origin, direction)
    if (!hit) return this.clearProbe()
    const tube = step.tubes[hit.tube]!
    this.setProbe(step, tube, (hit.piece + hit.share) / Math.max(pieces(tube), 1))
  }

  clearProbe(): void {
    this.probe = null
    this.followed = null
    this.view?.mark(null)
    this.refresh()
  }

  /** The probe stays on its track at the same share of the core. */
  private updateProbe(step: TubeStep): void {
    if (!this.probe) return
    const { track, share } = this.probe
    const tube = step.tubes.find((tube) => tube.track === track)
    if (tube) this.setProbe(step, tube, share)
    else {
      this.probe = null
      this.view?.mark(null)
    }
  }

  private setProbe(step: TubeStep, tube: Tube, share: number): void {
    const count = pieces(tube)
    const at = Math.min(share * count, count - 1e-6)
    const place = emptyPlace()
    const plot: [number, number][] = []
    let length = 0
    let last: Vector | null = null
    const samples = Math.min(4 * count, 400)
    for (let k = 0; k <= samples; k++) {
      const along = Math.min((k / samples) * count, count - 1e-9)
      placeAt(step, tube, Math.floor(along), along % 1, place)
      if (last) length += Math.hypot(...place.position.map((value, axis) => value - last![axis]!))
      last = [...place.position]
      plot.push([length, place.quantities[this.quantity]!])
    }
    placeAt(step, tube, Math.floor(at), at % 1, place)
    const radius = place.terms[0]!
    this.probe = { track: tube.track, share, place, length, radius, plot }
    const shift = this.shift(tube.track)
    this.view?.mark(place.position.map((value, axis) => value + shift[axis]!) as Vector, 0.35 * radius)
  }

  close(): void {
    this.closed = true
    this.playing = false
    cancelAnimationFrame(this.animationFrame)
  }
}
