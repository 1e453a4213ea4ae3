// Light of a view: a sun with soft shadows, light from the whole sky, and a weak light from the side that shows the form of
// faces turned away from the sun.
import { DirectionalLight, Group, HemisphereLight, Vector3 } from 'three'
import type { Palette } from './palette'

const SUN_DIRECTION = new Vector3(-0.55, -0.42, 1).normalize()
const FILL_DIRECTION = new Vector3(0.9, -0.35, 0.3)

export class Light {
  readonly group = new Group()
  private readonly sun = new DirectionalLight()
  private readonly sky = new HemisphereLight()
  private readonly fill = new DirectionalLight()

  constructor() {
    this.sun.castShadow = true
    this.sun.shadow.bias = -0.0004
    this.sun.shadow.radius = 3.5
    this.fill.position.copy(FILL_DIRECTION)
    // The default up axis of three.js is y, ours is z.
    this.sky.position.set(0, 0, 1)
    this.group.add(this.sun, this.sun.target, this.sky, this.fill)
  }

  setColours(palette: Palette): void {
    this.sun.color.copy(palette.sun)
    this.sun.intensity = palette.sunStrength
    this.fill.color.copy(palette.skyLight)
    this.fill.intensity = palette.fillStrength
    this.sky.color.copy(palette.skyLight)
    this.sky.groundColor.copy(palette.groundLight)
    this.sky.intensity = palette.skyStrength
  }

  /**
   * Casts shadows within `reach` m of a target, with a map of `resolution` pixels; 0 switches shadows off. The shadow
   * map moves by whole texels, so that edges do not flicker.
   */
  castShadows(target: Vector3, reach: number, resolution: number, direction = SUN_DIRECTION): void {
    const { shadow } = this.sun
    // Switching `castShadow` off would compile other shaders, which costs more than it saves.
    shadow.autoUpdate = resolution > 0
    shadow.intensity = resolution > 0 ? 1 : 0
    const texel = (2 * reach) / Math.max(resolution, 1)
    const step = resolution > 0 ? 8 * texel : 0
    const snap = (value: number) => (step > 0 ? Math.round(value / step) * step : value)
    this.sun.target.position.set(snap(target.x), snap(target.y), snap(target.z))
    this.sun.position.copy(this.sun.target.position).addScaledVector(direction, reach * 3)
    if (resolution === 0) return
    if (shadow.mapSize.x !== resolution) {
      shadow.mapSize.set(resolution, resolution)
      shadow.map?.dispose()
      shadow.map = null
    }
    shadow.normalBias = texel * 1.5
    const box = shadow.camera
    box.left = box.bottom = -reach
    box.right = box.top = reach
    box.near = reach * 0.5
    box.far = reach * 6
    box.updateProjectionMatrix()
  }

  dispose(): void {
    this.sun.shadow.map?.dispose()
    this.group.removeFromParent()
  }
}
