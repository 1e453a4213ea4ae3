// The pieces that a world is drawn with. A piece is one of a few unit shapes, scaled and placed in its body.
// A capsule is a tube (a cylinder without caps) and two domes; half-spaces become planes.
import { Color as ThreeColor, Matrix4, Quaternion, SRGBColorSpace, Vector3 } from 'three'
import type { Appearance, Mesh, Shape } from '../lib/protocol'

/** A unit shape: within -1..1 on each axis, except meshes, which have their own size. */
export type Unit = 'box' | 'sphere' | 'cylinder' | 'tube' | 'dome' | `mesh:${number}`

export interface Pieces {
  count: number
  units: Unit[]
  /** Body of each piece; -1 for pieces fixed in the world. */
  bodies: Int32Array
  /** Matrix of each piece in its body's frame, 16 floats by columns. */
  locals: Float32Array
  /** Linear red, green and blue of each piece. */
  colours: Float32Array
  /** Radius of a sphere round the piece's origin that contains it, in m. */
  radii: Float32Array
  meshes: Mesh[]
  planes: Plane[]
}

/** Surface of a half-space: z = 0 in its pose. */
export interface Plane {
  body: number
  matrix: Matrix4
  colour: ThreeColor
}

interface Piece {
  unit: Unit
  body: number
  local: Matrix4
  colour: ThreeColor
  radius: number
}

export function buildPieces(appearance: Appearance): Pieces {
  const pieces: Piece[] = []
  const planes: Plane[] = []
  for (const shape of appearance.shapes) {
    const body = shape.body ?? -1
    const colour = new ThreeColor().setRGB(shape.color[0], shape.color[1], shape.color[2], SRGBColorSpace)
    const pose = poseMatrix(shape.pose)
    if (shape.kind === 'half-space') planes.push({ body, matrix: pose, colour })
    else {
      for (const part of partsOf(shape, appearance.meshes)) {
        pieces.push({ ...part, body, colour, local: pose.clone().multiply(part.local) })
      }
    }
  }
  return pack(pieces, planes, appearance.meshes)
}

/** Returns the horizontal plane that is fixed in the world, if there is one. */
export function levelPlane(pieces: Pieces): Plane | undefined {
  return pieces.planes.find((plane) => plane.body < 0 && plane.matrix.elements[10]! > 0.9999)
}

/** Returns the height of the ground, in m; null without ground. */
export function groundHeight(appearance: Appearance, pieces: Pieces): number | null {
  return levelPlane(pieces)?.matrix.elements[14] ?? (appearance.ground ? 0 : null)
}

function partsOf(shape: Shape, meshes: Mesh[]): Pick<Piece, 'unit' | 'local' | 'radius'>[] {
  const [a = 0, b = 0, c = 0] = shape.size
  switch (shape.kind) {
    case 'box':
      return [{ unit: 'box', local: new Matrix4().makeScale(a, b, c), radius: Math.hypot(a, b, c) }]
    case 'sphere':
      return [{ unit: 'sphere', local: new Matrix4().makeScale(a, a, a), radius: a }]
    case 'ellipsoid':
      return [{ unit: 'sphere', local: new Matrix4().makeScale(a, b, c), radius: Math.max(a, b, c) }]
    case 'cylinder':
      return [{ unit: 'cylinder', local: new Matrix4().makeScale(a, a, b), radius: Math.hypot(a, b) }]
    case 'capsule':
      return [
        { unit: 'tube', local: new Matrix4().makeScale(a, a, b), radius: Math.hypot(a, b) },
        { unit: 'dome', local: new Matrix4().makeScale(a, a, a).setPosition(0, 0, b), radius: a },
        { unit: 'dome', local: flippedDome(a).setPosition(0, 0, -b), radius: a },
      ]
    case 'mesh': {
      const mesh = meshes[shape.mesh ?? 0]
      return mesh ? [{ unit: `mesh:${shape.mesh ?? 0}`, local: new Matrix4(), radius: meshRadius(mesh) }] : []
    }
    default:
      return []
  }
}

/** A dome turned upside down, half a turn about x. */
function flippedDome(radius: number): Matrix4 {
  return new Matrix4().makeRotationX(Math.PI).scale(new Vector3(radius, radius, radius))
}

function meshRadius(mesh: Mesh): number {
  let max = 0
  for (let at = 0; at + 2 < mesh.positions.length; at += 3) {
    max = Math.max(max, Math.hypot(mesh.positions[at]!, mesh.positions[at + 1]!, mesh.positions[at + 2]!))
  }
  return max
}

export function poseMatrix(pose: ArrayLike<number>): Matrix4 {
  return new Matrix4().compose(
    new Vector3(pose[0], pose[1], pose[2]),
    new Quaternion(pose[3], pose[4], pose[5], pose[6]),
    new Vector3(1, 1, 1),
  )
}

function pack(pieces: Piece[], planes: Plane[], meshes: Mesh[]): Pieces {
  const count = pieces.length
  const packed: Pieces = {
    count,
    units: pieces.map((piece) => piece.unit),
    bodies: Int32Array.from(pieces, (piece) => piece.body),
    locals: new Float32Array(16 * count),
    colours: new Float32Array(3 * count),
    radii: Float32Array.from(pieces, (piece) => piece.radius),
    meshes,
    planes,
  }
  pieces.forEach((piece, index) => {
    packed.locals.set(piece.local.elements, 16 * index)
    piece.colour.toArray(packed.colours, 3 * index)
  })
  return packed
}

/**
 * Writes the matrix of each piece in the world, 16 floats each: its body's pose times its matrix in the body. Pieces of
 * bodies without a pose stay where they were.
 */
export function placePieces(pieces: Pieces, poses: Float32Array, out: Float32Array): void {
  const { bodies, locals } = pieces
  for (let index = 0; index < pieces.count; index++) {
    const at = 16 * index
    const body = bodies[index]!
    if (body < 0) {
      for (let k = 0; k < 16; k++) out[at + k] = locals[at + k]!
    } else if (7 * body + 6 < poses.length) {
      multiplyPose(poses, 7 * body, locals, at, out)
    }
  }
}

function multiplyPose(poses: Float32Array, from: number, locals: Float32Array, at: number, out: Float32Array): void {
  const x = poses[from + 3]!
  const y = poses[from + 4]!
  const z = poses[from + 5]!
  const w = poses[from + 6]!
  const r00 = 1 - 2 * (y * y + z * z)
  const r01 = 2 * (x * y - w * z)
  const r02 = 2 * (x * z + w * y)
  const r10 = 2 * (x * y + w * z)
  const r11 = 1 - 2 * (x * x + z * z)
  const r12 = 2 * (y * z - w * x)
  const r20 = 2 * (x * z - w * y)
  const r21 = 2 * (y * z + w * x)
  const r22 = 1 - 2 * (x * x + y * y)
  for (let column = 0; column < 4; column++) {
    const k = at + 4 * column
    const lx = locals[k]!
    const ly = locals[k + 1]!
    const lz = locals[k + 2]!
    out[k] = r00 * lx + r01 * ly + r02 * lz
    out[k + 1] = r10 * lx + r11 * ly + r12 * lz
    out[k + 2] = r20 * lx + r21 * ly + r22 * lz
    out[k + 3] = 0
  }
  out[at + 12]! += poses[from]!
  out[at + 13]! += poses[from + 1]!
  out[at + 14]! += poses[from + 2]!
  out[at + 15] = 1
}
