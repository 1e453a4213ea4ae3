// The world in a headset: three.js draws both eyes, controllers grab, throw, push and shoot. WebXR has y up and looks along
// -z; a rig turns it to the world's axes.
import {
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  PerspectiveCamera,
  Ray,
  Vector3,
  type WebGLRenderer,
  type XRTargetRaySpace,
} from 'three'
import type { Frame } from '../lib/frame'
import type { Appearance, Command, Vec3 } from '../lib/protocol'
import { createRenderer } from '../scene3d/environment'
import { pointInBody } from '../scene3d/grab'
import { WorldScene } from './worldScene'

/** Speed of the sticks, in m/s and rad/s. */
const SPEED = 1.5
const TURN_SPEED = 1.2
const DEAD_ZONE = 0.15
/** Distance of the user from the world's bodies at the start, in m. */
const START_DISTANCE = 1.5
const BALL = { radius: 0.06, density: 1000, speed: 8, distance: 0.3 }
/** Length of the line that shows where a controller points, in m. */
const RAY_LENGTH = 3

/** Sends a command of a hand: 0 or 1. */
export type SendByHand = (hand: number, command: Command) => void

interface Held {
  body: number
  /** Distance of the held point along the controller's ray, in m. */
  distance: number
}

export class XrView {
  readonly renderer: WebGLRenderer
  readonly world = new WorldScene(1024)
  readonly camera = new PerspectiveCamera(70, 1, 0.05, 500)
  /** The user's room in the world. */
  readonly rig = new Group()
  private readonly controllers: XRTargetRaySpace[] = []
  private readonly held: (Held | null)[] = [null, null]
  private readonly dragged: string[] = ['', '']
  private lastTime = 0
  /** Number of frames drawn in the headset. */
  frames = 0

  constructor(
    canvas: HTMLCanvasElement,
    private readonly send: SendByHand,
  ) {
    this.renderer = createRenderer(canvas)
    this.renderer.xr.enabled = true
    this.rig.rotation.order = 'ZYX'
    this.rig.rotation.x = Math.PI / 2
    this.rig.add(this.camera)
    this.camera.position.y = 1.6
    this.world.scene.add(this.rig)
    for (const hand of [0, 1]) this.addController(hand)
    this.renderer.setAnimationLoop((time) => this.draw(time))
  }

  private addController(hand: number): void {
    const controller = this.renderer.xr.getController(hand)
    const line = new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -RAY_LENGTH)])
    controller.add(new Line(line, new LineBasicMaterial({ color: '#ff6a4d' })))
    controller.addEventListener('selectstart', () => this.grab(hand))
    controller.addEventListener('selectend', () => this.release(hand))
    controller.addEventListener('squeezestart', () => this.shoot(hand))
    this.rig.add(controller)
    this.controllers.push(controller)
  }

  setAppearance(appearance: Appearance): void {
    const isFirst = this.world.appearance === null
    this.world.setAppearance(appearance)
    if (!isFirst) return
    const { min, max } = appearance.box
    this.rig.position.set((min[0] + max[0]) / 2, min[1] - START_DISTANCE, appearance.ground ? 0 : min[2])
  }

  setFrame(frame: Frame): void {
    this.world.setFrame(frame)
  }

  /** Enters the headset. Call it from a click. */
  async enter(): Promise<void> {
    const session = await navigator.xr!.requestSession('immersive-vr', { optionalFeatures: ['local-floor'] })
    await this.renderer.xr.setSession(session)
  }

  resize(width: number, height: number): void {
    if (this.renderer.xr.isPresenting) return
    this.camera.aspect = width / height
    this.camera.updateProjectionMatrix()
    this.renderer.setSize(width, height, false)
  }

  /** Returns the ray of a controller in the world. */
  ray(hand: number): Ray {
    const controller = this.controllers[hand]!
    this.rig.updateMatrixWorld(true)
    const origin = new Vector3().setFromMatrixPosition(controller.matrixWorld)
    return new Ray(origin, new Vector3(0, 0, -1).transformDirection(controller.matrixWorld))
  }

  private grab(hand: number): void {
    const ray = this.ray(hand)
    const hit = this.world.pick(ray)
    const { frame } = this.world
    if (!hit || !frame) return
    const to = hit.point.toArray() as Vec3
    this.held[hand] = { body: hit.body, distance: hit.distance }
    this.send(hand, { do: 'grab', body: hit.body, point: pointInBody(frame.poses, hit.body, to), to })
  }

  /** Lets a body go. It keeps its velocity, so a moving hand throws it. */
  private release(hand: number): void {
    if (!this.held[hand]) return
    this.held[hand] = null
    this.send(hand, { do: 'release' })
  }

  private shoot(hand: number): void {
    const ray = this.ray(hand)
    const from = ray.at(BALL.distance, new Vector3()).toArray()
    const velocity = ray.direction.clone().multiplyScalar(BALL.speed).toArray()
    this.send(hand, { do: 'throw', from, velocity, radius: BALL.radius, density: BALL.density })
  }

  private draw(time: number): void {
    const seconds = Math.min(0.1, (time - this.lastTime) / 1000)
    this.lastTime = time
    this.steer(seconds)
    this.drag()
    if (!this.world.frame) return
    this.rig.updateMatrixWorld(true)
    const eye = new Vector3().setFromMatrixPosition(this.camera.matrixWorld)
    this.world.follow([eye.x, eye.y, eye.z], this.rig.rotation.z)
    this.renderer.render(this.world.scene, this.camera)
    if (this.renderer.xr.isPresenting) this.frames++
  }

  private drag(): void {
    this.held.forEach((held, hand) => {
      if (!held) return
      const to = this.ray(hand).at(held.distance, new Vector3()).toArray()
      const text = to.map((number) => number.toFixed(4)).join()
      if (text === this.dragged[hand]) return
      this.dragged[hand] = text
      this.send(hand, { do: 'drag', to })
    })
  }

  /** Moves by the sticks: the left one walks, the right one turns and rises. */
  private steer(seconds: number): void {
    for (const source of this.renderer.xr.getSession()?.inputSources ?? []) {
      const axes = source.gamepad?.axes ?? []
      const stick = (index: number) => {
        const value = axes[index] ?? axes[index - 2] ?? 0
        return Math.abs(value) < DEAD_ZONE ? 0 : value
      }
      if (source.handedness === 'right') {
        this.rig.rotation.z -= stick(2) * TURN_SPEED * seconds
        this.rig.position.z -= stick(3) * SPEED * seconds
      } else {
        const step = new Vector3(stick(2), -stick(3), 0).multiplyScalar(SPEED * seconds)
        this.rig.position.add(step.applyAxisAngle(new Vector3(0, 0, 1), this.rig.rotation.z))
      }
    }
  }

  dispose(): void {
    this.renderer.setAnimationLoop(null)
    void this.renderer.xr.getSession()?.end()
    this.world.dispose()
    this.renderer.dispose()
  }
}
