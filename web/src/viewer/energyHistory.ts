// Energy of the frames seen so far, in order of their steps, thinned to what a plot can show.

/** Maximum number of samples; above it every second one is dropped. */
const MAX_SAMPLES = 4000

export class EnergyHistory {
  steps: number[] = []
  times: number[] = []
  kinetic: number[] = []
  potential: number[] = []

  add(step: number, time: number, kinetic: number, potential: number): void {
    const last = this.steps.length - 1
    // Earlier steps are known already.
    if (last >= 0 && step <= this.steps[last]!) return
    this.steps.push(step)
    this.times.push(time)
    this.kinetic.push(kinetic)
    this.potential.push(potential)
    if (this.steps.length > MAX_SAMPLES) this.thin()
  }

  /** Drops all samples after a step. */
  truncate(step: number): void {
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
