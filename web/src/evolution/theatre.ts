// One WebGL renderer for all small views of the page: each view in turn is drawn by it and copied to the view's own canvas. How many
// views are drawn in one frame of the screen depends on how long drawing takes, so that many cards slow each other down, not the page.
// A theatre of its own draws straight into one large canvas.
import {
  DirectionalLight,
  Fog,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { Appearance } from '../lib/protocol'
import { takeApart } from '../stage3d/appearance'
import { Ground } from '../stage3d/ground'
import { Instances } from '../stage3d/instances'
import { palette } from '../stage3d/palette'
import { Sky } from '../stage3d/sky'

/** From where a view is seen. Angles in rad, lengths in m. */
export interface Shot {
  target: readonly [number, number, number]
  /** Radius of what must be in the picture. */
  radius: number
  azimuth: number
  elevation: number
  /** 1 fills the picture; 2 shows half of it. */
  zoom: number
  /** Height of the ground; null where there is none. */
  ground: number | null
}

/** Something that wants to be drawn over and over. */
export interface View {
  /** Is there anything new to draw? */
  due(now: number): boolean
  draw(now: number): void
}

export interface Detail {
  /** As that of instances: 1 is full detail. */
  coarseness: number
  /** Side of the shadow map, in pixels; 0 without shadows. */
  shadow: number
  /** The grid is as if seen from so many times as far: lines close together would be all that a small view shows. */
  grid: number
}

/** Of a card, and of a view that fills the page. */
export const SMALL: Detail = { coarseness: 2, shadow: 512, grid: 3 }
export const LARGE: Detail = { coarseness: 1, shadow: 2048, grid: 1.2 }

/** Of the last frame of the screen. */
export interface Stats {
  views: number
  draw_calls: number
  triangles: number
  script_ms: number
  /** Frames of the screen so far in which something was drawn. */
  frames: number
}

/** Time for drawing in one frame of the screen, in ms. */
const BUDGET = 9
const FOV = 32

export class Theatre {
  readonly stats: Stats = { views: 0, draw_calls: 0, triangles: 0, script_ms: 0, frames: 0 }
  private renderer: WebGLRenderer | null = null
  /** There is no WebGL here. */
  failed = false
  private readonly scene = new Scene()
  readonly camera = new PerspectiveCamera(FOV)
  private readonly sky = new Sky()
  private readonly ground = new Ground()
  private readonly fog = new Fog(0, 1, 2)
  private readonly sun = new DirectionalLight()
  private readonly ambient = new HemisphereLight()
  private readonly views: View[] = []
  private asked = 0
  private laid: number | null = null

  /** With a canvas, that is where everything is drawn. */
  constructor(private readonly own?: HTMLCanvasElement) {
    this.camera.up.set(0, 0, 1)
    this.sun.castShadow = true
    this.sun.shadow.bias = -0.0004
    this.sun.shadow.radius = 2.2
    this.scene.fog = this.fog
    this.scene.add(this.sky.mesh, this.ground.group, this.sun, this.sun.target, this.ambient)
    this.ground.labelled = false
    this.dress(false)
  }

  /** Colours for light or dark pages. */
  dress(dark: boolean): void {
    const colours = palette(dark)
    this.sky.colour(colours)
    this.ground.colour(colours)
    this.sun.color.copy(colours.sun)
    this.sun.intensity = colours.sunStrength
    this.ambient.color.copy(colours.skyLight)
    this.ambient.groundColor.copy(colours.groundLight)
    this.ambient.intensity = colours.skyStrength
    this.fog.color.copy(colours.horizon)
  }

  add(view: View): () => void {
    this.views.push(view)
    if (!this.asked) this.asked = requestAnimationFrame(this.tick)
    return () => {
      const index = this.views.indexOf(view)
      if (index >= 0) this.views.splice(index, 1)
    }
  }

  private readonly tick = (now: number): void => {
    this.asked = this.views.length ? requestAnimationFrame(this.tick) : 0
    const due = this.views.filter((view) => view.due(now))
    if (due.length === 0) return
    const start = performance.now()
    const { stats } = this
    stats.views = stats.draw_calls = stats.triangles = 0
    for (const view of due) {
      if (stats.views > 0 && performance.now() - start > BUDGET) break
      // To the end of the queue: next time others are first.
      this.views.push(...this.views.splice(this.views.indexOf(view), 1))
      view.draw(now)
      stats.views++
    }
    stats.script_ms = performance.now() - start
    stats.frames++
  }

  /** Draws one world into a canvas; false where there is no WebGL. */
  draw(canvas: HTMLCanvasElement, instances: Instances, shot: Shot, detail: Detail = SMALL): boolean {
    const renderer = this.prepared()
    const { width, height } = canvas
    if (!renderer || width === 0 || height === 0) return false
    const full = renderer.domElement
    if (canvas !== full && (full.width < width || full.height < height))
      renderer.setSize(Math.max(full.width, width), Math.max(full.height, height), false)
    renderer.setViewport(0, 0, width, height)
    renderer.setScissor(0, 0, width, height)
    this.aim(shot, width / height, detail)
    instances.decide(this.camera, height, detail.coarseness)
    instances.distribute()
    this.scene.add(instances.group)
    renderer.render(this.scene, this.camera)
    this.scene.remove(instances.group)
    this.stats.draw_calls += renderer.info.render.calls
    this.stats.triangles += renderer.info.render.triangles
    if (canvas !== full)
      canvas
        .getContext('2d', { alpha: false })
        ?.drawImage(full, 0, full.height - height, width, height, 0, 0, width, height)
    return true
  }

  /** The place of the ground under a point of the canvas, whose sides count from 0 to 1; null above the horizon. */
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
    cancelAnimationFrame(this.asked)
    this.ground.dispose()
    this.sky.dispose()
    this.renderer?.dispose()
    this.renderer?.forceContextLoss()
  }

  private aim(shot: Shot, aspect: number, detail: Detail): void {
    const { camera, fog, ground } = this
    const [x, y, z] = shot.target
    camera.aspect = aspect
    const half = (camera.fov * Math.PI) / 360
    const away = (shot.radius / Math.sin(Math.min(half, Math.atan(Math.tan(half) * aspect)))) * shot.zoom
    const level = Math.cos(shot.elevation)
    camera.position.set(
      x + away * level * Math.cos(shot.azimuth),
      y + away * level * Math.sin(shot.azimuth),
      z + away * Math.sin(shot.elevation),
    )
    if (shot.ground !== null) camera.position.z = Math.max(camera.position.z, shot.ground + 0.02 * away)
    camera.near = away / 50
    camera.far = away * 40
    camera.lookAt(x, y, z)
    camera.updateProjectionMatrix()
    fog.near = away * 2
    fog.far = away * 12
    this.sky.fit(camera)
    if (shot.ground !== null && shot.ground !== this.laid) ground.lay(true, (this.laid = shot.ground))
    ground.group.visible = shot.ground !== null
    ground.follow(x, y, detail.grid * away, shot.azimuth)
    this.light(shot, detail)
  }

  /** The sun stands beside the camera, so that shadows fall to where they are seen. */
  private light(shot: Shot, detail: Detail): void {
    const { sun } = this
    sun.castShadow = detail.shadow > 0
    const [x, y, z] = shot.target
    const cover = shot.radius * 1.7
    const around = shot.azimuth - 0.7
    sun.position.set(x + 1.6 * cover * Math.cos(around), y + 1.6 * cover * Math.sin(around), z + 3 * cover)
    sun.target.position.set(x, y, z)
    Object.assign(sun.shadow.camera, {
      left: -cover,
      right: cover,
      top: cover,
      bottom: -cover,
      near: 0.1 * cover,
      far: 8 * cover,
    })
    sun.shadow.camera.updateProjectionMatrix()
    if (!sun.castShadow || sun.shadow.mapSize.x === detail.shadow) return
    sun.shadow.mapSize.set(detail.shadow, detail.shadow)
    sun.shadow.map?.dispose()
    sun.shadow.map = null
  }

  /** Compiles what surfaces need and holds on to it: else it would be forgotten whenever the last creature leaves, and compiled again for the next. */
  private keepPrograms(renderer: WebGLRenderer): void {
    const { group } = new Instances(takeApart(SAMPLE))
    this.scene.add(group)
    renderer.compile(this.scene, this.camera)
    this.scene.remove(group)
  }

  private prepared(): WebGLRenderer | null {
    if (this.renderer || this.failed) return this.renderer
    try {
      const renderer = new WebGLRenderer({ canvas: this.own, antialias: true, powerPreference: 'high-performance' })
      renderer.setPixelRatio(1)
      renderer.setScissorTest(true)
      renderer.toneMapping = NeutralToneMapping
      renderer.shadowMap.enabled = true
      renderer.shadowMap.type = PCFShadowMap
      this.renderer = renderer
      this.keepPrograms(renderer)
    } catch {
      this.failed = true
    }
    return this.renderer
  }
}

/** One ball, box and capsule. */
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

/** The one of the page. */
export const theatre = new Theatre()

/** Tells what drawing costs at `window.burgess`, for tests and the curious, until the answer is called. */
export function tellStats(stats: Stats): () => void {
  const page = window as { burgess?: unknown }
  const before = page.burgess
  page.burgess = { stats }
  return () => (page.burgess = before)
}
