// The path of a point over time, by steps. A step seen again replaces the earlier point; gaps become straight lines.

export class Trajectory {
  private steps: number[] = []
  private points: number[] = []

  get length(): number {
    return this.steps.length
  }

  clear(): void {
    this.steps = []
    this.points = []
  }

  /** Drops all points after a step, when an edit changes what follows. */
  truncate(step: number): void {
    const keep = this.countUntil(step)
    this.steps.length = keep
    this.points.length = 3 * keep
  }

  add(step: number, x: number, y: number, z: number): void {
    const at = this.countUntil(step)
    if (at > 0 && this.steps[at - 1] === step) {
      this.points.splice(3 * at - 3, 3, x, y, z)
    } else if (at === this.steps.length) {
      this.steps.push(step)
      this.points.push(x, y, z)
    } else {
      this.steps.splice(at, 0, step)
      this.points.splice(3 * at, 0, x, y, z)
    }
  }

  /** Returns the number of known steps up to `step`. */
  private countUntil(step: number): number {
    let low = 0
    let high = this.steps.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.steps[middle]! <= step) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Calls `segment` with both ends of each segment up to a step. */
  segmentsUntil(
    step: number,
    segment: (ax: number, ay: number, az: number, bx: number, by: number, bz: number) => void,
  ): void {
    const end = this.countUntil(step)
    const p = this.points
    for (let k = 1; k < end; k++) {
      segment(p[3 * k - 3]!, p[3 * k - 2]!, p[3 * k - 1]!, p[3 * k]!, p[3 * k + 1]!, p[3 * k + 2]!)
    }
  }
}
