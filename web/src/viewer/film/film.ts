// Films of a session. An exact film requests one step after the other, waits for it, draws it with full detail and encodes it:
// a slow machine takes longer, but the film is smooth. A live film records what is on the screen.
import type { Viewer } from '../viewer.svelte'
import { openEncoder, type Encoder, type Format } from './encoder'

export interface FilmPlan {
  format: Format
  width: number
  height: number
  /** Pictures per second. */
  rate: number
  /** Length of the film, in s. */
  seconds: number
  /** Simulated seconds per second of film. */
  speed: number
}

export interface Film {
  blob: Blob
  extension: string
  remark: string | null
  pictures: number
}

/** Returns the simulation steps that an exact film shows, evenly spaced in time from `start`. */
export function filmSteps(
  plan: Pick<FilmPlan, 'rate' | 'seconds' | 'speed'>,
  start: number,
  stepLength: number,
): number[] {
  const pictures = Math.max(1, Math.round(plan.rate * plan.seconds))
  return Array.from({ length: pictures }, (_, k) => start + Math.round((k * plan.speed) / plan.rate / stepLength))
}

/** Films from the current step on, until the plan is done, `cancelled` returns true or the session ends. */
export async function exactFilm(
  viewer: Viewer,
  plan: FilmPlan,
  progress: (share: number) => void,
  cancelled: () => boolean,
): Promise<Film> {
  const canvas = new FilmCanvas(viewer, plan.width, plan.height, plan.format === 'gif')
  const start = viewer.step
  try {
    await pause(viewer)
    const encoder = await openEncoder(plan.format, canvas.element, plan.rate)
    const steps = filmSteps(plan, start, viewer.stepLength)
    let pictures = 0
    for (const step of steps) {
      const ended = await showStep(viewer, step)
      await canvas.draw()
      await encoder.add(pictures / plan.rate, 1 / plan.rate)
      progress(++pictures / steps.length)
      if (ended || cancelled()) break
    }
    return { blob: await encoder.finish(), extension: encoder.extension, remark: encoder.remark, pictures }
  } finally {
    canvas.release()
  }
}

/** Takes a picture with copies at regular times from the current step on. */
export async function strobePicture(
  viewer: Viewer,
  size: { width: number; height: number },
  seconds: number,
  progress: (share: number) => void,
): Promise<Blob> {
  const canvas = new FilmCanvas(viewer, size.width, size.height)
  const { camera } = viewer
  const restore = viewer.view!.cameras.save()
  const start = viewer.step
  try {
    await pause(viewer)
    viewer.setCamera('strobe')
    viewer.view!.clearGhosts()
    const count = Math.max(2, Math.round(seconds / viewer.strobe))
    for (let k = 0; k <= count; k++) {
      const ended = await showStep(viewer, start + Math.round((k * viewer.strobe) / viewer.stepLength))
      progress((k + 1) / (count + 1))
      if (ended) break
    }
    viewer.view!.frameGhosts()
    await canvas.draw()
    return await canvas.png()
  } finally {
    viewer.setCamera(camera)
    restore()
    canvas.release()
  }
}

export async function picture(viewer: Viewer): Promise<Blob> {
  const { clientWidth, clientHeight } = viewer.view!.canvas
  const canvas = new FilmCanvas(viewer, clientWidth * 2, clientHeight * 2)
  try {
    await canvas.draw()
    return await canvas.png()
  } finally {
    canvas.release()
  }
}

/** Records what is on the screen until it is stopped. */
export class LiveFilm {
  private readonly canvas: FilmCanvas
  private encoder: Encoder | null = null
  private startTime = 0
  private lastTime = -1
  private pictures = 0
  private busy: Promise<void> = Promise.resolve()
  private waiting = false

  constructor(
    private readonly viewer: Viewer,
    private readonly format: Format,
    width: number,
    height: number,
  ) {
    this.canvas = new FilmCanvas(viewer, width, height, format === 'gif')
  }

  async start(): Promise<void> {
    this.encoder = await openEncoder(this.format, this.canvas.element, 60)
    this.startTime = performance.now()
    this.viewer.view!.onDraw = () => this.capture()
    this.viewer.view!.requestDraw()
  }

  private capture(): void {
    if (this.waiting || !this.encoder) return
    const time = (performance.now() - this.startTime) / 1000
    const spacing = this.encoder.extension === 'gif' ? 0.05 : 1 / 61
    if (time - this.lastTime < spacing) return
    this.canvas.copy()
    const duration = this.lastTime < 0 ? spacing : time - this.lastTime
    this.lastTime = time
    this.waiting = true
    this.busy = this.encoder.add(time, duration).finally(() => (this.waiting = false))
    this.pictures++
  }

  async stop(): Promise<Film> {
    this.viewer.view!.onDraw = null
    await this.busy
    try {
      if (!this.pictures) {
        await this.canvas.draw()
        await this.encoder!.add(0, 0.1)
      }
      const blob = await this.encoder!.finish()
      return { blob, extension: this.encoder!.extension, remark: this.encoder!.remark, pictures: this.pictures }
    } finally {
      this.canvas.release()
    }
  }
}

/** A canvas of the film's size, to which the view is copied right after it was drawn. */
class FilmCanvas {
  readonly element = document.createElement('canvas')
  private readonly pen: CanvasRenderingContext2D

  constructor(
    private readonly viewer: Viewer,
    width: number,
    height: number,
    /** Whether script reads the pixels. */
    read = false,
  ) {
    // Video encoders need even sizes.
    this.element.width = 2 * Math.round(width / 2)
    this.element.height = 2 * Math.round(height / 2)
    this.pen = this.element.getContext('2d', { alpha: false, willReadFrequently: read })!
    viewer.view!.setFixedSize({ width: this.element.width, height: this.element.height })
  }

  /** Draws the view with full detail and copies it before the browser clears it. */
  async draw(): Promise<void> {
    await nextAnimationFrame()
    this.viewer.view!.drawFull()
    this.copy()
  }

  copy(): void {
    this.pen.drawImage(this.viewer.view!.canvas, 0, 0, this.element.width, this.element.height)
  }

  png(): Promise<Blob> {
    return new Promise((resolve, reject) =>
      this.element.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser could not create a PNG.')))),
    )
  }

  release(): void {
    this.viewer.view?.setFixedSize(null)
  }
}

/** Waits for the next animation frame, or a quarter of a second where the page is hidden and has none. */
function nextAnimationFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 250)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function pause(viewer: Viewer): Promise<void> {
  if (!viewer.playing) return
  const paused = viewer.client.next((frame) => !frame.playing)
  viewer.send({ do: 'pause' })
  await paused
}

/** Waits until a step is shown; returns whether the session ended at or before it. */
async function showStep(viewer: Viewer, step: number): Promise<boolean> {
  if (viewer.frame?.step === step) return viewer.frame.ended
  const arrived = viewer.client.next((frame) => frame.step === step || (frame.ended && frame.step < step))
  viewer.seek(step)
  return (await arrived).ended
}
