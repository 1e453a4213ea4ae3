// The outline of the selected body: the edges of its pieces, drawn over everything else.
import { Group, LineBasicMaterial, LineSegments } from 'three'
import type { Pieces } from './pieces'
import { unitGeometry } from './shapes'

/** Drawn after all other objects. */
const RENDER_ORDER = 10

export class Outline {
  readonly group = new Group()
  private readonly material = new LineBasicMaterial({ color: '#ff6a4d', depthTest: false, transparent: true })
  private places: number[] = []
  private pieces: Pieces | null = null
  private body: number | null = null

  constructor() {
    this.group.renderOrder = RENDER_ORDER
  }

  /** Sets the body to outline; null removes the outline. */
  set(pieces: Pieces | null, body: number | null): void {
    if (pieces === this.pieces && body === this.body) return
    this.clear()
    this.pieces = pieces
    this.body = body
    if (!pieces || body === null) return
    pieces.bodies.forEach((owner, index) => {
      if (owner !== body) return
      const { edges } = unitGeometry(pieces.units[index]!, pieces.meshes)
      const lines = new LineSegments(edges, this.material)
      lines.matrixAutoUpdate = false
      lines.frustumCulled = false
      lines.renderOrder = RENDER_ORDER
      this.places.push(index)
      this.group.add(lines)
    })
  }

  /** Moves the outline to the matrices of the pieces in the world. */
  place(worlds: Float32Array): void {
    this.places.forEach((index, number) => {
      const lines = this.group.children[number] as LineSegments
      lines.matrix.fromArray(worlds, 16 * index)
      lines.matrixWorldNeedsUpdate = true
    })
  }

  private clear(): void {
    for (const child of this.group.children) {
      const unit = this.pieces!.units[this.places[this.group.children.indexOf(child)]!]!
      // The geometry of unit shapes is shared; that of meshes is made for each outline.
      if (unit.startsWith('mesh:')) (child as LineSegments).geometry.dispose()
    }
    this.group.clear()
    this.places = []
  }

  dispose(): void {
    this.clear()
    this.material.dispose()
    this.group.removeFromParent()
  }
}
