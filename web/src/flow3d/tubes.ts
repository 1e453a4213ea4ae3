// The tubes of one step: decodes the bytes of `.../steps/STEP` and interpolates along cores.

/** Number of values of a point: position, normal, mean radius and Fourier terms, quantities. */
export const POINT = 19
export const NORMAL = 3
export const TERMS = 6
export const QUANTITIES = 15
/** Bytes of a tube's head. */
const HEAD = 24

export interface Tube {
  track: number
  /** Number of its first point among the points of all tubes. */
  first: number
  count: number
  closed: boolean
  /** From the first point to the same point after the last one, if the core is closed. */
  closure: [number, number, number]
}

export interface TubeStep {
  tubes: Tube[]
  /** `POINT` values for each point of all tubes. */
  values: Float32Array
  /** Derivatives of the cores by arc length, three numbers for each point. */
  slopes: Float32Array
}

/** Decodes a step; throws an error that says what is wrong with the bytes. */
export function decodeStep(bytes: ArrayBuffer): TubeStep {
  const view = new DataView(bytes)
  if (bytes.byteLength < 4) throw new Error(`A step starts with the number of tubes; found ${bytes.byteLength} bytes.`)
  const count = view.getUint32(0, true)
  const start = 4 + count * HEAD
  if (start > bytes.byteLength) throw new Error(`A step of ${count} tubes has more than ${bytes.byteLength} bytes.`)
  const tubes: Tube[] = []
  let points = 0
  for (let tube = 0; tube < count; tube++) {
    const at = 4 + tube * HEAD
    const number = view.getUint32(at + 4, true)
    const closure = [12, 16, 20].map((offset) => view.getFloat32(at + offset, true)) as [number, number, number]
    const closed = view.getUint32(at + 8, true) !== 0
    tubes.push({ track: view.getUint32(at, true), first: points, count: number, closed, closure })
    points += number
  }
  const expected = start + points * POINT * 4
  if (expected !== bytes.byteLength)
    throw new Error(`${points} points need ${expected} bytes; the step has ${bytes.byteLength}.`)
  const step: TubeStep = { tubes, values: new Float32Array(bytes, start, points * POINT), slopes: new Float32Array() }
  step.slopes = coreSlopes(step)
  return step
}

/** Number of pieces between points. */
export function pieces(tube: Tube): number {
  return tube.closed ? tube.count : Math.max(tube.count - 1, 0)
}

/** A place on a core. */
export interface CorePlace {
  position: [number, number, number]
  tangent: [number, number, number]
  normal: [number, number, number]
  terms: number[]
  quantities: number[]
}

export function emptyPlace(): CorePlace {
  return {
    position: [0, 0, 0],
    tangent: [0, 0, 1],
    normal: [1, 0, 0],
    terms: new Array<number>(9).fill(0),
    quantities: [0, 0, 0, 0],
  }
}

/** A coordinate of a point of a tube. Points beyond the ends of a closed tube continue by its closure. */
function coordinate(step: TubeStep, tube: Tube, point: number, axis: number): number {
  const turns = Math.floor(point / tube.count)
  const at = (tube.first + point - turns * tube.count) * POINT + axis
  return step.values[at]! + turns * tube.closure[axis]!
}

/** Derivatives of all cores by arc length at their points: those of the parabolas through neighbouring points. */
function coreSlopes(step: TubeStep): Float32Array {
  const slopes = new Float32Array((3 * step.values.length) / POINT)
  for (const tube of step.tubes) {
    const last = tube.count - 1
    const chord = (from: number) => {
      const d = [0, 1, 2].map((axis) => coordinate(step, tube, from + 1, axis) - coordinate(step, tube, from, axis))
      const length = Math.max(Math.hypot(d[0]!, d[1]!, d[2]!), 1e-30)
      return { d: d.map((value) => value / length), length }
    }
    const middle = (at: number) => {
      const [before, after] = [chord(at - 1), chord(at)]
      const sum = before.length + after.length
      return [0, 1, 2].map((axis) => (after.length * before.d[axis]! + before.length * after.d[axis]!) / sum)
    }
    const slope = (point: number) => {
      if (tube.count < 2) return [0, 0, 1]
      if (tube.closed || (point > 0 && point < last)) return middle(point)
      if (tube.count === 2) return chord(0).d
      const [end, inner] = point === 0 ? [chord(0).d, middle(1)] : [chord(last - 1).d, middle(last - 1)]
      return end.map((value, axis) => 2 * value - inner[axis]!)
    }
    for (let point = 0; point < tube.count; point++) slopes.set(slope(point), 3 * (tube.first + point))
  }
  return slopes
}

/** Computes the place at a share of a piece: a cubic for the position, linear for all else. */
export function placeAt(step: TubeStep, tube: Tube, piece: number, share: number, out: CorePlace): void {
  const { values, slopes } = step
  const t = share
  const s = 1 - share
  const first = tube.first + piece
  const second = tube.first + ((piece + 1) % tube.count)
  const a = first * POINT
  const b = second * POINT
  let length = 0
  for (let axis = 0; axis < 3; axis++)
    length += (coordinate(step, tube, piece + 1, axis) - coordinate(step, tube, piece, axis)) ** 2
  length = Math.sqrt(length)
  const { position, tangent, normal } = out
  for (let axis = 0; axis < 3; axis++) {
    const start = coordinate(step, tube, piece, axis)
    const end = coordinate(step, tube, piece + 1, axis)
    const from = slopes[3 * first + axis]! * length
    const to = slopes[3 * second + axis]! * length
    position[axis] = s * s * (1 + 2 * t) * start + t * t * (1 + 2 * s) * end + t * s * s * from - t * t * s * to
    tangent[axis] = 6 * t * s * (end - start) + (1 - 4 * t + 3 * t * t) * from + (3 * t * t - 2 * t) * to
    normal[axis] = s * values[a + NORMAL + axis]! + t * values[b + NORMAL + axis]!
  }
  normalise(tangent)
  const along = normal[0] * tangent[0] + normal[1] * tangent[1] + normal[2] * tangent[2]
  for (let axis = 0; axis < 3; axis++) normal[axis] = normal[axis]! - along * tangent[axis]!
  normalise(normal)
  for (let k = 0; k < 9; k++) out.terms[k] = s * values[a + TERMS + k]! + t * values[b + TERMS + k]!
  for (let k = 0; k < 4; k++) out.quantities[k] = s * values[a + QUANTITIES + k]! + t * values[b + QUANTITIES + k]!
}

function normalise(vector: [number, number, number]): void {
  const length = Math.hypot(vector[0], vector[1], vector[2]) || 1
  for (let axis = 0; axis < 3; axis++) vector[axis] = vector[axis]! / length
}

/** Mean position of the points of a tube. */
export function centroid(step: TubeStep, tube: Tube): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0]
  for (let point = 0; point < tube.count; point++)
    for (let axis = 0; axis < 3; axis++) sum[axis]! += step.values[(tube.first + point) * POINT + axis]! / tube.count
  return sum
}
