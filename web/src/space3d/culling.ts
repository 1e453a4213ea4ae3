// Choice of the copies of the domain that are drawn: those in view, the nearest first, within the triangle budget.
import { distanceFromOrigin, type Geometry, type Matrix, multiplyInto, sine } from './isometry'

export interface Cull {
  geometry: Geometry
  /** Maps the domain to the observer's axes. */
  view: Matrix
  /** Matrices of the copies, 16 numbers each. */
  copies: ArrayLike<number>
  /** Radius of the sphere about the centre of a copy that contains it. */
  radius: number
  /** Unit normals of the sides of the picture, inwards. */
  sides: readonly (readonly [number, number, number])[]
  /** Copies farther than this are in the fog. */
  reach: number
  /** Maximum number of copies. */
  limit: number
  /** -1 for the far half of a sphere, whose points are seen in the opposite direction. */
  sign?: 1 | -1
}

export interface Drawn {
  copy: number
  distance: number
}

/** Returns the copies to draw, the nearest first. */
export function visibleCopies(cull: Cull): Drawn[] {
  const { geometry, view, copies, radius, sides, reach, limit, sign = 1 } = cull
  const found: Drawn[] = []
  // Half of the sphere or more is on every side of every plane.
  const slack = geometry === 'spherical' && radius >= Math.PI / 2 ? Infinity : sine(geometry, radius)
  for (let copy = 0, at = 12; at < copies.length; copy++, at += 16) {
    const [a, b, c, d] = [copies[at]!, copies[at + 1]!, copies[at + 2]!, copies[at + 3]!]
    const x = sign * (view[0]! * a + view[4]! * b + view[8]! * c + view[12]! * d)
    const y = sign * (view[1]! * a + view[5]! * b + view[9]! * c + view[13]! * d)
    const z = sign * (view[2]! * a + view[6]! * b + view[10]! * c + view[14]! * d)
    // The generalised sine of the distance from a plane through the observer.
    let outside = false
    for (const side of sides) outside ||= side[0] * x + side[1] * y + side[2] * z < -slack
    if (outside) continue
    const w = sign * (view[3]! * a + view[7]! * b + view[11]! * c + view[15]! * d)
    const distance = distanceFromOrigin(geometry, [x, y, z, w])
    if (distance - radius <= reach) found.push({ copy, distance })
  }
  found.sort((a, b) => a.distance - b.distance || a.copy - b.copy)
  return found.length > limit ? found.slice(0, limit) : found
}

/** Writes the matrices view x copy (x inner) of the drawn copies, 16 numbers each. */
export function writeMatrices(
  out: Float32Array,
  drawn: readonly Drawn[],
  view: Matrix,
  copies: ArrayLike<number>,
  inner?: Matrix,
): void {
  const [product, whole] = [new Float64Array(16), new Float64Array(16)]
  drawn.forEach(({ copy }, index) => {
    multiplyInto(product, view, copies, 16 * copy)
    out.set(inner ? multiplyInto(whole, product, inner) : product, 16 * index)
  })
}
