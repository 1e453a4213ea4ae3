// The state of the page of a space: what is shown, how one moves, and what the server is asked for.
import * as api from '../lib/api'
import { errorMessage } from '../lib/errors'
import type { SpaceDetail } from '../lib/protocol'
import type { Vector } from '../space3d/isometry'
import { loadCreature } from './loadCreature'
import { type Options, type SpaceStats, SpaceView } from '../space3d/spaceView'

/** How the pointer moves the observer: turn in place, drift without turning, or steer a steady flight. */
export type Mode = 'rotating' | 'drifting' | 'mixed'

/** Speed of the keyboard and of flight, in radii of the domain per second. */
const SPEED = 0.9
/** Speed of turning by keys, in rad per second. */
const TURN_SPEED = 1.1
/** Built-in creature that can be put into the domain. */
const CREATURE = 'walker'
/** Copies that the server is asked for. */
const COPIES = 4000

/** Keys that move: drift (x, y, z) and turn (about x, y, z) in the observer's axes. */
const KEYS: Record<string, [Vector, Vector]> = {
  KeyW: [
    [0, 0, -1],
    [0, 0, 0],
  ],
  KeyS: [
    [0, 0, 1],
    [0, 0, 0],
  ],
  KeyA: [
    [-1, 0, 0],
    [0, 0, 0],
  ],
  KeyD: [
    [1, 0, 0],
    [0, 0, 0],
  ],
  KeyR: [
    [0, 1, 0],
    [0, 0, 0],
  ],
  KeyF: [
    [0, -1, 0],
    [0, 0, 0],
  ],
  ArrowLeft: [
    [0, 0, 0],
    [0, 1, 0],
  ],
  ArrowRight: [
    [0, 0, 0],
    [0, -1, 0],
  ],
  ArrowUp: [
    [0, 0, 0],
    [1, 0, 0],
  ],
  ArrowDown: [
    [0, 0, 0],
    [-1, 0, 0],
  ],
  KeyQ: [
    [0, 0, 0],
    [0, 0, 1],
  ],
  KeyE: [
    [0, 0, 0],
    [0, 0, -1],
  ],
}

export class SpaceState {
  space = $state.raw<SpaceDetail | null>(null)
  failure = $state<string | null>(null)
  notice = $state<string | null>(null)
  mode = $state<Mode>('rotating')
  stats = $state.raw<SpaceStats>({ drawCalls: 0, triangles: 0, copies: 0, script: 0, frames: 0 })
  crossings = $state(0)
  options = $state<Options>({
    earth: true,
    creature: false,
    figure: true,
    panes: true,
    beams: true,
    stereo: false,
    fog: 1,
    sheets: false,
  })
  parameters = $state<Record<string, number>>({})
  base = $state<[number, number, number]>([0, 0, 0])
  layers = $state(100)
  sheets = $state(1)
  cover = $state(0)
  /** Steering of the mixed mode: from -1 to 1 to the right and upwards, while the pointer is down. */
  steer: [number, number] | null = null
  private view: SpaceView | null = null
  private readonly pressed = new Set<string>()
  private last = 0
  private requests = 0
  private hasCreature = false
  private frame = 0

  constructor(readonly name: string) {}

  /** Loads the space and starts to draw it. */
  async open(canvas: HTMLCanvasElement): Promise<SpaceView | null> {
    await this.load()
    if (!this.space) return null
    try {
      this.view = new SpaceView(canvas, this.space)
    } catch {
      this.failure = 'This browser has no WebGL 2, which the view needs.'
      return null
    }
    this.schedule()
    return this.view
  }

