// Keyboard, mouse and gamepad of a wall's window: walking, flying, grabbing, pushing and shooting.
import { Vector3 } from 'three'
import type { Command, Vec3, WallCommand } from '../lib/protocol'
import { Grab } from '../scene3d/grab'
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
/** Speed that a push gives to a body, in m/s. */
const PUSH_SPEED = 2
const BALL = { radius: 0.06, density: 1000, speed: 8 }
/** Distance of a ball from the eye at which it starts, in m. */
const BALL_DISTANCE = 0.5

export class WallInput {
  private readonly pressed = new Set<string>()
  private sent = ''
  private readonly grab = new Grab()
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
      this.press(...place(event), event.button === 2 ? 'shoot' : event.shiftKey ? 'push' : 'grab')
    }
    const move = (event: PointerEvent) => this.drag(...place(event))
    const release = () => this.release()
    const key = (event: KeyboardEvent) => {
      if (event.code === 'Space') this.send({ do: this.view.world.frame?.playing ? 'pause' : 'play' })
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

  /** Grabs or pushes the body at a place of the window, or shoots a ball there. */
  press(x: number, y: number, what: 'grab' | 'push' | 'shoot'): void {
    const ray = this.view.ray(x, y)
    const { frame, appearance } = this.view.world
    if (!ray || !frame) return
    if (what === 'shoot') {
      const from = ray.at(BALL_DISTANCE, new Vector3()).toArray()
      const velocity = ray.direction.clone().multiplyScalar(BALL.speed).toArray()
      this.send({ do: 'throw', from, velocity, radius: BALL.radius, density: BALL.density })
      return
    }
    const hit = this.view.world.pick(ray)
    if (!hit) return
    if (what === 'push') {
      const mass = appearance?.bodies[hit.body]?.mass ?? 1
      const impulse = ray.direction
        .clone()
        .multiplyScalar(PUSH_SPEED * mass)
        .toArray() as Vec3
      this.send({ do: 'push', body: hit.body, impulse })
    } else this.send({ do: 'grab', ...this.grab.start(hit, this.view.camera, frame.poses) })
  }

  /** Moves what is held to a place of the window. */
  drag(x: number, y: number): void {
    const ray = this.grab.active ? this.view.ray(x, y) : null
    const to = ray && this.grab.drag(ray)
    if (to) this.send({ do: 'drag', to })
  }

  release(): void {
    if (!this.grab.active) return
    this.grab.release()
    this.send({ do: 'release' })
  }
}
