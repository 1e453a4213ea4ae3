// Draws all pieces of a world in a few draw calls: one instanced mesh for each unit shape and level of detail. In each
// frame, a piece's size on the screen chooses its level.
import {
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  LineSegments,
  type Material,
  type PerspectiveCamera,
} from 'three'
import { placePieces, type Pieces, type Unit } from './pieces'
import { LEVELS, trianglesOf, unitGeometry, type UnitGeometry } from './shapes'
import { edgeMaterial, surfaceMaterial, type ShadingOptions } from './shading'

export type Display = 'solid' | 'wireframe' | 'none'

/** Minimum radius on the screen for each level, in pixels. */
const LEVEL_RADIUS = [48, 12, 0]

interface Batch {
  unit: Unit
  geometry: UnitGeometry
  /** Indices of the batch's pieces. */
  members: Int32Array
  levels: InstancedMesh[]
  triangles: number[]
  edges: InstancedLines
}

/** Instanced line segments: three.js draws any object with `isInstancedMesh` once per instance. */
class InstancedLines extends LineSegments {
  readonly isInstancedMesh = true
  readonly morphTexture = null
  instanceMatrix: InstancedBufferAttribute
  instanceColor: InstancedBufferAttribute
  count = 0

  constructor(geometry: BufferGeometry, material: Material, capacity: number) {
    super(geometry, material)
    this.instanceMatrix = attribute(16, capacity)
    this.instanceColor = attribute(3, capacity)
    this.frustumCulled = false
  }
}

export class Instances {
  readonly group = new Group()
  readonly pieces: Pieces
  /** Matrix of each piece in the world, 16 floats each. */
  readonly worlds: Float32Array
  /** Linear colours of pieces; `upload` sends changes to the GPU. */
  readonly colours: Float32Array
  private readonly batches: Batch[] = []
  /** Pieces that are left out of the picture have a 1. */
  readonly omitted: Uint8Array
  private display: Display = 'solid'
  private levelOf: Uint8Array

  constructor(pieces: Pieces, shading: ShadingOptions = {}) {
    this.pieces = pieces
    this.worlds = new Float32Array(16 * pieces.count)
    this.colours = pieces.colours.slice()
    this.levelOf = new Uint8Array(pieces.count)
    this.omitted = new Uint8Array(pieces.count)
    const members = new Map<Unit, number[]>()
    pieces.units.forEach((unit, index) => {
      const list = members.get(unit)
      if (list) list.push(index)
      else members.set(unit, [index])
    })
    for (const [unit, list] of members) this.batches.push(this.batch(unit, list, shading))
  }

  private batch(unit: Unit, list: number[], shading: ShadingOptions): Batch {
    const geometry = unitGeometry(unit, this.pieces.meshes)
    const material = surfaceMaterial(unit, shading)
    const several = geometry.surfaces[0] !== geometry.surfaces[1]
    const levels: InstancedMesh[] = []
    for (let level = 0; level < (several ? LEVELS : 1); level++) {
      const mesh = new InstancedMesh(geometry.surfaces[level]!, material, 0)
      mesh.instanceMatrix = attribute(16, list.length)
      mesh.instanceColor = attribute(3, list.length)
      mesh.castShadow = shading.opacity === undefined
      mesh.receiveShadow = true
      mesh.frustumCulled = false
      levels.push(mesh)
      this.group.add(mesh)
    }
    const edges = new InstancedLines(geometry.edges, edgeMaterial(), list.length)
    edges.visible = false
    this.group.add(edges)
    const triangles = levels.map((mesh) => trianglesOf(mesh.geometry))
    return { unit, geometry, members: Int32Array.from(list), levels, triangles, edges }
  }

  setDisplay(display: Display): void {
    this.display = display
    this.group.visible = display !== 'none'
    for (const batch of this.batches) {
      for (const mesh of batch.levels) mesh.visible = display === 'solid'
      batch.edges.visible = display === 'wireframe'
    }
  }

  /** Moves the pieces to the poses of their bodies. */
  place(poses: Float32Array): void {
    placePieces(this.pieces, poses, this.worlds)
  }

