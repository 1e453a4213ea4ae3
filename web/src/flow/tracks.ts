// Shifts of tracks: a tube that crosses a periodic box appears at its other side, and is moved back by the length of the box, so
// that its motion is continuous.
import { centroid, type TubeStep } from '../flow3d/tubes'

export type Vector = [number, number, number]

/** For each step, the shift of each track in it. */
export type Shifts = Map<number, Vector>[]

interface Box {
  extent: readonly number[]
  periodic: readonly boolean[]
}

/** Computes the shifts of all tracks from the first step to the last. */
export function trackShifts(steps: readonly TubeStep[], { extent, periodic }: Box): Shifts {
  const last = new Map<number, Vector>()
  let mean: Vector | null = null
  return steps.map((step) => {
    const shifts = new Map<number, Vector>()
    const sum: Vector = [0, 0, 0]
    for (const tube of step.tubes) {
      const here = centroid(step, tube)
      // A new tube starts near the others.
      const near: Vector | null = last.get(tube.track) ?? mean
      const shift = here.map((value, axis) =>
        periodic[axis] && near ? Math.round((near[axis]! - value) / extent[axis]!) * extent[axis]! : 0,
      ) as Vector
      shifts.set(tube.track, shift)
      const moved = here.map((value, axis) => value + shift[axis]!) as Vector
      last.set(tube.track, moved)
      for (let axis = 0; axis < 3; axis++) sum[axis]! += moved[axis]! / step.tubes.length
    }
    if (step.tubes.length > 0) mean = sum
    return shifts
  })
}
