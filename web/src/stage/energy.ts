// Energy over time, by steps: what was seen, kept in order, no more than a plot can show.

const MOST = 4000

export class EnergyTrace {
  steps: number[] = []
  times: number[] = []
  kinetic: number[] = []
  potential: number[] = []

  note(step: number, time: number, kinetic: number, potential: number): void {
    const last = this.steps.length - 1
    // Only the forward edge grows; what lies behind was noted when it was new.
    if (last >= 0 && step <= this.steps[last]!) return
    this.steps.push(step)
    this.times.push(time)
    this.kinetic.push(kinetic)
    this.potential.push(potential)
    if (this.steps.length > MOST) this.thin()
  }

  /** Forgets what came after a step. */
  cut(step: number): void {
    let keep = this.steps.length
    while (keep > 0 && this.steps[keep - 1]! > step) keep--
    for (const list of [this.steps, this.times, this.kinetic, this.potential]) list.length = keep
  }

  private thin(): void {
    const even = (_: number, index: number) => index % 2 === 0
    this.steps = this.steps.filter(even)
    this.times = this.times.filter(even)
    this.kinetic = this.kinetic.filter(even)
    this.potential = this.potential.filter(even)
  }
}