  /**
   * Chooses the level of each piece and returns the number of triangles to draw. `coarseness` is 1 for full detail; 2
   * needs twice the size on the screen for the same level.
   */
  chooseLevels(camera: PerspectiveCamera, height: number, coarseness: number): number {
    if (this.display !== 'solid') return 0
    const { x, y, z } = camera.position
    const focal = height / (2 * Math.tan((camera.fov * Math.PI) / 360))
    const fine = (LEVEL_RADIUS[0]! * coarseness) / focal
    const middle = (LEVEL_RADIUS[1]! * coarseness) / focal
    const { worlds, levelOf } = this
    const { radii } = this.pieces
    let triangles = 0
    for (const batch of this.batches) {
      if (batch.levels.length === 1) {
        triangles += batch.triangles[0]! * batch.members.length
        continue
      }
      for (const index of batch.members) {
        const at = 16 * index + 12
        const away = Math.hypot(worlds[at]! - x, worlds[at + 1]! - y, worlds[at + 2]! - z)
        const size = radii[index]! / Math.max(away, 1e-6)
        const level = size > fine ? 0 : size > middle ? 1 : 2
        levelOf[index] = level
        triangles += batch.triangles[level]!
      }
    }
    return triangles
  }

  /** Sends the matrices and colours of all pieces to the GPU, each in its chosen level. */
  upload(): void {
    if (this.display === 'none') return
    for (const batch of this.batches) {
      if (this.display === 'wireframe') {
        batch.edges.count = this.fill(batch.edges, batch.members, -1)
      } else if (batch.levels.length === 1) {
        batch.levels[0]!.count = this.fill(batch.levels[0]!, batch.members, -1)
      } else {
        batch.levels.forEach((mesh, level) => (mesh.count = this.fill(mesh, batch.members, level)))
      }
    }
  }

  private fill(mesh: InstancedMesh | InstancedLines, members: Int32Array, level: number): number {
    const { worlds, colours, levelOf, omitted } = this
    const matrices = mesh.instanceMatrix.array as Float32Array
    const shades = mesh.instanceColor!.array as Float32Array
    let count = 0
    for (const index of members) {
      if (omitted[index] || (level >= 0 && levelOf[index] !== level)) continue
      const from = 16 * index
      const to = 16 * count
      for (let k = 0; k < 16; k++) matrices[to + k] = worlds[from + k]!
      shades[3 * count] = colours[3 * index]!
      shades[3 * count + 1] = colours[3 * index + 1]!
      shades[3 * count + 2] = colours[3 * index + 2]!
      count++
    }
    markChanged(mesh.instanceMatrix, 16 * count)
    markChanged(mesh.instanceColor!, 3 * count)
    return count
  }

  /** Sets a colour for each body's pieces; where `colour` gives null, they keep their own. */
  setBodyColours(colour: ((body: number) => readonly [number, number, number] | null) | null): void {
    this.colours.set(this.pieces.colours)
    if (!colour) return
    this.pieces.bodies.forEach((body, index) => {
      const chosen = body < 0 ? null : colour(body)
      if (chosen) this.colours.set(chosen, 3 * index)
    })
  }

  dispose(): void {
    for (const batch of this.batches) {
      for (const mesh of batch.levels) mesh.dispose()
      ;(batch.levels[0]!.material as Material).dispose()
      ;(batch.edges.material as Material).dispose()
      if (batch.unit.startsWith('mesh:')) {
        batch.geometry.surfaces[0]!.dispose()
        batch.geometry.edges.dispose()
      }
    }
    this.group.removeFromParent()
  }
}

function attribute(size: number, capacity: number): InstancedBufferAttribute {
  const buffer = new InstancedBufferAttribute(new Float32Array(size * capacity), size)
  buffer.setUsage(DynamicDrawUsage)
  return buffer
}

function markChanged(buffer: InstancedBufferAttribute, floats: number): void {
  buffer.clearUpdateRanges()
  buffer.addUpdateRange(0, floats)
  buffer.needsUpdate = floats > 0
}
