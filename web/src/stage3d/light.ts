// Light of the stage: a sun with soft shadows that follow what is looked at, light from the whole sky, and a weak one from the side, so that
// faces away from the sun keep their form.
import { DirectionalLight, Group, HemisphereLight, Vector3 } from 'three'
import type { Palette } from './palette'

const SUN = new Vector3(-0.55, -0.42, 1).normalize()
const SIDE = new Vector3(0.9, -0.35, 0.3)

export class Light {
  readonly group = new Group()
  private readonly sun = new DirectionalLight()
  private readonly sky = new HemisphereLight()
  private readonly side = new DirectionalLight()

  constructor() {
    this.sun.castShadow = true
    this.sun.shadow.bias = -0.0004
    this.sun.shadow.radius = 3.5
    this.side.position.copy(SIDE)
    // The sky of three.js is on y, ours on z.
    this.sky.position.set(0, 0, 1)
    this.group.add(this.sun, this.sun.target, this.sky, this.side)
  }

  colour(palette: Palette): void {
    this.sun.color.copy(palette.sun)
    this.sun.intensity = palette.sunStrength
    this.side.color.copy(palette.skyLight)
    this.side.intensity = palette.fillStrength
    this.sky.color.copy(palette.skyLight)
    this.sky.groundColor.copy(palette.groundLight)
    this.sky.intensity = palette.skyStrength
  }

  /** Shadows of `resolution` pixels, 0 for none, round a target seen from `distance` m; they move by whole texels, so that edges do not crawl. */
  shade(target: Vector3, distance: number, resolution: number): void {
    const { shadow } = this.sun
    // Without shadows the shaders stay as they are: compiling others would cost more than it saves.
    shadow.autoUpdate = resolution > 0
    shadow.intensity = resolution > 0 ? 1 : 0
    if (resolution === 0) return
    if (shadow.mapSize.x !== resolution) {
      shadow.mapSize.set(resolution, resolution)
      shadow.map?.dispose()
      shadow.map = null
    }
    const reach = distance * 1.1
    const texel = (2 * reach) / resolution
    const snap = (value: number) => Math.round(value / (8 * texel)) * 8 * texel
    this.sun.target.position.set(snap(target.x), snap(target.y), snap(target.z))
    this.sun.position.copy(this.sun.target.position).addScaledVector(SUN, reach * 3)
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
