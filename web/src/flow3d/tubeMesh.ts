// The surfaces of all tubes of a step in one mesh with a fixed number of triangles.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh, MeshStandardMaterial } from 'three'
import { detail, divide, type Share, TRIANGLES } from './budget'
import { type CorePlace, emptyPlace, placeAt, type TubeStep } from './tubes'

/** Vertices: each segment needs one ring of vertices and each tube one more, and there are at most as many tubes. */
const VERTICES = TRIANGLES + 64

/** Colour of a value, as three numbers from 0 to 1 in the renderer's colour space. */
export type Colouring = (place: CorePlace, track: number) => readonly [number, number, number]
/** Shift of a track, so that it stays in one piece when it crosses a periodic box. */
export type Shift = (track: number) => readonly [number, number, number]

export class TubeMesh {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>
  private readonly positions = dynamic(VERTICES)
  private readonly normals = dynamic(VERTICES)
  private readonly colours = dynamic(VERTICES)
  private readonly index = new BufferAttribute(new Uint32Array(TRIANGLES * 3), 1).setUsage(DynamicDrawUsage)
  private readonly place = emptyPlace()
  private readonly side = [0, 0, 0]
  private vertex = 0
  private corner = 0

  constructor() {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', this.positions)
    geometry.setAttribute('normal', this.normals)
    geometry.setAttribute('color', this.colours)
    geometry.setIndex(this.index)
    const material = new MeshStandardMaterial({
      vertexColors: true,
      roughness: 0.45,
      metalness: 0.05,
      side: DoubleSide,
    })
    this.mesh = new Mesh(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.castShadow = this.mesh.receiveShadow = true
  }

  /** Fills the mesh; returns its number of triangles. */
  fill(step: TubeStep, colouring: Colouring, shift: Shift): number {
    const { sides, segments } = detail(step.tubes.length)
    this.vertex = this.corner = 0
    const table = angleTable(sides)
    for (const share of divide(step, segments)) this.addTube(step, share, sides, table, colouring, shift)
    for (const attribute of [this.positions, this.normals, this.colours, this.index]) attribute.needsUpdate = true
    this.mesh.geometry.setDrawRange(0, this.corner)
    return this.corner / 3
  }

  private addTube(
    step: TubeStep,
    { tube, segments, costs, cost }: Share,
    sides: number,
    table: Float64Array,
    colouring: Colouring,
    shift: Shift,
  ): void {
    const { place } = this
    const moved = shift(tube.track)
    let piece = 0
    let before = 0
    for (let ring = 0; ring <= segments; ring++) {
      const wanted = (cost * ring) / segments
      while (piece < costs.length - 1 && before + costs[piece]! < wanted - 1e-9) before += costs[piece++]!
      const share = costs[piece]! > 0 ? Math.min(Math.max((wanted - before) / costs[piece]!, 0), 1) : 0
      placeAt(step, tube, piece, share, place)
      // Open ends are rounded, if there are enough rings.
      const fromEnd = Math.min(ring, segments - ring)
      const end = tube.closed || segments < 8 || fromEnd > 2 ? 1 : [0.02, 0.6, 0.88][fromEnd]!
      this.addRing(sides, table, end, moved, colouring(place, tube.track))
      if (ring > 0) this.addSegment(sides)
    }
  }

  private addRing(
    sides: number,
    table: Float64Array,
    scale: number,
    shift: readonly [number, number, number],
    colour: readonly [number, number, number],
  ): void {
    const { position: p, tangent: t, normal: n, terms } = this.place
    const { side } = this
    side[0] = t[1] * n[2] - t[2] * n[1]
    side[1] = t[2] * n[0] - t[0] * n[2]
    side[2] = t[0] * n[1] - t[1] * n[0]
    const [places, normals, colours] = [this.positions.array, this.normals.array, this.colours.array]
    for (let k = 0; k < sides; k++) {
      let radius = terms[0]!
      let slope = 0
      for (let order = 1; order <= 4; order++) {
        const at = 2 * ((k * order) % sides)
        const cos = table[at]!
        const sin = table[at + 1]!
        radius += 2 * (terms[2 * order - 1]! * cos - terms[2 * order]! * sin)
        slope -= 2 * order * (terms[2 * order - 1]! * sin + terms[2 * order]! * cos)
      }
      radius = Math.max(radius, 0.05 * terms[0]!) * scale
      const tilt = (-slope * scale) / Math.max(radius, 1e-30)
      const cos = table[2 * k]!
      const sin = table[2 * k + 1]!
      const at = 3 * this.vertex++
      for (let axis = 0; axis < 3; axis++) {
        const out = cos * n[axis]! + sin * side[axis]!
        const around = cos * side[axis]! - sin * n[axis]!
        places[at + axis] = p[axis]! + shift[axis]! + radius * out
        normals[at + axis] = out + Math.max(-2, Math.min(2, tilt)) * around
        colours[at + axis] = colour[axis]!
      }
    }
  }

  /** Triangles between the last two rings. */
  private addSegment(sides: number): void {
    const corners = this.index.array
    const [last, next] = [this.vertex - 2 * sides, this.vertex - sides]
    for (let k = 0; k < sides; k++) {
      const other = (k + 1) % sides
      corners[this.corner++] = last + k
      corners[this.corner++] = last + other
      corners[this.corner++] = next + k
      corners[this.corner++] = next + k
      corners[this.corner++] = last + other
      corners[this.corner++] = next + other
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}

function dynamic(count: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(count * 3), 3).setUsage(DynamicDrawUsage)
}

/** Cosine and sine of the angles of the sides. */
function angleTable(sides: number): Float64Array {
  const angle = (k: number) => (2 * Math.PI * (k >> 1)) / sides
  return Float64Array.from({ length: 2 * sides }, (_, k) => (k % 2 ? Math.sin(angle(k)) : Math.cos(angle(k))))
}