  /** Asks the server for the space with the chosen parameters. A failure leaves the space as it is. */
  async load(): Promise<void> {
    const request = ++this.requests
    const query = new URLSearchParams({ copies: String(COPIES), layers: String(this.layers) })
    if (this.base.some((x) => x !== 0)) query.set('base', this.base.join(','))
    if (this.sheets > 1) query.set('sheets', String(this.sheets))
    if (this.sheets > 1) query.set('cover', String(this.cover))
    for (const [name, value] of Object.entries(this.parameters)) query.set(name, String(value))
    try {
      const space = await api.space(this.name, query)
      if (request !== this.requests) return
      this.space = space
      this.notice = null
      this.view?.show(space)
      this.schedule()
    } catch (error) {
      if (this.space) this.notice = (error as Error).message
      else this.failure = (error as Error).message
    }
  }

  setOption<Key extends keyof Options>(key: Key, value: Options[Key]): void {
    this.options[key] = value
    if (key === 'creature' && value) void this.bringCreature()
    this.schedule()
  }

  /** Fetches the creature when it is first shown. */
  private async bringCreature(): Promise<void> {
    if (this.hasCreature) return
    this.hasCreature = true
    try {
      const { appearance, poses } = await loadCreature(CREATURE)
      this.view?.setCreature(appearance, poses)
      this.schedule()
    } catch (error) {
      this.hasCreature = false
      this.options.creature = false
      this.notice = errorMessage(error)
    }
  }

  /** Handles a key; returns whether it moves the observer. */
  key(code: string, down: boolean): boolean {
    if (!(code in KEYS)) return false
    if (down) this.pressed.add(code)
    else this.pressed.delete(code)
    this.schedule()
    return true
  }

  /** Forgets the keys, for example when the window loses the focus. */
  releaseKeys(): void {
    this.pressed.clear()
  }

  /** Moves by a drag, in parts of the height of the picture. */
  drag(x: number, y: number): void {
    const radius = this.radius
    if (this.mode === 'rotating') this.move([0, 0, 0], [2 * y, 2 * x, 0])
    else if (this.mode === 'drifting') this.move([-2 * radius * x, 2 * radius * y, 0], [0, 0, 0])
  }

  /** Moves the observer. */
  move(drift: Vector, axis: Vector): void {
    this.view?.observer.step(drift, axis)
    this.schedule()
  }

  resize(width: number, height: number, ratio: number): void {
    this.view?.resize(width, height, ratio)
    this.schedule()
  }

  setTheme(dark: boolean): void {
    this.view?.setTheme(dark)
    this.schedule()
  }

  close(): void {
    cancelAnimationFrame(this.frame)
    this.view?.dispose()
    this.view = null
  }

  private get radius(): number {
    return Math.min(this.space?.in_radius ?? 1, 1)
  }

  /** Draws at the next frame, and again while something moves. */
  private schedule(): void {
    if (!this.view || this.frame !== 0) return
    this.frame = requestAnimationFrame((time) => {
      this.frame = 0
      this.tick(time)
    })
  }

  private tick(time: number): void {
    const { view } = this
    if (!view) return
    const moving = this.pressed.size > 0 || (this.mode === 'mixed' && this.steer !== null)
    // A pause in drawing must not become a jump.
    const seconds = Math.min((time - this.last) / 1000, 0.05)
    this.last = time
    if (moving) this.advance(seconds)
    view.options = { ...this.options }
    view.draw()
    this.stats = { ...view.stats }
    this.crossings = view.observer.crossings
    if (moving) this.schedule()
  }

  private advance(seconds: number): void {
    const drift: [number, number, number] = [0, 0, 0]
    const axis: [number, number, number] = [0, 0, 0]
    for (const code of this.pressed) {
      const [along, about] = KEYS[code]!
      for (let i = 0; i < 3; i++) {
        drift[i]! += along[i]! * SPEED * this.radius * seconds
        axis[i]! += about[i]! * TURN_SPEED * seconds
      }
    }
    if (this.mode === 'mixed' && this.steer) {
      drift[2] -= SPEED * this.radius * seconds
      axis[0] += this.steer[1] * TURN_SPEED * seconds
      axis[1] -= this.steer[0] * TURN_SPEED * seconds
    }
    this.view?.observer.step(drift, axis)
  }
}
