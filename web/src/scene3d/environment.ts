// The surroundings shared by all 3D views: renderer settings, sky, ground, light and fog.
import { FogExp2, PCFShadowMap, type PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three'
import { Ground } from './ground'
import { Light } from './light'
import { palette, type Palette } from './palette'
import { Sky } from './sky'

/** Fog density times the camera's distance. */
const FOG = 0.1
const FOG_IN_WATER = 0.2

/** Creates a renderer with the settings that all views use. Throws where WebGL 2 is missing. */
export function createRenderer(canvas?: HTMLCanvasElement): WebGLRenderer {
  const renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' })
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = PCFShadowMap
  return renderer
}

/** The point that a camera looks at, and how the surroundings are drawn there. Lengths in m. */
export interface Focus {
  target: Vector3
  /** Distance from the camera to the target. */
  distance: number
  /** Distance that sets the size of the grid's squares; `distance` if missing. */
  gridDistance?: number
  /** Half the side of the square round the target that gets shadows. */
  shadowReach: number
  /** Side of the shadow map, in pixels; 0 without shadows. */
  shadowResolution: number
  /** Direction from the target to the sun; a fixed direction if missing. */
  sunDirection?: Vector3
}

export class Environment {
  readonly scene = new Scene()
  readonly ground = new Ground()
  readonly light = new Light()
  private readonly sky = new Sky()
  private readonly fog = new FogExp2(0)
  private water = false

  constructor() {
    this.scene.fog = this.fog
    this.scene.add(this.sky.mesh, this.ground.group, this.light.group)
  }

  /** Sets the colours of the light or the dark theme, above or under water. */
  setTheme(dark: boolean, water = false): Palette {
    const colours = palette(dark, water)
    this.water = water
    this.sky.setColours(colours)
    this.ground.setColours(colours)
    this.light.setColours(colours)
    this.fog.color.copy(colours.horizon)
    return colours
  }

  /** Moves sky, ground, fog and shadows to where the camera looks. */
  follow(camera: PerspectiveCamera, focus: Focus): void {
    const { target, distance } = focus
    this.fog.density = (this.water ? FOG_IN_WATER : FOG) / distance
    this.sky.follow(camera)
    const ahead = camera.getWorldDirection(new Vector3())
    this.ground.follow(target.x, target.y, focus.gridDistance ?? distance, Math.atan2(-ahead.y, -ahead.x))
    this.light.castShadows(target, focus.shadowReach, focus.shadowResolution, focus.sunDirection)
  }

  dispose(): void {
    this.ground.dispose()
    this.sky.dispose()
    this.light.dispose()
  }
}
