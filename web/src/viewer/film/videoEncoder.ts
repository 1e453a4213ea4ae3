// Encodes WebM and MP4 with the browser's own encoders, at a constant frame rate.
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  WebMOutputFormat,
} from 'mediabunny'
import type { Encoder } from './encoder'

/** Opens an encoder; returns null if the browser has none for the format. */
export async function videoEncoder(
  format: 'webm' | 'mp4',
  canvas: HTMLCanvasElement,
  rate: number,
): Promise<Encoder | null> {
  if (typeof VideoEncoder === 'undefined') return null
  const container = format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat()
  const quality = new Quality('very-high')
  const { width, height } = canvas
  // MP4 prefers H.264, which all players support; WebM prefers VP9, which encodes faster than AV1.
  const wanted = format === 'mp4' ? (['avc', 'hevc', 'av1', 'vp9'] as const) : (['vp9', 'vp8', 'av1'] as const)
  const codec = await getFirstEncodableVideoCodec([...wanted], { width, height, quality })
  if (!codec) return null
  const output = new Output({ format: container, target: new BufferTarget() })
  const source = new CanvasSource(canvas, { codec, quality, keyFrameInterval: 1 })
  output.addVideoTrack(source, { frameRate: rate })
  await output.start()
  return {
    extension: format,
    remark:
      format === 'mp4' && codec !== 'avc'
        ? `This browser has no H.264 encoder; the MP4 holds ${codec.toUpperCase()}.`
        : null,
    add: (time, duration) => source.add(time, duration),
    finish: async () => {
      await output.finalize()
      return new Blob([output.target.buffer!], { type: `video/${format}` })
    },
  }
}
