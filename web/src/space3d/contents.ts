// What is in the domain: an earth, a creature, and the observer's own figure.
import {
  BoxGeometry,
  type BufferGeometry,
  IcosahedronGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three'
import type { Geometry, Vector } from './isometry'
import { Mesh4, type Rgb } from './mesh'

/** A shape of the tangent space at the origin: triangles with normals and colours. */
export interface Solid {
  corners: Vector[]
  normals: Vector[]
  colours: Rgb[]
}

/** Takes the triangles of a geometry, moved by `place`. */
export function addTriangles(solid: Solid, shape: BufferGeometry, place: Matrix4, colour: (at: Vector) => Rgb): void {
  const flat = shape.index ? shape.toNonIndexed() : shape
  const positions = flat.getAttribute('position')
  const normals = flat.getAttribute('normal')
  const [p, n] = [new Vector3(), new Vector3()]
  for (let i = 0; i < positions.count; i++) {
    p.fromBufferAttribute(positions, i)
    const at: Vector = [p.x, p.y, p.z]
    p.applyMatrix4(place)
    n.fromBufferAttribute(normals, i).transformDirection(place)
    solid.corners.push([p.x, p.y, p.z])
    solid.normals.push([n.x, n.y, n.z])
    solid.colours.push(colour(at))
  }
}

export const emptySolid = (): Solid => ({ corners: [], normals: [], colours: [] })

/** Puts a solid of the tangent space at the origin into the space. */
export function solidMesh(geometry: Geometry, solid: Solid): Mesh4 {
  const mesh = new Mesh4()
  mesh.addSolid(geometry, solid.corners, solid.normals, solid.colours)
  return mesh
}

const SEA: Rgb = [0.13, 0.36, 0.66]
const SHALLOW: Rgb = [0.2, 0.52, 0.72]
const LAND: Rgb = [0.36, 0.6, 0.26]
const DRY: Rgb = [0.78, 0.68, 0.42]
const ICE: Rgb = [0.95, 0.97, 1]

/** Colour of the earth in a direction: ice at the poles, and land where a fixed sum of waves is high. */
export function earthColour([x, y, z]: Vector): Rgb {
  if (Math.abs(y) > 0.9) return ICE
  const height =
    Math.sin(2.3 * x + 1.1 * y + 0.4) +
    Math.sin(3.1 * y - 2.2 * z + 1.3) +
    Math.sin(2.7 * z + 1.9 * x - 0.7) +
    0.5 * Math.sin(6.1 * x - 5.3 * z + 0.2)
  if (height > 1.7) return DRY
  if (height > 0.7) return LAND
  return height > 0.45 ? SHALLOW : SEA
}

/** The earth about the base point. `detail` is the number of times that the icosahedron is divided. */
export function earth(geometry: Geometry, radius: number, detail: number): Mesh4 {
  const solid = emptySolid()
  const shape = new IcosahedronGeometry(1, detail)
  addTriangles(solid, shape, new Matrix4().makeScale(radius, radius, radius), earthColour)
  return solidMesh(geometry, solid)
}

/** The observer's figure: it looks along -z and wears a yellow backpack, so that front and back differ. */
export function figure(geometry: Geometry, size: number): Mesh4 {
  const solid = emptySolid()
  const skin: Rgb = [0.93, 0.74, 0.6]
  const shirt: Rgb = [0.8, 0.24, 0.2]
  const trousers: Rgb = [0.2, 0.24, 0.42]
  const backpack: Rgb = [0.98, 0.8, 0.2]
  const dark: Rgb = [0.12, 0.1, 0.1]
  const box = (colour: Rgb, centre: Vector, half: Vector) => {
    const place = new Matrix4().compose(
      new Vector3(...centre).multiplyScalar(size),
      new Quaternion(),
      new Vector3(...half).multiplyScalar(2 * size),
    )
    addTriangles(solid, new BoxGeometry(1, 1, 1), place, () => colour)
  }
  const ball = (colour: (at: Vector) => Rgb, centre: Vector, radius: number) => {
    const place = new Matrix4().compose(
      new Vector3(...centre).multiplyScalar(size),
      new Quaternion(),
      new Vector3(1, 1, 1).multiplyScalar(radius * size),
    )
    addTriangles(solid, new SphereGeometry(1, 10, 7), place, colour)
  }
  // The eyes are at the origin. Hair covers the back of the head.
  ball(([, y, z]) => (z > 0.1 || y > 0.75 ? dark : skin), [0, 0, 0], 0.22)
  box(dark, [-0.08, 0.03, -0.2], [0.03, 0.03, 0.03])
  box(dark, [0.08, 0.03, -0.2], [0.03, 0.03, 0.03])
  box(shirt, [0, -0.55, 0], [0.24, 0.32, 0.13])
  box(backpack, [0, -0.5, 0.22], [0.17, 0.22, 0.1])
  box(shirt, [-0.33, -0.5, 0], [0.07, 0.26, 0.08])
  box(shirt, [0.33, -0.5, 0], [0.07, 0.26, 0.08])
  box(trousers, [-0.12, -1.15, 0], [0.1, 0.3, 0.11])
  box(trousers, [0.12, -1.15, 0], [0.1, 0.3, 0.11])
  return solidMesh(geometry, solid)
}
