// The stage: renderer, light, sky and ground round one world. Draws only when something changed, with the detail that the budget allows.
import {
  Box3,
  Color,
  FogExp2,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { Appearance } from '../lib/protocol'
import { takeApart, type Pieces } from './appearance'
import { Budget, DETAILS, FULL, type Detail } from './budget'
import { Cameras } from './cameras'
import type { Frame } from './frame'
import { Ghosts } from './ghosts'
import { Grab } from './grab'
import { Ground, Slope } from './ground'
import { Instances, type Display } from './instances'
import { Light } from './light'
import { Lines } from './marks'
import { Overlays, typical } from './overlays'
import { palette, type Palette } from './palette'
import { pick, type Hit } from './pick'
import { Sky } from './sky'

/** Milliseconds without change after which a still picture gets its full detail. */
const SETTLES = 180
const FOV = 42

export interface Stats {
  draw_calls: number
  triangles: number
  script_ms: number
  /** Index of the detail drawn with, from 0 (least). */
  detail: number
  /** The picture stands still and has all the detail that it will get. */
  settled: boolean
  frames: number
  step: number
  hash: string
}

export class Stage {
  readonly camera = new PerspectiveCamera(FOV, 1, 0.01, 1000)
  readonly cameras = new Cameras()
  readonly overlays = new Overlays()
  readonly grab = new Grab()
  readonly budget = new Budget()
  readonly stats: Stats = {
    draw_calls: 0,
    triangles: 0,
    script_ms: 0,
    detail: FULL,
    settled: false,
    frames: 0,
    step: 0,
    hash: '',
  }
  /** Steps between stroboscopic copies. */
  strobeInterval = 60
  /** Called after each picture. */
  drawn: (() => void) | null = null
  frame: Frame | null = null
  appearance: Appearance | null = null
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly fog = new FogExp2(0)
  private readonly sky = new Sky()
  private readonly ground = new Ground()
  private readonly light = new Light()
  private slopes: Slope[] = []
  private instances: Instances | null = null
  private ghosts: Ghosts | null = null
  private colours: Palette = palette(false)
  private dark = false
  private floats = false
  private readonly cage = new Lines()
  private display: Display = 'solid'
  private page = { width: 1, height: 1, screenPixels: 1 }
  private fixed: { width: number; height: number } | null = null
  private width = 1
  private height = 1
  private screenPixels = 1
  private size = 1
  private painted = false
  private changed = false
  private scheduled = 0
  private drawnAt = -1
  private settling: ReturnType<typeof setTimeout> | null = null
  private finishing = false
  private pixelRatio = 0

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' })
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = PCFShadowMap
    this.renderer.info.autoReset = false
    this.scene.fog = this.fog
    this.scene.add(this.sky.mesh, this.ground.group, this.light.group)
    this.scene.add(this.overlays.group, this.grab.lines.object, this.cage.object)
    this.dress(false)
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement
  }

  /** Light or dark. */
  dress(dark: boolean): void {
    this.dark = dark
    const colours = palette(dark, this.appearance?.fluid)
    this.colours = colours
    this.layCage(colours.strongLine)
    this.sky.colour(colours)
    this.ground.colour(colours)
    this.light.colour(colours)
    this.fog.color.copy(colours.horizon)
    this.ghosts?.clear()
    this.touch()
  }

  /** The canvas's size on the page, and how many pixels the screen has for one of the page. */
  resize(width: number, height: number, screenPixels: number): void {
    this.page = { width: Math.max(1, width), height: Math.max(1, height), screenPixels }
    this.measure()
  }

  /** Draws in a size of its own, as films need it; null: as large as on the page. */
  fix(size: { width: number; height: number } | null): void {
    this.fixed = size
    this.measure()
  }

  private measure(): void {
    this.width = this.fixed?.width ?? this.page.width
    this.height = this.fixed?.height ?? this.page.height
    this.screenPixels = this.fixed ? 1 : this.page.screenPixels
    this.pixelRatio = 0
    this.camera.aspect = this.width / this.height
    this.touch()
  }

  /** A world to show. `first`: the camera is placed too. */
  setAppearance(appearance: Appearance, first: boolean): void {
    this.appearance = appearance
    const pieces = takeApart(appearance)
    this.instances?.dispose()
    this.ghosts?.dispose()
    for (const slope of this.slopes) slope.dispose()
    this.instances = new Instances(pieces)
    this.instances.show(this.display)
    this.ghosts = new Ghosts(pieces)
    this.scene.add(this.instances.group, this.ghosts.group)
    this.layGround(appearance, pieces)
    this.dress(this.dark)
    const masses = appearance.bodies.map((body) => body.mass)
    const usual = typical(
      masses,
      pieces.radii.filter((_, index) => pieces.bodies[index]! >= 0),
    )
    this.size = usual.size
    this.overlays.scale(usual.mass * (Math.hypot(...appearance.gravity) || 9.81), usual.size)
    if (first) {
      this.cameras.follow(appearance.followed, this.parents())
      this.cameras.frameBox(appearance.box.min, appearance.box.max, this.width / this.height, FOV)
      if (appearance.followed !== null) this.cameras.distance *= 1.3
    }
    if (this.frame) this.setFrame(this.frame)
    this.touch()
  }

  parents(): (number | null)[] {
    return this.appearance?.bodies.map((body) => body.parent) ?? []
  }

  private layGround(appearance: Appearance, pieces: Pieces): void {
    const level = pieces.planes.find((plane) => plane.body < 0 && plane.matrix.elements[10]! > 0.9999)
    const solid = appearance.ground || level !== undefined
    this.ground.lay(solid, level ? level.matrix.elements[14]! : solid ? 0 : appearance.box.min[2])
    const extent = 4 * Math.hypot(...appearance.box.max.map((high, axis) => high - appearance.box.min[axis]!))
    this.slopes = pieces.planes
      .filter((plane) => plane !== level)
      .map((plane) => new Slope(plane.matrix, plane.colour, Math.max(extent, 1)))
    for (const slope of this.slopes) this.scene.add(slope.mesh)
    this.floats = !solid && !appearance.fluid
  }

  /** A world without ground shows its edges. */
  private layCage(colour: Color): void {
    this.cage.begin()
    if (this.floats && this.appearance) this.cage.box(this.appearance.box.min, this.appearance.box.max, colour)
    this.cage.end()
  }

  setFrame(frame: Frame): void {
    this.frame = frame
    this.stats.step = frame.step
    this.stats.hash = frame.hash
    this.cameras.see(frame.poses, frame.time)
    this.instances?.place(frame.poses)
    if (this.cameras.kind === 'strobe' && this.instances) {
      this.ghosts?.note(frame.step, this.strobeInterval, this.instances.worlds)
    }
    this.touch()
  }

  show(display: Display): void {
    this.display = display
    this.instances?.show(display)
    this.touch()
  }

  /** Moves the camera so that all stroboscopic copies are in the picture. */
  frameGhosts(): void {
    const box = new Box3()
    this.ghosts?.enclose(box)
    if (!box.isEmpty()) this.cameras.frameBox(box.min.toArray(), box.max.toArray(), this.width / this.height, FOV)
  }

  clearGhosts(): void {
    this.ghosts?.clear()
    this.touch()
  }

  /** Something changed: draw at the next chance. */
  touch(): void {
    this.changed = true
    this.schedule()
  }

  private schedule(): void {
    if (!this.scheduled) this.scheduled = requestAnimationFrame(this.tick)
  }

  private readonly tick = (now: number): void => {
    this.scheduled = 0
    const wait = this.drawnAt >= 0 ? now - this.drawnAt : 0
    const begun = performance.now()
    if (!this.changed) {
      this.drawnAt = -1
      if (this.finishing) this.settle()
      return
    }
    this.changed = false
    this.draw(this.budget.level)
    const script = performance.now() - begun
    this.budget.spent(script, wait)
    this.stats.script_ms = this.budget.scriptMs
    this.drawnAt = now
    // One more turn, to learn how long the picture kept the machine busy.
    this.schedule()
    this.settleLater()
  }

  /** While it plays the next frame is on its way: a full picture in between would only delay it. */
  private settleLater(): void {
    if (this.settling) clearTimeout(this.settling)
    this.finishing = false
    this.settling = null
    if (this.frame?.playing) return
    this.settling = setTimeout(() => {
      this.finishing = true
      this.schedule()
    }, SETTLES)
  }

  /** Draws the present frame with full detail. Call it from an animation frame: some browsers stop to give any after pictures drawn outside of them. */
  settle(): void {
    if (this.settling) clearTimeout(this.settling)
    this.settling = null
    this.finishing = false
    this.draw(FULL)
    this.stats.settled = true
  }

  private draw(level: number): void {
    const { instances, frame, cameras } = this
    cameras.apply(this.camera)
    const target = cameras.lookedAt(new Vector3())
    const cost = (detail: Detail) => {
      const triangles = instances?.decide(this.camera, this.height, detail.coarseness) ?? 0
      return detail.shadow > 0 ? 2 * triangles : triangles
    }
    const chosen = Budget.within(level, cost)
    const detail = DETAILS[chosen]!
    this.atmosphere(target)
    this.light.shade(target, cameras.distance, this.display === 'solid' ? detail.shadow : 0)
    this.sharpen(detail.pixels)
    if (frame) {
      this.overlays.draw(frame, detail.items, cameras.distance)
      this.grab.draw(frame.poses, this.size, CORAL)
      this.paintGroups()
    }
    instances?.distribute()
    if (this.ghosts) {
      this.ghosts.group.visible = cameras.kind === 'strobe' && this.display === 'solid'
      if (this.ghosts.group.visible && frame) {
        this.ghosts.draw(frame.step, this.camera, this.height, 1.5 * detail.coarseness, this.colours.horizon)
      }
    }
    this.renderer.info.reset()
    this.renderer.render(this.scene, this.camera)
    this.count(chosen)
    this.drawn?.()
  }

  private count(detail: number): void {
    this.stats.detail = detail
    this.stats.settled = false
    this.stats.draw_calls = this.renderer.info.render.calls
    this.stats.triangles = this.renderer.info.render.triangles
    this.stats.frames++
  }

  private atmosphere(target: Vector3): void {
    const { distance } = this.cameras
    this.fog.density = (this.appearance?.fluid ? 0.2 : 0.1) / distance
    this.sky.fit(this.camera)
    this.sky.mesh.position.copy(this.camera.position)
    const ahead = this.camera.getWorldDirection(new Vector3())
    this.ground.follow(target.x, target.y, distance, Math.atan2(-ahead.y, -ahead.x))
  }

  private sharpen(most: number): void {
    const ratio = Math.min(this.screenPixels, most)
    if (ratio === this.pixelRatio) return
    this.pixelRatio = ratio
    this.renderer.setPixelRatio(ratio)
    this.renderer.setSize(this.width, this.height, false)
  }

  private paintGroups(): void {
    const wanted = this.overlays.has('groups')
    if (!wanted && !this.painted) return
    this.painted = wanted
    this.instances?.paint(wanted ? (body) => this.overlays.groupColour(body) : null)
  }

  /** The ray through a point of the page, in pixels from the canvas's corner. */
  ray(x: number, y: number): Raycaster['ray'] {
    const caster = new Raycaster()
    caster.setFromCamera(new Vector2((2 * x) / this.page.width - 1, 1 - (2 * y) / this.page.height), this.camera)
    return caster.ray
  }

  /** The body under a point of the page. */
  pick(x: number, y: number): Hit | null {
    return this.instances ? pick(this.ray(x, y), this.instances.pieces, this.instances.worlds) : null
  }

  /** Typical size of a body, m. */
  get bodySize(): number {
    return this.size
  }

  dispose(): void {
    cancelAnimationFrame(this.scheduled)
    if (this.settling) clearTimeout(this.settling)
    this.instances?.dispose()
    this.ghosts?.dispose()
    for (const slope of this.slopes) slope.dispose()
    this.overlays.dispose()
    this.grab.lines.dispose()
    this.cage.dispose()
    this.ground.dispose()
    this.sky.dispose()
    this.light.dispose()
    this.renderer.dispose()
  }
}

const CORAL = new Color('#ff6a4d')
