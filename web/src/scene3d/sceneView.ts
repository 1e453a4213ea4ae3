// The 3D view of one session. It draws only when something has changed, with the detail that the frame budget allows.
import { Box3, Color, PerspectiveCamera, Raycaster, Vector2, Vector3, type WebGLRenderer } from 'three'
import type { Frame } from '../lib/frame'
import type { Appearance, CameraEntry } from '../lib/protocol'
import { AutoCamera } from './autoCamera'
import { frontOf } from './bounds'
import { Budget, DETAILS, FULL, type Detail } from './budget'
import { Cameras } from './cameras'
import { createRenderer, Environment } from './environment'
import { Ghosts } from './ghosts'
import { Grab } from './grab'
import { Slope } from './ground'
import { Instances, type Display } from './instances'
import { Overlays, typical } from './overlays'
import { Lines } from './overlayShapes'
import { palette, type Palette } from './palette'
import { pick, type Hit } from './pick'
import { buildPieces, groundHeight, levelPlane, type Pieces } from './pieces'
import { Selection } from './selection'

/** Time without change after which the picture is drawn with full detail, in ms. */
const SETTLE_DELAY = 180
/** Vertical field of view, in degrees. */
const FOV = 42
/** Half the side of the square with shadows, in camera distances. */
const SHADOW_REACH = 1.1
const GRAB_COLOUR = new Color('#ff6a4d')

export interface Stats {
  draw_calls: number
  triangles: number
  script_ms: number
  /** Index of the detail drawn with; 0 is the coarsest. */
  detail: number
  /** Whether the picture stands still and has its final detail. */
  settled: boolean
  frames: number
  step: number
  hash: string
}

