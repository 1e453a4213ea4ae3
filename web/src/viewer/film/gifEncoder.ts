// Encodes a GIF that loops forever, with 256 colours per picture.
import { applyPalette, GIFEncoder, quantize } from 'gifenc'
import type { Encoder } from './encoder'

export function gifEncoder(canvas: HTMLCanvasElement): Encoder {
  const encoder = GIFEncoder()
  const pen = canvas.getContext('2d')!
  let remainder = 0
  return {
    extension: 'gif',
    remark: null,
    add: async (_time, duration) => {
      const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height)
      const palette = quantize(data, 256)
      // GIF delays are in hundredths of a second; the rounding error goes to the next picture.
      const delay = Math.round(100 * (duration + remainder)) / 100
      remainder += duration - delay
      encoder.writeFrame(applyPalette(data, palette), width, height, { palette, delay: 1000 * delay, repeat: 0 })
      // Keeps the page responsive.
      await new Promise((resolve) => setTimeout(resolve))
    },
    finish: async () => {
      encoder.finish()
      return new Blob([encoder.bytes()], { type: 'image/gif' })
    },
  }
}
