// The observer in a space. The observer is brought back into the domain by elements of the group; the copies of the
// domain never move, so that far copies keep their accuracy.
import {
  apply,
  type Geometry,
  identity,
  inverse,
  type Matrix,
  multiply,
  ORIGIN,
  orthonormalised,
  type Point,
  translation,
  turn,
  type Vector,
} from './isometry'

/** A face as the observer needs it: its plane and the matrix of the copy beyond it. */
export interface Gate {
  plane: Point
  pairing: ArrayLike<number>
}

/** A position is outside only if it is beyond a face by more than this. */
const FACE_TOLERANCE = 1e-13
const MAX_CROSSINGS = 1000

export class Observer {
  /** Maps the observer's axes (x right, y up, -z forward) to the domain. */
  frame: Matrix = identity()
  /** Number of faces crossed since the start. */
  crossings = 0
  private readonly back: Matrix[]

  constructor(
    readonly geometry: Geometry,
    private readonly gates: readonly Gate[],
  ) {
    this.back = gates.map((gate) => inverse(geometry, gate.pairing))
  }

  /** The position in the domain. */
  get position(): Point {
    return apply(this.frame, ORIGIN)
  }

  /** The matrix that maps the domain to the observer's axes. */
  get view(): Matrix {
    return inverse(this.geometry, this.frame)
  }

  /** Moves along `drift` and turns about `axis`, in the observer's axes. Returns the faces crossed. */
  step(drift: Vector, axis: Vector = [0, 0, 0]): number[] {
    const moved = multiply(multiply(this.frame, translation(this.geometry, drift)), turn(axis))
    this.frame = orthonormalised(this.geometry, moved)
    return this.bringBack()
  }

  private bringBack(): number[] {
    const crossed: number[] = []
    while (crossed.length < MAX_CROSSINGS) {
      const p = this.position
      let [farthest, face] = [FACE_TOLERANCE, -1]
      this.gates.forEach(({ plane }, index) => {
        const height = plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3] * p[3]
        if (height > farthest) [farthest, face] = [height, index]
      })
      if (face < 0) break
      this.frame = multiply(this.back[face]!, this.frame)
      crossed.push(face)
    }
    this.crossings += crossed.length
    return crossed
  }
}
