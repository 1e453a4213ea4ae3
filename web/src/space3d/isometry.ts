// Points and isometries of the three spaces of constant curvature, by one set of formulas, as in the crate `geometry`.
// A point is (x, y, z, w) with k |xyz|^2 + w^2 = 1, where k is the curvature; a matrix is 16 numbers by columns.

export type Geometry = 'spherical' | 'flat' | 'hyperbolic'
export type Point = readonly [number, number, number, number]
export type Matrix = Float64Array
export type Vector = readonly [number, number, number]

export const ORIGIN: Point = [0, 0, 0, 1]

/** The curvature k: 1, 0 or -1. */
export function curvature(geometry: Geometry): number {
  return geometry === 'spherical' ? 1 : geometry === 'flat' ? 0 : -1
}

/** The generalised sine: sin r, r or sinh r. */
export function sine(geometry: Geometry, r: number): number {
  return geometry === 'spherical' ? Math.sin(r) : geometry === 'flat' ? r : Math.sinh(r)
}

/** The generalised cosine: cos r, 1 or cosh r. */
export function cosine(geometry: Geometry, r: number): number {
  return geometry === 'spherical' ? Math.cos(r) : geometry === 'flat' ? 1 : Math.cosh(r)
}

/** Distance of a point from the origin. */
export function distanceFromOrigin(geometry: Geometry, p: ArrayLike<number>): number {
  const s = Math.hypot(p[0]!, p[1]!, p[2]!)
  return geometry === 'spherical' ? Math.atan2(s, p[3]!) : geometry === 'flat' ? s : Math.asinh(s)
}

/** The point at the end of the geodesic that leaves the origin along `v`. */
export function pointAt(geometry: Geometry, v: Vector): Point {
  const r = Math.hypot(...v)
  const ratio = r > 0 ? sine(geometry, r) / r : 1
  return [v[0] * ratio, v[1] * ratio, v[2] * ratio, cosine(geometry, r)]
}

export function identity(): Matrix {
  return new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
}

/** Writes a b into `out`, which must be neither of them. */
export function multiplyInto(out: Matrix, a: ArrayLike<number>, b: ArrayLike<number>, offset = 0): Matrix {
  for (let column = 0; column < 16; column += 4) {
    const x = b[offset + column]!
    const y = b[offset + column + 1]!
    const z = b[offset + column + 2]!
    const w = b[offset + column + 3]!
    for (let row = 0; row < 4; row++)
      out[column + row] = a[row]! * x + a[row + 4]! * y + a[row + 8]! * z + a[row + 12]! * w
  }
  return out
}

export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Matrix {
  return multiplyInto(new Float64Array(16), a, b)
}

/** The image of a point. */
export function apply(m: ArrayLike<number>, p: Point): Point {
  const row = (i: number) => m[i]! * p[0] + m[i + 4]! * p[1] + m[i + 8]! * p[2] + m[i + 12]! * p[3]
  return [row(0), row(1), row(2), row(3)]
}

/** The translation that moves the origin along `v`. */
export function translation(geometry: Geometry, v: Vector): Matrix {
  const r = Math.hypot(...v)
  const m = identity()
  if (r === 0) return m
  const k = curvature(geometry)
  const u = v.map((x) => x / r)
  const s = sine(geometry, r)
  const half = sine(geometry, r / 2)
  // cos r - 1 = -2 k sin^2(r/2), without cancellation.
  const versine = -2 * k * half * half
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) m[4 * column + row]! += versine * u[row]! * u[column]!
    m[4 * column + 3] = -k * s * u[column]!
    m[12 + column] = s * u[column]!
  }
  m[15] = 1 + versine
  return m
}

/** The rotation about an axis through the origin; the length of `v` is the angle, in rad. */
export function turn(v: Vector): Matrix {
  const angle = Math.hypot(...v)
  const m = identity()
  if (angle === 0) return m
  const [x, y, z] = [v[0] / angle, v[1] / angle, v[2] / angle]
  const s = Math.sin(angle)
  const half = Math.sin(angle / 2)
  const versine = 2 * half * half
  const c = 1 - versine
  m.set([c + versine * x * x, versine * x * y + s * z, versine * x * z - s * y], 0)
  m.set([versine * x * y - s * z, c + versine * y * y, versine * y * z + s * x], 4)
  m.set([versine * x * z + s * y, versine * y * z - s * x, c + versine * z * z], 8)
  return m
}

/** The inverse of an isometry. */
export function inverse(geometry: Geometry, m: ArrayLike<number>): Matrix {
  const k = curvature(geometry)
  const out = new Float64Array(16)
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++) {
      const sign = (row === 3) === (column === 3) ? 1 : k
      out[4 * column + row] = sign * m[4 * row + column]!
    }
  if (geometry === 'flat') {
    for (let row = 0; row < 3; row++) {
      out[12 + row] = -(out[row]! * m[12]! + out[4 + row]! * m[13]! + out[8 + row]! * m[14]!)
      out[4 * row + 3] = 0
    }
    out[15] = 1
  }
  return out
}

/** One step of Newton's iteration to the nearest exact isometry; it squares the error. */
export function orthonormalised(geometry: Geometry, m: Matrix): Matrix {
  const exact = geometry === 'flat' ? m.slice() : m
  if (geometry === 'flat') exact.set([0, 0, 0], 12)
  const correction = multiply(inverse(geometry, exact), exact)
  for (let i = 0; i < 16; i++) correction[i] = (i % 5 === 0 ? 1.5 : 0) - 0.5 * correction[i]!
  const out = multiply(exact, correction)
  if (geometry === 'flat') {
    out.set([m[12]!, m[13]!, m[14]!, 1], 12)
    out[3] = out[7] = out[11] = 0
  }
  return out
}

/** The vector orthogonal to three covectors. */
export function cross(a: Point, b: Point, c: Point): Point {
  const minor = (i: number, j: number, k: number) =>
    a[i]! * (b[j]! * c[k]! - b[k]! * c[j]!) -
    a[j]! * (b[i]! * c[k]! - b[k]! * c[i]!) +
    a[k]! * (b[i]! * c[j]! - b[j]! * c[i]!)
  return [minor(1, 2, 3), -minor(0, 2, 3), minor(0, 1, 3), -minor(0, 1, 2)]
}

/** The unit normal vector of a plane, which is tangent to the space at every point of the plane. */
export function normalOf(geometry: Geometry, plane: Point): Point {
  const k = curvature(geometry)
  const length = Math.sqrt(plane[0] ** 2 + plane[1] ** 2 + plane[2] ** 2 + k * plane[3] ** 2)
  return [plane[0] / length, plane[1] / length, plane[2] / length, (k * plane[3]) / length]
}

/** The point of the space on the line of a vector. */
export function onLine(geometry: Geometry, p: Point): Point {
  const square =
    geometry === 'spherical'
      ? p[0] ** 2 + p[1] ** 2 + p[2] ** 2 + p[3] ** 2
      : geometry === 'flat'
        ? p[3] ** 2
        : p[3] ** 2 - p[0] ** 2 - p[1] ** 2 - p[2] ** 2
  const scale = 1 / Math.sqrt(square)
  return [p[0] * scale, p[1] * scale, p[2] * scale, p[3] * scale]
}

/** The sum a p + b q. */
export function combine(a: number, p: Point, b: number, q: Point): Point {
  return [a * p[0] + b * q[0], a * p[1] + b * q[1], a * p[2] + b * q[2], a * p[3] + b * q[3]]
}
