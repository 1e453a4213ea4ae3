// Films of the stage. An exact film goes through the session frame by frame: ask for a step, wait for it, draw it in full, encode it; so a
// slow machine takes longer but the film is smooth. A live film keeps what was on the screen, with its times.
import type { Viewer } from '../stage/viewer.svelte'
import { openSink, type Format, type Sink } from './sink'

export interface FilmPlan {
  format: Format
  width: number
  height: number
  /** Pictures a second. */
  rate: number
  /** Length of the film, s. */
  seconds: number
  /** Simulated seconds in a second of film. */
  speed: number
}

export interface Film {
  blob: Blob
  extension: string
  remark: string | null
  pictures: number
}

/** The steps of the simulation that an exact film shows: evenly spaced in time, from `start`. */
export function filmSteps(
  plan: Pick<FilmPlan, 'rate' | 'seconds' | 'speed'>,
  start: number,
  stepLength: number,
): number[] {
  const pictures = Math.max(1, Math.round(plan.rate * plan.seconds))
  return Array.from({ length: pictures }, (_, k) => start + Math.round((k * plan.speed) / plan.rate / stepLength))
}

/** Films from the present step on; stops early when `cancelled` says so or the session ends. */
export async function exactFilm(
  viewer: Viewer,
  plan: FilmPlan,
  progress: (share: number) => void,
  cancelled: () => boolean,
): Promise<Film> {
  const easel = new Easel(viewer, plan.width, plan.height, plan.format === 'gif')
  const start = viewer.step
  try {
    await standStill(viewer)
    const sink = await openSink(plan.format, easel.canvas, plan.rate)
    const steps = filmSteps(plan, start, viewer.stepLength)
    let pictures = 0
    for (const step of steps) {
      const ended = await show(viewer, step)
      await easel.paint()
      await sink.add(pictures / plan.rate, 1 / plan.rate)
      progress(++pictures / steps.length)
      if (ended || cancelled()) break
    }
    return { blob: await sink.finish(), extension: sink.extension, remark: sink.remark, pictures }
  } finally {
    easel.putAway()
  }
}

/** A picture with copies at regular times from the present on. */
export async function strobePicture(
  viewer: Viewer,
  size: { width: number; height: number },
  seconds: number,
  progress: (share: number) => void,
): Promise<Blob> {
  const easel = new Easel(viewer, size.width, size.height)
  const { camera } = viewer
  const back = viewer.stage!.cameras.remember()
  const start = viewer.step
  try {
    await standStill(viewer)
    viewer.chooseCamera('strobe')
    viewer.stage!.clearGhosts()
    const count = Math.max(2, Math.round(seconds / viewer.strobe))
    for (let k = 0; k <= count; k++) {
      const ended = await show(viewer, start + Math.round((k * viewer.strobe) / viewer.stepLength))
      progress((k + 1) / (count + 1))
      if (ended) break
    }
    viewer.stage!.frameGhosts()
    await easel.paint()
    return await easel.png()
  } finally {
    viewer.chooseCamera(camera)
    back()
    easel.putAway()
  }
}

export async function picture(viewer: Viewer): Promise<Blob> {
  const { canvas } = viewer.stage!
  const easel = new Easel(viewer, canvas.clientWidth * 2, canvas.clientHeight * 2)
  try {
    await easel.paint()
    return await easel.png()
  } finally {
    easel.putAway()
  }
}

/** Films what is on the screen until it is stopped. */
export class LiveFilm {
  private readonly easel: Easel
  private sink: Sink | null = null
  private begun = 0
  private last = -1
  private pictures = 0
  private busy: Promise<void> = Promise.resolve()
  private waiting = false

  constructor(
    private readonly viewer: Viewer,
    private readonly format: Format,
    width: number,
    height: number,
  ) {
    this.easel = new Easel(viewer, width, height, format === 'gif')
  }

  async start(): Promise<void> {
    this.sink = await openSink(this.format, this.easel.canvas, 60)
    this.begun = performance.now()
    this.viewer.stage!.drawn = () => this.take()
    this.viewer.stage!.touch()
  }

  private take(): void {
    if (this.waiting || !this.sink) return
    const time = (performance.now() - this.begun) / 1000
    const spacing = this.sink.extension === 'gif' ? 0.05 : 1 / 61
    if (time - this.last < spacing) return
    this.easel.copy()
    const duration = this.last < 0 ? spacing : time - this.last
    this.last = time
    this.waiting = true
    this.busy = this.sink.add(time, duration).finally(() => (this.waiting = false))
    this.pictures++
  }

  async stop(): Promise<Film> {
    this.viewer.stage!.drawn = null
    await this.busy
    try {
      if (!this.pictures) {
        await this.easel.paint()
        await this.sink!.add(0, 0.1)
      }
      const blob = await this.sink!.finish()
      return { blob, extension: this.sink!.extension, remark: this.sink!.remark, pictures: this.pictures }
    } finally {
      this.easel.putAway()
    }
  }
}

/** A canvas of the film's size, to which the stage is copied right after it was drawn. */
class Easel {
  readonly canvas = document.createElement('canvas')
  private readonly pen: CanvasRenderingContext2D

  constructor(
    private readonly viewer: Viewer,
    width: number,
    height: number,
    /** The pixels are read by script. */
    read = false,
  ) {
    // Encoders want even numbers.
    this.canvas.width = 2 * Math.round(width / 2)
    this.canvas.height = 2 * Math.round(height / 2)
    this.pen = this.canvas.getContext('2d', { alpha: false, willReadFrequently: read })!
    viewer.stage!.fix({ width: this.canvas.width, height: this.canvas.height })
  }

  /** Draws the stage in full and copies it at once, while its picture is there. */
  async paint(): Promise<void> {
    await pictureTime()
    this.viewer.stage!.settle()
    this.copy()
  }

  copy(): void {
    this.pen.drawImage(this.viewer.stage!.canvas, 0, 0, this.canvas.width, this.canvas.height)
  }

  png(): Promise<Blob> {
    return new Promise((resolve, reject) =>
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser could not make a PNG.')))),
    )
  }

  putAway(): void {
    this.viewer.stage?.fix(null)
  }
}

/** The next animation frame; soon, where the page is hidden and there is none. */
function pictureTime(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 250)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function standStill(viewer: Viewer): Promise<void> {
  if (!viewer.playing) return
  const stopped = viewer.client.next((frame) => !frame.playing)
  viewer.order({ do: 'pause' })
  await stopped
}

/** Waits until a step is on the stage; true when the session ended before or there. */
async function show(viewer: Viewer, step: number): Promise<boolean> {
  if (viewer.shown?.step === step) return viewer.shown.ended
  const came = viewer.client.next((frame) => frame.step === step || (frame.ended && frame.step < step))
  viewer.seek(step)
  return (await came).ended
}
