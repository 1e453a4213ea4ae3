// Geometry of the unit shapes: surfaces in three levels of detail, and edges. All worlds share it. Axes are along z.
import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, EdgesGeometry, SphereGeometry } from 'three'
import type { Mesh } from '../lib/protocol'
import type { Unit } from './pieces'

/** Number of levels of detail; level 0 is the finest. */
export const LEVELS = 3

/** Segments round the axis at each level. */
const SEGMENTS = [48, 24, 8]

/** Angle from the top of a dome to its rim, in rad: it reaches a little into the tube, so that no gap shows between them. */
const DOME_ANGLE = Math.PI / 2 + 0.1

/** Wireframes show edges that bend by more than this angle, in degrees. */
const EDGE_ANGLE = 12

export interface UnitGeometry {
  /** One surface for each level; the same where a shape has only one. */
  surfaces: BufferGeometry[]
  edges: BufferGeometry
}

const shared = new Map<string, UnitGeometry>()

/** Returns the geometry of a unit shape, which is shared, or of a mesh, which the caller must dispose of. */
export function unitGeometry(unit: Unit, meshes: Mesh[]): UnitGeometry {
  if (unit.startsWith('mesh:')) return meshGeometry(meshes[Number(unit.slice(5))]!)
  let geometry = shared.get(unit)
  if (!geometry) {
    geometry = build(unit)
    shared.set(unit, geometry)
  }
  return geometry
}

function build(unit: Unit): UnitGeometry {
  switch (unit) {
    case 'sphere':
      return { surfaces: SEGMENTS.map((n) => upright(new SphereGeometry(1, n, n / 2))), edges: rings(false) }
    case 'dome':
      return {
        surfaces: SEGMENTS.map((n) =>
          upright(new SphereGeometry(1, n, Math.ceil(n / 4), 0, 2 * Math.PI, 0, DOME_ANGLE)),
        ),
        edges: rings(true),
      }
    case 'tube':
      return {
        surfaces: SEGMENTS.map((n) => upright(new CylinderGeometry(1, 1, 2, n, 1, true))),
        edges: new EdgesGeometry(upright(new CylinderGeometry(1, 1, 2, 4, 1, true))),
      }
    case 'cylinder': {
      const surfaces = SEGMENTS.map((n) => upright(new CylinderGeometry(1, 1, 2, n)))
      return { surfaces, edges: new EdgesGeometry(upright(new CylinderGeometry(1, 1, 2, 16))) }
    }
    default: {
      const box = new BoxGeometry(2, 2, 2)
      return { surfaces: [box, box, box], edges: new EdgesGeometry(box, EDGE_ANGLE) }
    }
  }
}

/** Turns the axis of a three.js geometry from y to z. */
function upright<T extends BufferGeometry>(geometry: T): T {
  geometry.rotateX(Math.PI / 2)
  return geometry
}

/** Circles of a sphere's wireframe; for a dome only the upper halves. */
function rings(dome: boolean): BufferGeometry {
  const points: number[] = []
  const n = 32
  const circle = (at: (cos: number, sin: number) => [number, number, number], turn: number) => {
    for (let k = 0; k < n; k++) {
      for (const end of [k, k + 1]) {
        const angle = (turn * end) / n
        points.push(...at(Math.cos(angle), Math.sin(angle)))
      }
    }
  }
  const side = dome ? Math.PI : 2 * Math.PI
  circle((c, s) => [c, s, 0], 2 * Math.PI)
  circle((c, s) => [c, 0, s], side)
  circle((c, s) => [0, c, s], side)
  return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points), 3))
}

function meshGeometry(mesh: Mesh): UnitGeometry {
  const surface = new BufferGeometry()
  surface.setAttribute('position', new BufferAttribute(new Float32Array(mesh.positions), 3))
  surface.setIndex(mesh.triangles)
  if (mesh.normals.length === mesh.positions.length) {
    surface.setAttribute('normal', new BufferAttribute(new Float32Array(mesh.normals), 3))
  } else surface.computeVertexNormals()
  return { surfaces: [surface, surface, surface], edges: new EdgesGeometry(surface, EDGE_ANGLE) }
}

export function trianglesOf(geometry: BufferGeometry): number {
  return (geometry.index ? geometry.index.count : geometry.attributes.position!.count) / 3
}
