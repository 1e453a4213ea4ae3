// Draws creature clips. One WebGL renderer serves all small views of the page: it draws them in turn and copies each picture
// to the view's own canvas. The time that drawing takes limits the number of views drawn per animation frame, so that many
// cards slow each other down but not the page. A renderer with its own canvas draws into it directly.
import { PerspectiveCamera, Vector3, type WebGLRenderer } from 'three'
import type { Appearance } from '../lib/protocol'
import { createRenderer, Environment } from '../scene3d/environment'
import { Instances } from '../scene3d/instances'
import { buildPieces } from '../scene3d/pieces'

/** Camera of a view. Angles in rad, lengths in m. */
export interface Shot {
  target: readonly [number, number, number]
  /** Radius of what must be in the picture. */
  radius: number
  azimuth: number
  elevation: number
  /** Factor on the camera's distance: at 1, `radius` fills the picture. */
  zoom: number
  /** Height of the ground; null without ground. */
  ground: number | null
}

/** A view that is drawn repeatedly. */
export interface View {
  /** Returns whether the view needs drawing. */
  due(now: number): boolean
  draw(now: number): void
}

export interface Detail {
  /** Coarseness of instances; 1 is full detail. */
  coarseness: number
  /** Side of the shadow map, in pixels; 0 without shadows. */
  shadow: number
  /** Factor on the grid's distance: a small view shows fewer lines. */
  grid: number
}

/** Detail of a card. */
export const SMALL: Detail = { coarseness: 2, shadow: 512, grid: 3 }
/** Detail of a view that fills the page. */
export const LARGE: Detail = { coarseness: 1, shadow: 2048, grid: 1.2 }

/** Cost of the last animation frame. */
export interface Stats {
  views: number
  draw_calls: number
  triangles: number
  script_ms: number
  /** Animation frames so far in which something was drawn. */
  frames: number
}

/** Time for drawing in one animation frame, in ms. */
const DRAW_BUDGET = 9
/** Vertical field of view, in degrees. */
const FOV = 32
/** Angle from the camera's azimuth to the sun's, in rad: the sun stands beside the camera, so that shadows are in sight. */
const SUN_ANGLE = -0.7
/** Half the side of the square with shadows, in radii of the view. */
const SHADOW_REACH = 1.7

export class ClipRenderer {
  readonly stats: Stats = { views: 0, draw_calls: 0, triangles: 0, script_ms: 0, frames: 0 }
  readonly camera = new PerspectiveCamera(FOV)
  /** Whether this browser has no WebGL 2. */
  failed = false
  private renderer: WebGLRenderer | null = null
  private readonly environment = new Environment()
  private readonly views: View[] = []
  private animationFrame = 0
  private groundHeight: number | null = null

  /** `ownCanvas` receives all pictures; without it, `draw` copies each picture to the canvas it is given. */
  constructor(private readonly ownCanvas?: HTMLCanvasElement) {
    this.camera.up.set(0, 0, 1)
    this.environment.ground.labelled = false
    this.setTheme(false)
  }

  /** Sets the colours of the light or the dark theme. */
  setTheme(dark: boolean): void {
    this.environment.setTheme(dark)
  }

  /** Adds a view; returns a function that removes it. */
  add(view: View): () => void {
    this.views.push(view)
    if (!this.animationFrame) this.animationFrame = requestAnimationFrame(this.tick)
    return () => {
      const index = this.views.indexOf(view)
      if (index >= 0) this.views.splice(index, 1)
    }
  }

  private readonly tick = (now: number): void => {
    this.animationFrame = this.views.length ? requestAnimationFrame(this.tick) : 0
    const due = this.views.filter((view) => view.due(now))
    if (due.length === 0) return
    const start = performance.now()
    const { stats } = this
    stats.views = stats.draw_calls = stats.triangles = 0
    for (const view of due) {
      if (stats.views > 0 && performance.now() - start > DRAW_BUDGET) break
      // To the end of the queue: other views come first next time.
      this.views.push(...this.views.splice(this.views.indexOf(view), 1))
      view.draw(now)
      stats.views++
    }
    stats.script_ms = performance.now() - start
    stats.frames++
  }

