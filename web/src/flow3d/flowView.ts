// The 3D view of a history of vortex tubes: ground with a grid, sky, clouds, signs, and the tubes of one step with a fixed
// number of triangles. It draws only when something has changed.
import {
  Box3,
  Box3Helper,
  Color,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  SphereGeometry,
  Vector3,
  type WebGLRenderer,
} from 'three'
import { createRenderer, Environment } from '../scene3d/environment'
import { Clouds } from './clouds'
import { LineMesh } from './lineMesh'
import { Signs } from './signs'
import { type Colouring, type Shift, TubeMesh } from './tubeMesh'
import type { TubeStep } from './tubes'

export const STYLES = ['surface', 'wire', 'lines'] as const
export type Style = (typeof STYLES)[number]

/** Vertical field of view, in degrees. */
const FOV = 36
/** Side of the shadow map, in pixels. */
const SHADOW = 1024

export interface FlowStats {
  /** Triangles of the tubes. */
  tube_triangles: number
  /** Triangles of the whole picture, with shadows. */
  triangles: number
  draw_calls: number
  /** Time that the script took for the last picture, and the largest so far, in ms. */
  script_ms: number
  max_script_ms: number
  frames: number
}

/** Where the flow is. */
export interface Surroundings {
  origin: readonly [number, number, number]
  extent: readonly [number, number, number]
  wind: readonly [number, number, number]
}

export class FlowView {
  readonly camera = new PerspectiveCamera(FOV, 1, 0.01, 1000)
  readonly stats: FlowStats = {
    tube_triangles: 0,
    triangles: 0,
    draw_calls: 0,
    script_ms: 0,
    max_script_ms: 0,
    frames: 0,
  }
  /** Direction of the camera, in rad, and factor on its distance. */
  orbit = { azimuth: -0.9, elevation: 0.32, zoom: 1 }
  /** Point that the camera looks at. */
  readonly target = new Vector3()
  private readonly renderer: WebGLRenderer
  private readonly environment = new Environment()
  private readonly surface = new TubeMesh()
  private readonly lines = new LineMesh()
  private readonly clouds = new Clouds()
  private readonly signs: Signs
  private readonly box: Box3Helper
  private readonly marker = new Mesh(new SphereGeometry(1, 24, 12), new MeshBasicMaterial({ color: '#ff6a4d' }))
  private readonly wind: Vector3
  private readonly radius: number
  private readonly ground: number
  private style: Style = 'surface'
  private time = 0
  private content: { step: TubeStep; colouring: Colouring; shift: Shift } | null = null
  private stale = false
  private animationFrame = 0
  private size = { width: 1, height: 1 }
  private fixedSize: { width: number; height: number } | null = null

  constructor(canvas: HTMLCanvasElement, { origin, extent, wind }: Surroundings) {
    this.renderer = createRenderer(canvas)
    this.renderer.info.autoReset = false
    this.camera.up.set(0, 0, 1)
    const low = new Vector3(...origin)
    const high = low.clone().add(new Vector3(...extent))
    this.wind = new Vector3(...wind)
    this.radius = 0.5 * low.distanceTo(high)
    this.target.copy(low).add(high).multiplyScalar(0.5)
    this.ground = low.z
    this.signs = new Signs(this.wind, low, high)
    this.box = new Box3Helper(new Box3(low, high), new Color('#888'))
    this.marker.visible = false
    this.environment.ground.place(true, this.ground)
    this.environment.ground.lengthText = (length) => String(Number(length.toPrecision(6)))
    const { scene } = this.environment
    scene.add(this.surface.mesh, this.lines.mesh, this.clouds.mesh, this.signs.group, this.box, this.marker)
    this.setStyle('surface')
    this.setTheme(false)
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement
  }

  setTheme(dark: boolean): void {
    const colours = this.environment.setTheme(dark)
    this.clouds.setTheme(dark)
    this.signs.setColour(colours.label)
    ;(this.box.material as unknown as { color: Color }).color.copy(colours.strongLine)
    this.requestDraw()
  }

