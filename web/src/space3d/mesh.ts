// Triangles of points with four coordinates, and their buffers.
import { BufferAttribute, InstancedBufferGeometry } from 'three'
import { cosine, curvature, type Geometry, type Point, pointAt, sine, type Vector } from './isometry'

export type Rgb = readonly [number, number, number]

/** Triangles of a mesh, each with its own three corners. */
export class Mesh4 {
  readonly points: number[] = []
  readonly normals: number[] = []
  readonly colours: number[] = []

  get triangles(): number {
    return this.points.length / 12
  }

  add(corner: Point, normal: Point, colour: Rgb): void {
    this.points.push(...corner)
    this.normals.push(...normal)
    this.colours.push(...colour)
  }

  triangle(a: Point, b: Point, c: Point, normal: Point, colour: Rgb): void {
    for (const corner of [a, b, c]) this.add(corner, normal, colour)
  }

  quad(a: Point, b: Point, c: Point, d: Point, normal: Point, colour: Rgb): void {
    this.triangle(a, b, c, normal, colour)
    this.triangle(a, c, d, normal, colour)
  }

  /** Adds triangles given near the origin of the tangent space, with outward normals there. */
  addSolid(geometry: Geometry, corners: readonly Vector[], normals: readonly Vector[], colours: readonly Rgb[]): void {
    corners.forEach((v, i) => this.add(pointAt(geometry, v), normalAt(geometry, v, normals[i]!), colours[i]!))
  }

  /** Makes the geometry of instances; the attributes of the instances are added by the caller. */
  build(): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.points), 4))
    geometry.setAttribute('normal4', new BufferAttribute(new Float32Array(this.normals), 4))
    geometry.setAttribute('tint', new BufferAttribute(new Float32Array(this.colours), 3))
    return geometry
  }
}

/** Carries a vector at the origin along the geodesic to the point of `v`. */
function normalAt(geometry: Geometry, v: Vector, normal: Vector): Point {
  const r = Math.hypot(...v)
  if (r === 0) return [...normal, 0]
  const k = curvature(geometry)
  const u = v.map((x) => x / r)
  const along = u[0]! * normal[0] + u[1]! * normal[1] + u[2]! * normal[2]
  // The part along the geodesic becomes its tangent there, (cos r u, -k sin r); the rest is unchanged.
  const change = along * (cosine(geometry, r) - 1)
  return [
    normal[0] + change * u[0]!,
    normal[1] + change * u[1]!,
    normal[2] + change * u[2]!,
    -k * along * sine(geometry, r),
  ]
}
