// The world in a headset: three.js draws both eyes, controllers use the menu, grab, throw, push and shoot. WebXR has y up
// and looks along -z; a rig turns it to the world's axes.
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
import type { Appearance, Command, MenuLayout, MenuView, Vec3 } from '../lib/protocol'
import { createRenderer } from '../scene3d/environment'
import { pointInBody } from '../scene3d/grab'
import { letGo, push, shoot } from './handActions'
import { CLOSED, covers, EARTH_GRAVITY, meet, MenuPointer, openTowards, type MenuAction, type Place } from './menu'
import { MenuPanel } from './menuPanel'
import { directionInRoom, toRoom, type Room } from './wallFrame'
import { WorldScene } from './worldScene'

/** Speed of the sticks, in m/s and rad/s. */
const SPEED = 1.5
const TURN_SPEED = 1.2
const DEAD_ZONE = 0.15
/** Distance of the user from the world's bodies at the start, in m. */
const START_DISTANCE = 1.5
/** Distance of a ball from the hand at which it starts, in m. */
const BALL_DISTANCE = 0.3
/** The user's body: radius, height above the eyes, and the smallest motion that is sent, in m. */
const BODY = { radius: 0.25, aboveEyes: 0.1, step: 0.01, heights: [0.6, 2.5] } as const
/** Shortest time between two places of the body that are sent, in ms. */
const BODY_INTERVAL = 50
/** Buttons of a controller that open the menu: the stick, A or X, B or Y. */
const MENU_BUTTONS = [3, 4, 5]
/** Length of the line that shows where a controller points, in m. */
const RAY_LENGTH = 3

/** Sends a command of a hand, 0 or 1, or of the user's body, 2. */
export type SendByHand = (hand: number, command: Command) => void
export const BODY_SENDER = 2

interface Held {
  body: number
  /** Distance of the held point along the controller's ray, in m. */
  distance: number
  throws: boolean
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
  private readonly triggers = [false, false]
  private pointers: MenuPointer[] = []
  private panel: MenuPanel | null = null
  private menuButton = false
  private isPlaced = false
  private bodyAt: Vec3 | null = null
  private bodyHeight = 0
  private bodyTime = 0
  private lastTime = 0
  menu: MenuView = CLOSED
  /** Number of frames drawn in the headset. */
  frames = 0

  constructor(
    canvas: HTMLCanvasElement,
    private readonly send: SendByHand,
    /** Does what the menu does besides commands to the session. */
    private readonly act: (action: MenuAction) => void,
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
    controller.addEventListener('selectstart', () => this.press(hand))
    controller.addEventListener('selectend', () => this.release(hand))
    controller.addEventListener('squeezestart', () => this.send(hand, shoot(this.ray(hand), BALL_DISTANCE)))
    this.rig.add(controller)
    this.controllers.push(controller)
  }