export class SceneView {
  readonly camera = new PerspectiveCamera(FOV, 1, 0.01, 1000)
  readonly cameras = new Cameras()
  readonly overlays = new Overlays()
  readonly grab = new Grab()
  readonly selection = new Selection()
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
  onDraw: (() => void) | null = null
  frame: Frame | null = null
  appearance: Appearance | null = null
  private readonly renderer: WebGLRenderer
  private readonly environment = new Environment()
  private slopes: Slope[] = []
  /** Camera settings of this world until the user moves the camera. */
  autoCamera: AutoCamera | null = null
  private instances: Instances | null = null
  private ghosts: Ghosts | null = null
  private colours: Palette = palette(false)
  private dark = false
  /** Whether to draw the edges of the world's box. */
  private hasBounds = false
  private readonly bounds = new Lines()
  private display: Display = 'solid'
  private page = { width: 1, height: 1, screenPixels: 1 }
  private fixedSize: { width: number; height: number } | null = null
  private width = 1
  private height = 1
  private screenPixels = 1
  private pixelRatio = 0
  /** Typical size of a body, in m. */
  bodySize = 1
  private groupsShown = false
  private changed = false
  private animationFrame = 0
  private drawnAt = -1
  private settleTimer: ReturnType<typeof setTimeout> | null = null
  private settleDue = false

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = createRenderer(canvas)
    this.renderer.info.autoReset = false
    const { overlays, grab, bounds, selection } = this
    this.environment.scene.add(overlays.group, grab.lines.object, bounds.object, selection.outline.group)
    this.setTheme(false)
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement
  }

  /** Sets the colours of the light or the dark theme. */
  setTheme(dark: boolean): void {
    this.dark = dark
    this.colours = this.environment.setTheme(dark, this.appearance?.fluid)
    this.drawBounds(this.colours.strongLine)
    this.ghosts?.clear()
    this.requestDraw()
  }

  /** Sets the canvas's size on the page, and the number of screen pixels per page pixel. */
  resize(width: number, height: number, screenPixels: number): void {
    this.page = { width: Math.max(1, width), height: Math.max(1, height), screenPixels }
    this.updateSize()
  }

  /** Draws at a fixed size, as films need it; null draws at the size on the page. */
  setFixedSize(size: { width: number; height: number } | null): void {
    this.fixedSize = size
    this.updateSize()
  }

  private updateSize(): void {
    this.width = this.fixedSize?.width ?? this.page.width
    this.height = this.fixedSize?.height ?? this.page.height
    this.screenPixels = this.fixedSize ? 1 : this.page.screenPixels
    this.pixelRatio = 0
    this.camera.aspect = this.width / this.height
    this.autoCamera?.setAspect(this.camera.aspect)
    this.requestDraw()
  }

  /** Sets the world to show. `first` also places the camera. */
  setAppearance(appearance: Appearance, first: boolean): void {
    this.appearance = appearance
    const pieces = buildPieces(appearance)
    this.instances?.dispose()
    this.ghosts?.dispose()
    for (const slope of this.slopes) slope.dispose()
    this.instances = new Instances(pieces)
    this.instances.setDisplay(this.display)
    this.ghosts = new Ghosts(pieces)
    this.environment.scene.add(this.instances.group, this.ghosts.group)
    this.placeGround(appearance, pieces)
    this.setTheme(this.dark)
    const masses = appearance.bodies.map((body) => body.mass)
    const { mass, size } = typical(
      masses,
      pieces.radii.filter((_, index) => pieces.bodies[index]! >= 0),
    )
    this.bodySize = size
    this.overlays.setScale(mass * (Math.hypot(...appearance.gravity) || 9.81), size)
    if (first) {
      this.autoCamera = new AutoCamera(this.cameras, FOV, appearance, groundHeight(appearance, pieces))
      this.autoCamera.setAspect(this.camera.aspect)
    }
    this.cameras.eyeDistance = frontOf(pieces, this.cameras.followed ?? 0)
    if (this.frame) this.setFrame(this.frame)
    this.requestDraw()
  }

  /** Shows the world from a camera of the scene. */
  useCamera(camera: CameraEntry): void {
    this.cameras.useNamed(camera, this.parents())
    this.camera.fov = camera.field_of_view
    if (this.frame) this.cameras.setFrame(this.frame.poses, this.frame.time)
    this.requestDraw()
  }

  /** Returns to the usual field of view. */
  resetLens(): void {
    this.camera.fov = FOV
  }

  parents(): (number | null)[] {
    return this.appearance?.bodies.map((body) => body.parent) ?? []
  }

  /** Returns how far a body reaches forward, in m. */
  frontOf(body: number): number {
    return this.instances ? frontOf(this.instances.pieces, body) : 0
  }

  private placeGround(appearance: Appearance, pieces: Pieces): void {
    const level = levelPlane(pieces)
    const height = groundHeight(appearance, pieces)
    const solid = height !== null
    this.environment.ground.place(solid, height ?? appearance.box.min[2])
    const extent = 4 * Math.hypot(...appearance.box.max.map((high, axis) => high - appearance.box.min[axis]!))
    this.slopes = pieces.planes
      .filter((plane) => plane !== level)
      .map((plane) => new Slope(plane.matrix, plane.colour, Math.max(extent, 1)))
    for (const slope of this.slopes) this.environment.scene.add(slope.mesh)
    this.hasBounds = !solid && !appearance.fluid
  }

  /** Draws the edges of the box round a world without ground. */
  private drawBounds(colour: Color): void {
    this.bounds.begin()
    if (this.hasBounds && this.appearance) this.bounds.box(this.appearance.box.min, this.appearance.box.max, colour)
    this.bounds.end()
  }

  setFrame(frame: Frame): void {
    this.frame = frame
    this.stats.step = frame.step
    this.stats.hash = frame.hash
    this.cameras.setFrame(frame.poses, frame.time)
    if (this.instances) {
      this.instances.place(frame.poses)
      this.autoCamera?.addFrame(this.instances.pieces, this.instances.worlds, frame.poses)
      if (this.cameras.kind === 'strobe') this.ghosts?.add(frame.step, this.strobeInterval, this.instances.worlds)
    }
    this.requestDraw()
  }

  setDisplay(display: Display): void {
    this.display = display
    this.instances?.setDisplay(display)
    this.requestDraw()
  }

  /** Moves the camera so that all stroboscopic copies are in the picture. */
  frameGhosts(): void {
    const box = new Box3()
    this.ghosts?.expandBox(box)
    if (!box.isEmpty()) this.cameras.frameBox(box.min.toArray(), box.max.toArray(), this.width / this.height, FOV)
  }

  /** Starts a stroboscopic picture at the current frame; the camera keeps its subject in the picture. */
  startStrobe(): void {
    this.ghosts?.clear()
    this.autoCamera?.restart()
    if (this.frame) this.setFrame(this.frame)
  }

  clearGhosts(): void {
    this.ghosts?.clear()
    this.requestDraw()
  }

  /** Draws in the next animation frame. */
  requestDraw(): void {
    this.changed = true
    this.schedule()
  }

  private schedule(): void {
    if (!this.animationFrame) this.animationFrame = requestAnimationFrame(this.tick)
  }

  private readonly tick = (now: number): void => {
    this.animationFrame = 0
    // Without bodies and their poses there is nothing to show. The first frame requests the first picture.
    if (!this.instances || !this.frame) return
    const wait = this.drawnAt >= 0 ? now - this.drawnAt : 0
    const start = performance.now()
    if (!this.changed) {
      this.drawnAt = -1
      if (this.settleDue) this.drawFull()
      return
    }
    this.changed = false
    this.draw(this.budget.level)
    this.budget.addFrame(performance.now() - start, wait)
    this.stats.script_ms = this.budget.scriptMs
    this.drawnAt = now
    // Another animation frame measures how long drawing kept the browser busy.
    this.schedule()
    this.scheduleSettle()
  }

  /** Plans a picture with full detail. During playback there is none: it would only delay the next frame. */
  private scheduleSettle(): void {
    if (this.settleTimer) clearTimeout(this.settleTimer)
    this.settleDue = false
    this.settleTimer = null
    if (this.frame?.playing) return
    this.settleTimer = setTimeout(() => {
      this.settleDue = true
      this.schedule()
    }, SETTLE_DELAY)
  }

  /**
   * Draws the current frame with full detail. Call it from an animation frame: some browsers stop sending animation
   * frames after a picture drawn outside of them.
   */
  drawFull(): void {
    if (this.settleTimer) clearTimeout(this.settleTimer)
    this.settleTimer = null
    this.settleDue = false
    this.draw(FULL)
    this.stats.settled = true
  }

  private draw(level: number): void {
    const { instances, frame, cameras } = this
    cameras.apply(this.camera)
    if (instances) this.omitHiding(instances)
    // A film shows the world only.
    this.selection.outline.group.visible = this.fixedSize === null
    const cost = (detail: Detail) => {
      const triangles = instances?.chooseLevels(this.camera, this.height, detail.coarseness) ?? 0
      return detail.shadow > 0 ? 2 * triangles : triangles
    }
    const chosen = Budget.within(level, cost)
    const detail = DETAILS[chosen]!
    this.environment.follow(this.camera, {
      target: cameras.lookedAt(new Vector3()),
      distance: cameras.distance,
      shadowReach: SHADOW_REACH * cameras.distance,
      shadowResolution: this.display === 'solid' ? detail.shadow : 0,
    })
    this.setMaxPixelRatio(detail.pixels)
    if (frame) {
      this.overlays.draw(frame, detail.items, cameras.distance)
      this.grab.draw(frame.poses, this.bodySize, GRAB_COLOUR)
      this.colourGroups()
    }
    instances?.upload()
    this.drawGhosts(detail)
    this.renderer.info.reset()
    this.renderer.render(this.environment.scene, this.camera)
    this.updateStats(chosen)
    this.onDraw?.()
  }

  /** Leaves out the fixed pieces that hide what moves. */
  private omitHiding(instances: Instances): void {
    instances.omitted.fill(0)
    const { pieces, worlds, omitted } = instances
    for (const piece of this.autoCamera?.hiding(this.camera, pieces, worlds) ?? []) omitted[piece] = 1
    this.selection.apply(instances)
  }

  private drawGhosts(detail: Detail): void {
    if (!this.ghosts) return
    this.ghosts.group.visible = this.cameras.kind === 'strobe' && this.display === 'solid'
    if (!this.ghosts.group.visible || !this.frame) return
    this.ghosts.draw(this.frame.step, this.camera, this.height, 1.5 * detail.coarseness, this.colours.horizon)
  }

  private updateStats(detail: number): void {
    this.stats.detail = detail
    this.stats.settled = false
    this.stats.draw_calls = this.renderer.info.render.calls
    this.stats.triangles = this.renderer.info.render.triangles
    this.stats.frames++
  }

  private setMaxPixelRatio(max: number): void {
    const ratio = Math.min(this.screenPixels, max)
    if (ratio === this.pixelRatio) return
    this.pixelRatio = ratio
    this.renderer.setPixelRatio(ratio)
    this.renderer.setSize(this.width, this.height, false)
  }

  /** Colours bodies by their contact group while that overlay is on. */
  private colourGroups(): void {
    const shown = this.overlays.has('groups')
    if (!shown && !this.groupsShown) return
    this.groupsShown = shown
    this.instances?.setBodyColours(shown ? (body) => this.overlays.groupColour(body) : null)
  }

  /** Returns the ray through a point of the canvas, in page pixels from its corner. */
  ray(x: number, y: number): Raycaster['ray'] {
    const caster = new Raycaster()
    caster.setFromCamera(new Vector2((2 * x) / this.page.width - 1, 1 - (2 * y) / this.page.height), this.camera)
    return caster.ray
  }

  /** Returns the body under a point of the canvas. */
  pick(x: number, y: number): Hit | null {
    if (!this.instances) return null
    const { pieces, worlds, omitted } = this.instances
    return pick(this.ray(x, y), pieces, worlds, omitted)
  }

  dispose(): void {
    cancelAnimationFrame(this.animationFrame)
    if (this.settleTimer) clearTimeout(this.settleTimer)
    this.instances?.dispose()
    this.ghosts?.dispose()
    for (const slope of this.slopes) slope.dispose()
    this.overlays.dispose()
    this.grab.lines.dispose()
    this.bounds.dispose()
    this.selection.dispose()
    this.environment.dispose()
    this.renderer.dispose()
  }
}
