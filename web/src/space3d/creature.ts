// A creature of Burgess as triangles of a space: it stands on the earth, above the base point.
import { Matrix4, Quaternion, Vector3 } from 'three'
import type { Appearance } from '../lib/protocol'
import { buildPieces } from '../scene3d/pieces'
import { unitGeometry } from '../scene3d/shapes'
import { POSE } from '../lib/frame'
import { addTriangles, emptySolid, solidMesh } from './contents'
import type { Geometry } from './isometry'
import type { Mesh4, Rgb } from './mesh'

/** The coarsest of the levels of detail: there are many copies. */
const LEVEL = 2

/**
 * Makes the mesh. `poses` are those of a frame; `size` is the largest extent of the creature in the space, and `height` the
 * distance of its feet from the base point.
 */
export function creatureMesh(
  geometry: Geometry,
  appearance: Appearance,
  poses: Float32Array,
  size: number,
  height: number,
): Mesh4 {
  const pieces = buildPieces(appearance)
  const placed: { index: number; matrix: Matrix4 }[] = []
  for (let index = 0; index < pieces.count; index++) {
    const body = pieces.bodies[index]!
    if (body < 0) continue
    const [x, y, z, qx, qy, qz, qw] = poses.subarray(POSE * body, POSE * body + 7)
    const pose = new Matrix4().compose(
      new Vector3(x, y, z),
      new Quaternion(qx, qy, qz, qw).normalize(),
      new Vector3(1, 1, 1),
    )
    placed.push({ index, matrix: pose.multiply(new Matrix4().fromArray(pieces.locals, 16 * index)) })
  }
  const solid = emptySolid()
  for (const { index, matrix } of placed) {
    // Colours of pieces are linear; the shader of spaces writes them as they are.
    const colour = [0, 1, 2].map((k) => Math.sqrt(pieces.colours[3 * index + k]!)) as unknown as Rgb
    addTriangles(solid, unitGeometry(pieces.units[index]!, pieces.meshes).surfaces[LEVEL]!, matrix, () => colour)
  }
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (const corner of solid.corners)
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, corner[k]!)
      high[k] = Math.max(high[k]!, corner[k]!)
    }
  const scale = size / Math.max(...high.map((top, k) => top - low[k]!), 1e-9)
  const [cx, cy] = [(low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2]
  // Worlds are z up, spaces y up.
  solid.corners = solid.corners.map(([x, y, z]) => [
    scale * (x - cx),
    height + scale * (z - low[2]!),
    -scale * (y - cy),
  ])
  solid.normals = solid.normals.map(([x, y, z]) => [x, z, -y])
  return solidMesh(geometry, solid)
}