  setStyle(style: Style): void {
    this.style = style
    this.surface.mesh.visible = style !== 'lines'
    this.lines.mesh.visible = style === 'lines'
    this.surface.mesh.material.wireframe = style === 'wire'
    this.stale = true
    this.requestDraw()
  }

  /** Sets the canvas's size on the page. */
  resize(width: number, height: number): void {
    this.size = { width: Math.max(width, 1), height: Math.max(height, 1) }
    this.requestDraw()
  }

  /** Draws at a fixed size, as films need it; null draws at the size on the page. */
  setFixedSize(size: { width: number; height: number } | null): void {
    this.fixedSize = size
    this.requestDraw()
  }

  /** Sets the tubes and the time, which moves the clouds. */
  show(step: TubeStep, time: number, colouring: Colouring, shift: Shift): void {
    this.content = { step, colouring, shift }
    this.time = time
    this.stale = true
    this.requestDraw()
  }

  /** Marks a place with a ball; null removes it. */
  mark(place: readonly [number, number, number] | null, radius = 0): void {
    this.marker.visible = place !== null
    if (place) {
      this.marker.position.set(...place)
      this.marker.scale.setScalar(radius)
    }
    this.requestDraw()
  }

  /** The ray under a point of the canvas, given in page pixels from its corner. */
  ray(x: number, y: number): { origin: [number, number, number]; direction: [number, number, number] } {
    const { width, height } = this.size
    this.aim()
    this.camera.updateMatrixWorld()
    const origin = this.camera.position
    const to = new Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0.5).unproject(this.camera)
    const direction = to.sub(origin).normalize()
    return { origin: origin.toArray(), direction: direction.toArray() }
  }

  requestDraw(): void {
    if (!this.animationFrame) this.animationFrame = requestAnimationFrame(() => this.draw())
  }

  draw(): void {
    cancelAnimationFrame(this.animationFrame)
    this.animationFrame = 0
    const start = performance.now()
    const { renderer, stats, content } = this
    if (this.stale && content) {
      const mesh = this.style === 'lines' ? this.lines : this.surface
      stats.tube_triangles = mesh.fill(content.step, content.colouring, content.shift)
      this.stale = false
    }
    const { width, height } = this.fixedSize ?? this.size
    renderer.setPixelRatio(this.fixedSize ? 1 : Math.min(devicePixelRatio, 2))
    renderer.setSize(width, height, false)
    this.aim()
    renderer.info.reset()
    const filled = performance.now()
    renderer.render(this.environment.scene, this.camera)
    stats.script_ms = filled - start
    stats.max_script_ms = Math.max(stats.max_script_ms, stats.script_ms)
    stats.triangles = renderer.info.render.triangles
    stats.draw_calls = renderer.info.render.calls
    stats.frames++
  }

  private aim(): void {
    const { camera, target, orbit } = this
    const { width, height } = this.fixedSize ?? this.size
    camera.aspect = width / height
    const half = (FOV * Math.PI) / 360
    const narrow = Math.min(half, Math.atan(Math.tan(half) * camera.aspect))
    const distance = (0.72 * this.radius * orbit.zoom) / Math.sin(narrow)
    const level = Math.cos(orbit.elevation)
    camera.position
      .set(level * Math.cos(orbit.azimuth), level * Math.sin(orbit.azimuth), Math.sin(orbit.elevation))
      .multiplyScalar(distance)
      .add(target)
    camera.position.z = Math.max(camera.position.z, this.ground + 0.02 * distance)
    camera.near = distance / 60
    camera.far = distance * 60
    camera.lookAt(target)
    camera.updateProjectionMatrix()
    this.environment.follow(camera, {
      target,
      distance,
      shadowReach: 1.2 * this.radius,
      shadowResolution: this.style === 'lines' ? 0 : SHADOW,
    })
    this.clouds.place(target, 14 * this.radius, this.ground, this.wind.length() * this.time)
  }

  dispose(): void {
    cancelAnimationFrame(this.animationFrame)
    this.surface.dispose()
    this.lines.dispose()
    this.clouds.dispose()
    this.signs.dispose()
    this.environment.dispose()
    this.renderer.dispose()
  }
}
