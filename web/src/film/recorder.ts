// For browsers without WebCodecs: MediaRecorder, which films in real time. Each picture is held as long as it is to be seen.
import type { Sink } from './sink'

export function recorderSink(canvas: HTMLCanvasElement): Sink {
  if (typeof MediaRecorder === 'undefined') {
    throw new Error('This browser can film neither by WebCodecs nor by MediaRecorder; a GIF works in every browser.')
  }
  const stream = canvas.captureStream(0)
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack
  const recorder = new MediaRecorder(stream, { videoBitsPerSecond: 12_000_000 })
  const parts: Blob[] = []
  recorder.ondataavailable = (event) => parts.push(event.data)
  const stopped = new Promise<void>((resolve) => (recorder.onstop = () => resolve()))
  recorder.start()
  const begun = performance.now()
  const extension = recorder.mimeType.includes('mp4') ? 'mp4' : 'webm'
  return {
    extension,
    remark:
      'This browser has no WebCodecs encoder: MediaRecorder films in real time instead, and frames may be uneven.',
    add: async (time, duration) => {
      track.requestFrame()
      const until = begun + 1000 * (time + duration)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
    },
    finish: async () => {
      recorder.stop()
      await stopped
      track.stop()
      return new Blob(parts, { type: recorder.mimeType })
    },
  }
}
