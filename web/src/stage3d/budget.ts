// The frame budget: how much drawing a frame may cost, and what is given up first when it costs more.
// Script time and the wait for the next frame are measured; triangles and draw calls are counted before they are spent.
// A picture that stands still owes nobody time: it gets the finest detail that the counted budgets allow, the same each time.

export interface Detail {
  /** Factor on the size on the screen that a finer shape needs. */
  coarseness: number
  /** Side of the shadow map in pixels, 0 without shadows. */
  shadow: number
  /** Most pixels of the canvas for one of the page. */
  pixels: number
  /** Most items of one overlay. */
  items: number
}

/** From least to full detail. */
export const DETAILS: readonly Detail[] = [
  { coarseness: 64, shadow: 0, pixels: 0.6, items: 200 },
  { coarseness: 16, shadow: 0, pixels: 0.8, items: 500 },
  { coarseness: 8, shadow: 0, pixels: 1, items: 1000 },
  { coarseness: 4, shadow: 1024, pixels: 1, items: 2000 },
  { coarseness: 2, shadow: 1024, pixels: 1.5, items: 4000 },
  { coarseness: 1, shadow: 2048, pixels: 2, items: 20000 },
]

export const FULL = DETAILS.length - 1

export const BUDGET = {
  /** Script time of a frame: half of what 60 frames a second leave, ms. */
  script: 8,
  /** Wait for the next frame after one was drawn: two periods and a bit, ms. */
  wait: 36,
  triangles: 700_000,
}

/** Frames over budget before detail falls by one; far over it each counts for three. */
const PATIENCE = 6
const FAR = 3
/** Frames well within the budget before detail rises. */
const CALM = 90
/** The first frames compile shaders and say nothing of the next. */
const WARMING = 3

export class Budget {
  /** Index into DETAILS while things move. */
  level = FULL
  private script = 0
  private wait = 0
  private over = 0
  private under = 0
  private frames = 0

  /** What a frame has cost: `script` ms of this thread, `wait` ms until the next frame could begin. */
  spent(script: number, wait: number): void {
    if (++this.frames <= WARMING) return
    // One long stall (a shader, another program) shall not count for many frames.
    this.script += 0.2 * (Math.min(script, 6 * BUDGET.script) - this.script)
    this.wait += 0.2 * (Math.min(wait, 6 * BUDGET.wait) - this.wait)
    const heavy = this.script > BUDGET.script || this.wait > BUDGET.wait
    const light = this.script < 0.5 * BUDGET.script && this.wait < 0.7 * BUDGET.wait
    const far = this.script > FAR * BUDGET.script || this.wait > FAR * BUDGET.wait
    this.over = heavy ? this.over + (far ? FAR : 1) : 0
    this.under = light ? this.under + 1 : 0
    if (this.over >= PATIENCE && this.level > 0) this.change(-1)
    else if (this.under >= CALM && this.level < FULL) this.change(1)
  }

  private change(by: number): void {
    this.level += by
    this.over = 0
    this.under = 0
  }

  /** Mean script time of late, ms. */
  get scriptMs(): number {
    return this.script
  }

  /**
   * The detail to draw with: at most `level`, and such that the triangles that `cost` tells are within the budget. Deterministic.
   */
  static within(level: number, cost: (detail: Detail) => number): number {
    let chosen = level
    while (chosen > 0 && cost(DETAILS[chosen]!) > BUDGET.triangles) chosen--
    return chosen
  }
}
