// Keyboard, mouse and gamepad of a wall's window: walking, flying, the menu, and what the user's hand does.
import type { Ray } from 'three'
import type { Command, HandMode, WallCommand } from '../lib/protocol'
import { Grab } from '../scene3d/grab'
import { letGo, push, shoot } from './handActions'
import { covers, itemAt, type Place } from './menu'
import type { WallView } from './wallView'

/** Directions of keys: to the right, forward, up, and a turn to the left. */
const KEYS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  KeyW: [0, 1, 0, 0],
  ArrowUp: [0, 1, 0, 0],
  KeyS: [0, -1, 0, 0],
  ArrowDown: [0, -1, 0, 0],
  KeyA: [-1, 0, 0, 0],
  KeyD: [1, 0, 0, 0],
  KeyE: [0, 0, 1, 0],
  KeyQ: [0, 0, -1, 0],
  ArrowLeft: [0, 0, 0, 1],
  ArrowRight: [0, 0, 0, -1],
}
/** Positions of a stick below this count as its centre. */
const DEAD_ZONE = 0.15
/** Distance of a ball from the eye at which it starts, in m. */
const BALL_DISTANCE = 0.5

export class WallInput {
  private readonly pressed = new Set<string>()
  private sent = ''
  private readonly grab = new Grab()
  /** Whether what is held is thrown when it is let go. */
  private throws = false
  /** Whether the mouse's button went down on the menu. */
  private onMenu = false
  /** The item of the menu that the mouse pointed at, as it was sent last. */
  private pointed = ''
  private timer: ReturnType<typeof setInterval> | null = null

  constructor(
    private readonly view: WallView,
    private readonly send: (command: WallCommand | Command) => void,
  ) {}

  /** Listens to a canvas and to the keys of its window. Returns a function that stops. */
  listen(canvas: HTMLCanvasElement): () => void {
    const place = (event: PointerEvent) => {
      const box = canvas.getBoundingClientRect()
      return [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height] as const
    }
    const down = (event: PointerEvent) => {
      canvas.setPointerCapture(event.pointerId)
      this.press(...place(event), event.button === 2 ? 'shoot' : event.shiftKey ? 'push' : this.view.menu.hand)
    }
    const move = (event: PointerEvent) => this.drag(...place(event))
    const release = (event: PointerEvent) => this.release(...place(event))
    const key = (event: KeyboardEvent) => {
      if (event.code === 'Space') this.send({ do: this.view.world.frame?.playing ? 'pause' : 'play' })
      if (event.code === 'KeyM' && event.type === 'keydown' && !event.repeat)
        this.send({ do: 'menu', open: !this.view.menu.open })
      if (!(event.code in KEYS)) return
      if (event.type === 'keydown') this.pressed.add(event.code)
      else this.pressed.delete(event.code)
      this.steer()
    }
    const blur = () => {
      this.pressed.clear()
      this.steer()
    }
    const menu = (event: Event) => event.preventDefault()
    canvas.addEventListener('pointerdown', down)
    canvas.addEventListener('pointermove', move)
    canvas.addEventListener('pointerup', release)
    canvas.addEventListener('pointercancel', release)
    canvas.addEventListener('contextmenu', menu)
    addEventListener('keydown', key)
    addEventListener('keyup', key)
    addEventListener('blur', blur)
    this.timer = setInterval(() => this.steer(), 50)
    return () => {
      removeEventListener('keydown', key)
      removeEventListener('keyup', key)
      removeEventListener('blur', blur)
      if (this.timer) clearInterval(this.timer)
      this.grab.lines.dispose()
    }
  }

  /** Sends how the user moves, if it has changed. */
  private steer(): void {
    const sum = [0, 0, 0, 0]
    for (const code of this.pressed) KEYS[code]!.forEach((part, axis) => (sum[axis]! += part))
    for (const pad of navigator.getGamepads?.() ?? []) {
      const axis = (index: number) => {
        const value = pad?.axes[index] ?? 0
        return Math.abs(value) < DEAD_ZONE ? 0 : value
      }
      sum[0]! += axis(0)
      sum[1]! -= axis(1)
      sum[2]! -= axis(3)
      sum[3]! -= axis(2)
    }
    const [right, forward, up, turn] = sum.map((value) => Math.max(-1, Math.min(1, value))) as [
      number,
      number,
      number,
      number,
    ]
    const text = JSON.stringify([right, forward, up, turn])
    if (text === this.sent || (this.sent === '' && text === '[0,0,0,0]')) return
    this.sent = text
    this.send({ do: 'move', velocity: [right, forward, up], turn })
  }

  /** Presses the item of the menu at a place of the window, or does there what the hand does. */
  press(x: number, y: number, what: HandMode): void {
    const ray = this.view.ray(x, y)
    const { frame, appearance } = this.view.world
    if (!ray) return
    const hit = this.view.world.pick(ray)
    const place = this.menuAt(ray, hit?.distance ?? Infinity)
    if (place) {
      this.onMenu = true
      return this.point(place, true)
    }
    if (!frame) return
    if (what === 'shoot') return this.send(shoot(ray, BALL_DISTANCE))
    if (!hit) return
    if (what === 'push') return this.send(push(ray, hit.body, appearance))
    this.throws = what === 'throw'
    this.send({ do: 'grab', ...this.grab.start(hit, this.view.camera, frame.poses) })
  }

  /** Returns the place on the menu that a ray meets before anything else within a distance; null if there is none. */
  private menuAt(ray: Ray, nearest: number): Place | null {
    const met = this.view.meetMenu(ray)
    return met && met.distance < nearest && covers(this.view.panel.layout, met.place) ? met.place : null
  }

  /** Sends what the mouse points at, if that has changed or is pressed. */
  private point(place: Place | null, pressed: boolean): void {
    const item = place && itemAt(this.view.panel.layout, place)
    const text = `${item?.id ?? ''} ${pressed}`
    if (text === this.pointed && !pressed) return
    this.pointed = text
    this.send({ do: 'point', place: place && [...place], pressed })
  }

  /** Moves what is held, or points at the menu. */
  drag(x: number, y: number): void {
    if (!this.grab.active && !this.view.menu.open && !this.onMenu) return
    const ray = this.view.ray(x, y)
    if (!ray) return
    if (this.grab.active) {
      const to = this.grab.drag(ray)
      if (to) this.send({ do: 'drag', to })
    } else if (this.onMenu) this.point(this.view.meetMenu(ray)?.place ?? null, true)
    else this.point(this.menuAt(ray, this.view.world.pick(ray)?.distance ?? Infinity), false)
  }

  release(x: number, y: number): void {
    const ray = this.view.ray(x, y)
    if (this.onMenu) {
      this.onMenu = false
      this.point((ray && this.view.meetMenu(ray)?.place) ?? null, false)
    }
    if (!this.grab.active) return
    this.grab.release()
    this.send(letGo(ray, this.throws))
  }
}
