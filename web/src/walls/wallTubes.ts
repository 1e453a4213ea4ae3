// The vortex tubes of a wall frame as a mesh of the scene, coloured by circulation.
import { Color, Group, SRGBColorSpace } from 'three'
import { rgb } from '../lib/colourScales'
import { TubeMesh } from '../flow3d/tubeMesh'
import { decodeStep, type CorePlace } from '../flow3d/tubes'
import type { Tubes } from './wallFrame'

/** Number of colours between the least and the largest circulation. */
const COLOURS = 64

export class WallTubes {
  readonly group = new Group()
  private readonly mesh = new TubeMesh()
  private readonly colours = Array.from({ length: COLOURS }, (_, index) => {
    const [red, green, blue] = rgb(index / (COLOURS - 1))
    const colour = new Color().setRGB(red / 255, green / 255, blue / 255, SRGBColorSpace)
    return colour.toArray() as [number, number, number]
  })
  private shown: Tubes | null = null

  constructor() {
    this.group.add(this.mesh.mesh)
    this.group.visible = false
  }

  /** Shows the tubes of a step; null hides them. */
  set(tubes: Tubes | null): void {
    this.group.visible = tubes !== null
    if (!tubes || tubes === this.shown) return
    this.shown = tubes
    this.group.position.set(...tubes.origin)
    this.group.scale.setScalar(tubes.scale)
    const [least, most] = tubes.range
    const colouring = ({ quantities }: CorePlace) => {
      const share = (quantities[0]! - least) / Math.max(most - least, Number.MIN_VALUE)
      return this.colours[Math.round((COLOURS - 1) * Math.max(0, Math.min(1, share)))]!
    }
    this.mesh.fill(decodeStep(tubes.step), colouring, () => [0, 0, 0])
  }

  dispose(): void {
    this.group.removeFromParent()
    this.mesh.dispose()
  }
}
