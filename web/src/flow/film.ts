// A film of all steps of a flow: one picture per step, drawn at a fixed size.
import { type Format, openEncoder } from '../viewer/film/encoder'
import type { Flow } from './flow.svelte'

/** Pictures per second. */
const RATE = 15
const SIZE = { width: 1280, height: 720 }

export interface FlowFilm {
  blob: Blob
  extension: string
  remark: string | null
}

export async function film(flow: Flow, format: Format, onProgress: (share: number) => void): Promise<FlowFilm> {
  const { view, detail } = flow
  if (!view || !detail) throw new Error('The flow is not loaded yet.')
  flow.play(false)
  const before = flow.step
  view.setFixedSize(SIZE)
  try {
    await flow.seek(0)
    view.draw()
    const encoder = await openEncoder(format, view.canvas, RATE)
    for (let step = 0; step < detail.steps.length; step++) {
      await flow.seek(step)
      view.draw()
      await encoder.add(step / RATE, 1 / RATE)
      onProgress((step + 1) / detail.steps.length)
    }
    return { blob: await encoder.finish(), extension: encoder.extension, remark: encoder.remark }
  } finally {
    view.setFixedSize(null)
    await flow.seek(before)
  }
}
