// The way of a point over time, by steps. Steps seen again replace what was known of them; holes are bridged by straight lines.

export class Path {
  private steps: number[] = []
  private points: number[] = []

  get length(): number {
    return this.steps.length
  }

  clear(): void {
    this.steps = []
    this.points = []
  }

  /** Forgets what came after a step: someone interfered there. */
  cut(step: number): void {
    const keep = this.after(step)
    this.steps.length = keep
    this.points.length = 3 * keep
  }

  note(step: number, x: number, y: number, z: number): void {
    const at = this.after(step)
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

  /** The number of steps known that are not after `step`. */
  private after(step: number): number {
    let low = 0
    let high = this.steps.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.steps[middle]! <= step) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The pieces of the way up to a step. */
  until(step: number, piece: (ax: number, ay: number, az: number, bx: number, by: number, bz: number) => void): void {
    const end = this.after(step)
    const p = this.points
    for (let k = 1; k < end; k++) {
      piece(p[3 * k - 3]!, p[3 * k - 2]!, p[3 * k - 1]!, p[3 * k]!, p[3 * k + 1]!, p[3 * k + 2]!)
    }
  }
}