  setAppearance(appearance: Appearance): void {
    this.world.setAppearance(appearance)
    this.menu = { ...this.menu, gravity: -appearance.gravity[2] / EARTH_GRAVITY }
    if (this.isPlaced) return
    this.isPlaced = true
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

  /** Puts the user in front of the next world. */
  startAgain(): void {
    this.isPlaced = false
    this.bodyAt = null
    this.held.fill(null)
  }

  /** Sets where the items of the menu are. */
  setLayout(layout: MenuLayout): void {
    this.panel?.dispose()
    this.panel = new MenuPanel(layout)
    this.pointers = this.controllers.map(() => new MenuPointer(layout))
    this.world.scene.add(this.panel.group)
  }

  /** Sends the place of the user's body again, for example after the connection was lost. */
  resendBody(): void {
    this.bodyAt = null
  }

  /** The user's room: the rig without its turn from WebXR's axes. */
  private get room(): Room {
    return { position: this.rig.position.toArray(), heading: this.rig.rotation.z }
  }

  private press(hand: number): void {
    this.triggers[hand] = true
    const ray = this.ray(hand)
    const hit = this.world.pick(ray)
    this.point(hand, hit?.distance ?? Infinity)
    const { frame, appearance } = this.world
    if (this.pointers[hand]?.holds) return
    const mode = this.menu.hand
    if (mode === 'shoot') return this.send(hand, shoot(ray, BALL_DISTANCE))
    if (!hit || !frame) return
    if (mode === 'push') return this.send(hand, push(ray, hit.body, appearance))
    const to = hit.point.toArray() as Vec3
    this.held[hand] = { body: hit.body, distance: hit.distance, throws: mode === 'throw' }
    this.send(hand, { do: 'grab', body: hit.body, point: pointInBody(frame.poses, hit.body, to), to })
  }

  /** Lets a body go. It keeps its velocity, so a moving hand throws it. */
  private release(hand: number): void {
    this.triggers[hand] = false
    this.point(hand, Infinity)
    const held = this.held[hand]
    if (!held) return
    this.held[hand] = null
    this.send(hand, letGo(this.ray(hand), held.throws))
  }

  /** Points with a hand at the menu, unless something is nearer. */
  private point(hand: number, nearest: number): void {
    const [pointer, panel, ray] = [this.pointers[hand], this.panel, this.ray(hand)]
    if (!pointer || !panel) return
    const [from, along] = [ray.origin.toArray(), ray.direction.toArray()]
    const met = meet(this.menu, toRoom(this.room, from), directionInRoom(this.room, along))
    const isOn = met && met.distance < nearest && (pointer.holds || covers(panel.layout, met.place))
    const place: Place | null = isOn ? met.place : null
    const action = pointer.update(this.menu, { place, pressed: this.triggers[hand]! && !this.held[hand] })
    if (action) this.obey(action)
  }

  private obey(action: MenuAction): void {
    if (action.type === 'command') return this.send(0, action.command)
    if (action.type === 'hand') this.menu = { ...this.menu, hand: action.hand }
    if (action.type === 'close') this.menu = { ...this.menu, open: false }
    if (action.type === 'body') {
      this.menu = { ...this.menu, body: action.on }
      this.bodyAt = null
    }
    this.act(action)
  }

  /** Opens the menu in front of the user, or closes it. */
  private toggleMenu(): void {
    if (this.menu.open) {
      this.menu = { ...this.menu, open: false }
      return
    }
    const { room } = this
    const head = new Vector3().setFromMatrixPosition(this.camera.matrixWorld).toArray()
    const forward = new Vector3(0, 0, -1).transformDirection(this.camera.matrixWorld)
    const heading = Math.atan2(-forward.x, forward.y) - room.heading
    this.menu = openTowards(this.menu, toRoom(room, head), heading)
  }

  private drawMenu(): void {
    this.controllers.forEach((_, hand) => {
      if (this.menu.open) this.point(hand, this.world.pick(this.ray(hand))?.distance ?? Infinity)
    })
    const pointed = this.pointers.flatMap(({ pointed }) => pointed ?? [])
    this.menu = { ...this.menu, pointed }
    this.panel?.set(this.menu, this.room)
  }

  /** Moves the user's body to the place of the head. At an earlier step it would discard what came after. */
  private moveBody(eye: Vector3): void {
    if (!this.menu.body || !this.world.frame || this.world.frame.again) return
    // A world that stands still would collect edits at one step.
    if (this.bodyAt && !this.world.frame.playing) return
    const foot: Vec3 = [eye.x, eye.y, this.rig.position.z]
    const [low, high] = BODY.heights
    const height = Math.max(low, Math.min(high, eye.z - foot[2] + BODY.aboveEyes))
    const isFar = (before: Vec3) => Math.hypot(...before.map((part, axis) => part - foot[axis]!)) >= BODY.step
    const isEarly = this.lastTime < this.bodyTime + BODY_INTERVAL
    if (this.bodyAt && (isEarly || !isFar(this.bodyAt))) return
    if (!this.bodyAt) this.bodyHeight = height
    ;[this.bodyAt, this.bodyTime] = [foot, this.lastTime]
    this.send(BODY_SENDER, { do: 'body', foot, height: this.bodyHeight, radius: BODY.radius })
  }

  private draw(time: number): void {
    const seconds = Math.min(0.1, (time - this.lastTime) / 1000)
    this.lastTime = time
    this.steer(seconds)
    this.drag()
    if (!this.world.frame) return
    this.rig.updateMatrixWorld(true)
    const eye = new Vector3().setFromMatrixPosition(this.camera.matrixWorld)
    this.moveBody(eye)
    this.drawMenu()
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

  /** Moves by the sticks: the left one walks, the right one turns and rises. Other buttons open the menu. */
  private steer(seconds: number): void {
    let isMenu = false
    for (const source of this.renderer.xr.getSession()?.inputSources ?? []) {
      const axes = source.gamepad?.axes ?? []
      isMenu ||= MENU_BUTTONS.some((button) => source.gamepad?.buttons[button]?.pressed)
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
    if (isMenu && !this.menuButton) this.toggleMenu()
    this.menuButton = isMenu
  }

  dispose(): void {
    this.renderer.setAnimationLoop(null)
    void this.renderer.xr.getSession()?.end()
    this.panel?.dispose()
    this.world.dispose()
    this.renderer.dispose()
  }
}
