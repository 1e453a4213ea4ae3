// What a viewer does to bodies with pointer and keys: pull, twist, push, throw.
import type { FloorTool } from '../crowd/floor'
import type { Vec3 } from '../../lib/protocol'
import type { Viewer } from '../viewer.svelte'

/** What dragging a body does: a spring pulls it, a torque turns it, or the camera turns instead. */
export type DragMode = 'force' | 'torque' | 'camera'

/** Change of velocity by a push, in m/s. */
const PUSH_SPEED = 1
/** Length of a drag that gives the torque of the body's weight at its own size, in pixels. */
const TORQUE_DRAG = 100

export class Hands {
  drag = $state<DragMode>('force')
  /** What a click on the floor of a crowd does. */
  tool = $state<FloorTool>('select')
  /** Speed, in m/s, radius, in m, and density, in kg/m3, of the next ball. */
  ball = $state.raw<[number, number, number]>([8, 0.1, 1000])
  /** Whether the sliders of the actuators are shown. */
  actuatorsOpen = $state(false)
  private twisted: number | null = null

  constructor(private readonly viewer: Viewer) {}

  /** Chooses a ball that fits bodies of a size, in m. */
  fitBall(size: number): void {
    this.ball = [8 * Math.max(1, Math.sqrt(size)), Number((0.3 * size).toPrecision(1)), 1000]
  }

  /** Throws the ball from the camera. */
  throwBall(): void {
    const { view, session } = this.viewer
    if (!view || !session?.can.interfere) return
    const [speed, radius, density] = this.ball
    const { position } = view.camera
    const ahead = view.camera.getWorldDirection(position.clone())
    const from = position.clone().addScaledVector(ahead, 4 * radius)
    const velocity = ahead.multiplyScalar(speed)
    this.viewer.send({ do: 'throw', from: from.toArray(), velocity: velocity.toArray(), radius, density })
  }

  /** Pushes the selected body, or the one that is followed, away from the camera. */
  push(): void {
    const { view, session, bodies } = this.viewer
    const body = this.viewer.pinned ?? view?.cameras.followed ?? 0
    const mass = bodies[body]?.mass ?? 0
    if (!view || !session?.can.interfere || mass === 0) return
    const ahead = view.camera.getWorldDirection(view.camera.position.clone())
    ahead.z = 0
    const impulse = ahead.setLength(PUSH_SPEED * mass).toArray()
    this.viewer.send({ do: 'push', body, impulse, angular_impulse: [0, 0, 0] })
    this.viewer.notify(`Pushed ${bodies[body]!.name}: ${PUSH_SPEED} m/s.`)
  }

  /** Twists a body: a drag to the right turns it about the vertical, one upward about the axis to the right. */
  twist(body: number, right: number, up: number): void {
    const { view, bodies } = this.viewer
    if (!view) return
    this.twisted = body
    const side = view.camera.position.clone().setFromMatrixColumn(view.camera.matrixWorld, 0)
    const strength = ((bodies[body]?.mass ?? 0) * 9.81 * view.bodySize) / TORQUE_DRAG
    const torque: Vec3 = [-up * strength * side.x, -up * strength * side.y, right * strength]
    this.viewer.send({ do: 'twist', body, torque })
  }

  /** Ends a twist. Returns whether there was one. */
  endTwist(): boolean {
    if (this.twisted === null) return false
    this.twisted = null
    this.viewer.send({ do: 'release' })
    return true
  }
}
