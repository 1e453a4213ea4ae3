// A GIF that loops for ever, with its own 256 colours for each picture.
import { applyPalette, GIFEncoder, quantize } from 'gifenc'
import type { Sink } from './sink'

export function gifSink(canvas: HTMLCanvasElement): Sink {
  const encoder = GIFEncoder()
  const pen = canvas.getContext('2d')!
  let owed = 0
  return {
    extension: 'gif',
    remark: null,
    add: async (_time, duration) => {
      const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height)
      const palette = quantize(data, 256)
      // A GIF counts in hundredths of a second; what rounding leaves goes to the next picture.
      const delay = Math.round(100 * (duration + owed)) / 100
      owed += duration - delay
      encoder.writeFrame(applyPalette(data, palette), width, height, { palette, delay: 1000 * delay, repeat: 0 })
      // Let the page breathe: this is hard work.
      await new Promise((resolve) => setTimeout(resolve))
    },
    finish: async () => {
      encoder.finish()
      return new Blob([encoder.bytes()], { type: 'image/gif' })
    },
  }
}
