// Encodes by MediaRecorder, for browsers without WebCodecs. It records in real time, so each picture is held for its duration.
import type { Encoder } from './encoder'

export function recorderEncoder(canvas: HTMLCanvasElement): Encoder {
  if (typeof MediaRecorder === 'undefined') {
    throw new Error('This browser has neither WebCodecs nor MediaRecorder. Choose GIF, which works in every browser.')
  }
  const stream = canvas.captureStream(0)
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack
  const recorder = new MediaRecorder(stream, { videoBitsPerSecond: 12_000_000 })
  const parts: Blob[] = []
  recorder.ondataavailable = (event) => parts.push(event.data)
  const stopped = new Promise<void>((resolve) => (recorder.onstop = () => resolve()))
  recorder.start()
  const start = performance.now()
  const extension = recorder.mimeType.includes('mp4') ? 'mp4' : 'webm'
  return {
    extension,
    remark: 'This browser has no WebCodecs encoder. MediaRecorder was used instead, so frames may be uneven.',
    add: async (time, duration) => {
      track.requestFrame()
      const until = start + 1000 * (time + duration)
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