  /** Draws one world into a canvas; returns false without WebGL. */
  draw(canvas: HTMLCanvasElement, instances: Instances, shot: Shot, detail: Detail = SMALL): boolean {
    const renderer = this.startRenderer()
    const { width, height } = canvas
    if (!renderer || width === 0 || height === 0) return false
    const full = renderer.domElement
    if (canvas !== full && (full.width < width || full.height < height))
      renderer.setSize(Math.max(full.width, width), Math.max(full.height, height), false)
    renderer.setViewport(0, 0, width, height)
    renderer.setScissor(0, 0, width, height)
    this.aim(shot, width / height, detail)
    instances.chooseLevels(this.camera, height, detail.coarseness)
    instances.upload()
    const { scene } = this.environment
    scene.add(instances.group)
    renderer.render(scene, this.camera)
    scene.remove(instances.group)
    this.stats.draw_calls += renderer.info.render.calls
    this.stats.triangles += renderer.info.render.triangles
    if (canvas !== full)
      canvas
        .getContext('2d', { alpha: false })
        ?.drawImage(full, 0, full.height - height, width, height, 0, 0, width, height)
    return true
  }

  /** Returns the point of the ground under a point of the canvas, given from 0 to 1; null above the horizon. */
  groundAt(shot: Shot, canvas: HTMLCanvasElement, across: number, down: number): [number, number] | null {
    this.aim(shot, canvas.width / canvas.height, LARGE)
    this.camera.updateMatrixWorld()
    const from = this.camera.position
    const ray = new Vector3(2 * across - 1, 1 - 2 * down, 0.5).unproject(this.camera).sub(from)
    if (ray.z > -1e-6) return null
    const far = ((shot.ground ?? 0) - from.z) / ray.z
    return [from.x + far * ray.x, from.y + far * ray.y]
  }

  dispose(): void {
    cancelAnimationFrame(this.animationFrame)
    this.environment.dispose()
    this.renderer?.dispose()
    this.renderer?.forceContextLoss()
  }

  private aim(shot: Shot, aspect: number, detail: Detail): void {
    const { camera, environment } = this
    const target = new Vector3(...shot.target)
    camera.aspect = aspect
    const half = (camera.fov * Math.PI) / 360
    const distance = (shot.radius / Math.sin(Math.min(half, Math.atan(Math.tan(half) * aspect)))) * shot.zoom
    const level = Math.cos(shot.elevation)
    camera.position
      .set(level * Math.cos(shot.azimuth), level * Math.sin(shot.azimuth), Math.sin(shot.elevation))
      .multiplyScalar(distance)
      .add(target)
    if (shot.ground !== null) camera.position.z = Math.max(camera.position.z, shot.ground + 0.02 * distance)
    camera.near = distance / 50
    camera.far = distance * 40
    camera.lookAt(target)
    camera.updateProjectionMatrix()
    if (shot.ground !== null && shot.ground !== this.groundHeight)
      environment.ground.place(true, (this.groundHeight = shot.ground))
    environment.ground.group.visible = shot.ground !== null
    const sun = shot.azimuth + SUN_ANGLE
    environment.follow(camera, {
      target,
      distance,
      gridDistance: detail.grid * distance,
      shadowReach: SHADOW_REACH * shot.radius,
      shadowResolution: detail.shadow,
      sunDirection: new Vector3(1.6 * Math.cos(sun), 1.6 * Math.sin(sun), 3).normalize(),
    })
  }

  private startRenderer(): WebGLRenderer | null {
    if (this.renderer || this.failed) return this.renderer
    try {
      const renderer = createRenderer(this.ownCanvas)
      renderer.setPixelRatio(1)
      renderer.setScissorTest(true)
      this.renderer = renderer
      this.keepPrograms(renderer)
    } catch {
      this.failed = true
    }
    return this.renderer
  }

  /**
   * Compiles the shaders of surfaces and keeps them in use. Otherwise three.js would drop them whenever the last creature
   * leaves, and compile them again for the next one.
   */
  private keepPrograms(renderer: WebGLRenderer): void {
    const { group } = new Instances(buildPieces(SAMPLE))
    this.environment.scene.add(group)
    renderer.compile(this.environment.scene, this.camera)
    this.environment.scene.remove(group)
  }
}

/** A world of one sphere, box and capsule. */
const SAMPLE: Appearance = {
  epoch: 0,
  ground: true,
  gravity: [0, 0, -9.81],
  fluid: false,
  bodies: [],
  shapes: (['sphere', 'box', 'capsule'] as const).map((kind) => ({
    body: null,
    kind,
    size: [1, 1, 1],
    pose: [0, 0, 0, 0, 0, 0, 1],
    color: [1, 1, 1],
  })),
  meshes: [],
  followed: null,
  box: { min: [0, 0, 0], max: [1, 1, 1] },
}

/** The renderer that all small views of the page share. */
export const clipRenderer = new ClipRenderer()

/** Shows the cost of drawing at `window.burgess`, for tests and debugging, until the returned function is called. */
export function exposeStats(stats: Stats): () => void {
  const page = window as { burgess?: unknown }
  const before = page.burgess
  page.burgess = { stats }
  return () => (page.burgess = before)
}
