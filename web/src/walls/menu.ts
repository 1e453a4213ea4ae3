// The menu in the world: where a ray meets its panel, and what a pointer presses. `crates/walls/src/menu` has the same
// functions; both pass the same test vectors.
import type { Command, HandMode, MenuItem, MenuLayout, MenuView, Pointed, Scale } from '../lib/protocol'
import { turned, type Point } from './projection'

/** Gravity of the Earth, in m/s^2. */
export const EARTH_GRAVITY = 9.81
/** Distance of the panel from the head, in m. */
const DISTANCE = 1.2

/** A place on the panel, in units of the layout. */
export type Place = readonly [number, number]

/** What a pointer does: where it points on the panel, if it does, and whether its button is down. */
export interface Pointing {
  place: Place | null
  pressed: boolean
}

/** What an item of the menu does. */
export type MenuAction =
  | { type: 'command'; command: Command }
  | { type: 'hand'; hand: HandMode }
  | { type: 'body'; on: boolean }
  | { type: 'scene'; name: string }
  | { type: 'close' }

export const CLOSED: MenuView = {
  open: false,
  position: [0, 0, 0],
  orientation: [0, 0, 0, 1],
  scale: 1,
  hand: 'grab',
  playing: false,
  speed: 1,
  gravity: 1,
  body: false,
  scene: '',
  pointed: [],
}

/** Returns a menu that is open in front of the head, in a horizontal direction: a turn about the vertical, in rad. */
export function openTowards(view: MenuView, head: Point, heading: number): MenuView {
  const position: [number, number, number] = [
    head[0] - DISTANCE * Math.sin(heading),
    head[1] + DISTANCE * Math.cos(heading),
    head[2],
  ]
  // Upright, then turned: y of the panel is up, z comes to the user.
  const [half, root] = [heading / 2, Math.SQRT1_2]
  const orientation: MenuView['orientation'] = [
    root * Math.cos(half),
    root * Math.sin(half),
    root * Math.sin(half),
    root * Math.cos(half),
  ]
  return { ...view, open: true, position, orientation, scale: 1 }
}

/** Returns the place on the panel that a ray of the room meets, and its distance in m; null if it does not. */
export function meet(view: MenuView, from: Point, along: Point): { place: Place; distance: number } | null {
  const [x, y, z, w] = view.orientation
  const inverse = [-x, -y, -z, w] as const
  const length = Math.hypot(...along)
  if (!view.open || length === 0 || view.scale <= 0) return null
  const offset: Point = [from[0] - view.position[0], from[1] - view.position[1], from[2] - view.position[2]]
  const start = turned(inverse, offset)
  const direction = turned(inverse, [along[0] / length, along[1] / length, along[2] / length])
  const distance = -start[2] / direction[2]
  if (!(direction[2] < -1e-9) || !Number.isFinite(distance) || distance < 0) return null
  const at = (axis: 0 | 1) => (start[axis] + distance * direction[axis]) / view.scale
  return { place: [at(0), at(1)], distance }
}

/** Returns whether a place is on the panel. */
export function covers(layout: MenuLayout, [x, y]: Place): boolean {
  return Math.abs(x) <= layout.size[0] / 2 && Math.abs(y) <= layout.size[1] / 2
}

/** Returns the item at a place of the panel; labels do not count. */
export function itemAt(layout: MenuLayout, [x, y]: Place): MenuItem | null {
  const contains = ({ place, size }: MenuItem) =>
    Math.abs(x - place[0]) <= size[0] / 2 && Math.abs(y - place[1]) <= size[1] / 2
  return layout.items.find((item) => item.kind !== 'label' && contains(item)) ?? null
}

const unit = (share: number) => Math.max(0, Math.min(1, share))

/** Returns the place along an item, from 0 at its left end to 1 at its right end. */
export function alongItem(item: MenuItem, [x]: Place): number {
  return unit((x - item.place[0]) / item.size[0] + 0.5)
}

/** Returns the value at a place of a slider. */
export function valueAt(scale: Scale, place: number): number {
  const share = unit(place)
  return scale.logarithmic
    ? scale.low * Math.pow(scale.high / scale.low, share)
    : scale.low + (scale.high - scale.low) * share
}

/** Returns the place of a value on a slider. */
export function placeOf(scale: Scale, value: number): number {
  const share = scale.logarithmic
    ? Math.log(value / scale.low) / Math.log(scale.high / scale.low)
    : (value - scale.low) / (scale.high - scale.low)
  return Number.isFinite(share) ? unit(share) : 0
}

/** Returns whether a button or switch is on. */
export function isOn(view: MenuView, id: string): boolean {
  if (id === 'play') return view.playing
  if (id === 'body') return view.body
  return id === `hand-${view.hand}` || id === `scene-${view.scene}`
}

/** Returns the value of a slider: the one that is set, or the one at which somebody holds it. */
export function sliderValue(view: MenuView, id: string): number {
  const held = view.pointed.find(({ item, value }) => item === id && typeof value === 'number')
  return held?.value ?? (id === 'speed' ? view.speed : view.gravity)
}

/** Returns what an item does when it is pressed, or set to a value. */
export function actionOf(view: MenuView, id: string, value: number): MenuAction | null {
  const command = (command: Command): MenuAction => ({ type: 'command', command })
  switch (id) {
    case 'play':
      return command({ do: view.playing ? 'pause' : 'play' })
    case 'restart':
      return command({ do: 'restart' })
    case 'speed':
      return command({ do: 'speed', speed: value })
    case 'gravity':
      return command({ do: 'change', gravity: [0, 0, -EARTH_GRAVITY * value] })
    case 'body':
      return { type: 'body', on: !view.body }
    case 'close':
      return { type: 'close' }
  }
  if (id.startsWith('hand-')) return { type: 'hand', hand: id.slice(5) as HandMode }
  return id.startsWith('scene-') ? { type: 'scene', name: id.slice(6) } : null
}

/** A pointer. A button acts when it is pressed. A slider follows the pointer until the button is up, also beside it. */
export class MenuPointer {
  private item: string | null = null
  private pressed = false
  private held: number | null = null
  private took = false

  constructor(private readonly layout: MenuLayout) {}

  /** Takes what the pointer does now, and returns what that does. */
  update(view: MenuView, now: Pointing): MenuAction | null {
    const place = view.open ? now.place : null
    const wasPressed = this.pressed
    this.pressed = now.pressed
    this.took &&= now.pressed
    const slider = this.held === null ? undefined : this.layout.items.find(({ id }) => id === this.item)
    if (slider?.scale && this.held !== null) {
      const value = place ? valueAt(slider.scale, alongItem(slider, place)) : this.held
      const isNew = value !== this.held
      this.held = now.pressed ? value : null
      const acts = now.pressed ? slider.scale.live && isNew : !slider.scale.live
      return acts ? actionOf(view, slider.id, value) : null
    }
    const item = place && itemAt(this.layout, place)
    this.item = item?.id ?? null
    if (!now.pressed || wasPressed) return null
    this.took = place !== null && covers(this.layout, place)
    if (!item || !place) return null
    if (!item.scale) return actionOf(view, item.id, 0)
    this.held = valueAt(item.scale, alongItem(item, place))
    return item.scale.live ? actionOf(view, item.id, this.held) : null
  }

  /** Whether the button went down on the panel and is still down. */
  get holds(): boolean {
    return this.took
  }

  /** What the pointer points at, for drawing. */
  get pointed(): Pointed | null {
    if (this.item === null) return null
    const pointed: Pointed = { item: this.item, pressed: this.pressed && this.took }
    return this.held === null ? pointed : { ...pointed, value: this.held }
  }
}
