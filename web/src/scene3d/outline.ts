// The outline of the selected body: the edges of its pieces over everything else, and a veil on their surfaces.
import { Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial } from 'three'
import type { Pieces } from './pieces'
import { unitGeometry } from './shapes'

/** Drawn after all other objects. */
const RENDER_ORDER = 10
const COLOUR = '#ff6a4d'

export class Outline {
  readonly group = new Group()
  private readonly edges = new LineBasicMaterial({ color: COLOUR, depthTest: false, transparent: true })
  private readonly veil = new MeshBasicMaterial({
    color: COLOUR,
    transparent: true,
    opacity: 0.3,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -4,
  })
  /** The piece of each object in the group. */
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
      const { edges, surfaces } = unitGeometry(pieces.units[index]!, pieces.meshes)
      for (const object of [new LineSegments(edges, this.edges), new Mesh(surfaces[0], this.veil)]) {
        object.matrixAutoUpdate = false
        object.frustumCulled = false
        object.renderOrder = RENDER_ORDER
        this.places.push(index)
        this.group.add(object)
      }
    })
  }

  /** Moves the outline to the matrices of the pieces in the world. */
  place(worlds: Float32Array): void {
    this.places.forEach((index, number) => {
      const object = this.group.children[number]!
      object.matrix.fromArray(worlds, 16 * index)
      object.matrixWorldNeedsUpdate = true
    })
  }

  private clear(): void {
    this.group.children.forEach((object, number) => {
      // The geometry of unit shapes is shared; that of meshes is made for each outline.
      const unit = this.pieces!.units[this.places[number]!]!
      if (unit.startsWith('mesh:')) (object as Mesh | LineSegments).geometry.dispose()
    })
    this.group.clear()
    this.places = []
  }

  dispose(): void {
    this.clear()
    this.edges.dispose()
    this.veil.dispose()
    this.group.removeFromParent()
  }
}
