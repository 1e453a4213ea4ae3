// The frame budget: the time and triangles that a frame may take, and the detail that is given up when it takes more.
// Script time and the wait for the next frame are measured; triangles are counted before they are drawn. A still picture
// has no time limit: it gets the finest detail within the triangle count, which is deterministic.

export interface Detail {
  /** Factor on the screen size at which a finer shape is used. */
  coarseness: number
  /** Side of the shadow map, in pixels; 0 without shadows. */
  shadow: number
  /** Maximum number of canvas pixels per page pixel. */
  pixels: number
  /** Maximum number of items of one overlay. */
  items: number
}

/** Levels of detail, from the coarsest to the finest. */
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
  /** Script time of a frame, in ms: half of a frame at 60 frames per second. */
  script: 8,
  /** Time from one frame to the next, in ms: a little more than two frames at 60 frames per second. */
  wait: 36,
  triangles: 700_000,
}

/** Frames over budget before detail falls by one level; a frame over `FAR` budgets counts as `FAR` frames. */
const FRAMES_TO_LOWER = 6
const FAR = 3
/** Frames well within the budget before detail rises by one level. */
const FRAMES_TO_RAISE = 90
/** Frames after a rise within which a fall shows that the rise was too early. */
const FRAMES_OF_TRIAL = 240
/** Largest factor on `FRAMES_TO_RAISE` after rises that were too early. */
const MAX_PATIENCE = 32
/** Frames at the start that are ignored, because they compile shaders. */
const WARM_UP_FRAMES = 3

export class Budget {
  /** Index into `DETAILS` during playback. */
  level = FULL
  private script = 0
  private wait = 0
  private over = 0
  private under = 0
  private frames = 0
  /** Running mean of the time from one frame to the next, in ms, also of long ones. */
  private period = 0
  /** Factor on `FRAMES_TO_RAISE`. It doubles after each rise that was too early, so that detail does not alternate. */
  private patience = 1
  private raisedAt = -Infinity

  /** Records a frame: `script` ms on this thread, `wait` ms until the next frame. */
  addFrame(script: number, wait: number): void {
    if (++this.frames <= WARM_UP_FRAMES) return
    // Bounds the weight of one long stall (a shader, another program).
    this.period += 0.2 * (wait - this.period)
    this.script += 0.2 * (Math.min(script, 6 * BUDGET.script) - this.script)
    this.wait += 0.2 * (Math.min(wait, 6 * BUDGET.wait) - this.wait)
    const heavy = this.script > BUDGET.script || this.wait > BUDGET.wait
    const light = this.script < 0.5 * BUDGET.script && this.wait < 0.7 * BUDGET.wait
    const far = this.script > FAR * BUDGET.script || this.wait > FAR * BUDGET.wait
    this.over = heavy ? this.over + (far ? FAR : 1) : 0
    this.under = light ? this.under + 1 : 0
    if (this.over >= FRAMES_TO_LOWER && this.level > 0) this.change(-1)
    else if (this.under >= this.patience * FRAMES_TO_RAISE && this.level < FULL) this.change(1)
  }

  private change(by: number): void {
    this.level += by
    if (by > 0) this.raisedAt = this.frames
    else if (this.frames - this.raisedAt < FRAMES_OF_TRIAL) this.patience = Math.min(2 * this.patience, MAX_PATIENCE)
    this.over = 0
    this.under = 0
  }

  /** Frames per second, of the last few; 0 in the beginning. */
  get framesPerSecond(): number {
    return this.period > 0 ? 1000 / this.period : 0
  }

  /** Running mean of the script time, in ms. */
  get scriptMs(): number {
    return this.script
  }

  /** Returns the finest level up to `level` whose number of triangles, given by `cost`, is within the budget. */
  static within(level: number, cost: (detail: Detail) => number): number {
    let chosen = level
    while (chosen > 0 && cost(DETAILS[chosen]!) > BUDGET.triangles) chosen--
    return chosen
  }
}
