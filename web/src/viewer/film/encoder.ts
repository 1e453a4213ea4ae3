// Encoders of films: video by WebCodecs, GIF, or MediaRecorder in browsers without WebCodecs.

export type Format = 'webm' | 'mp4' | 'gif'

export interface Encoder {
  /** Extension of the file. */
  readonly extension: string
  /** A remark for the user if the file differs from the request. */
  readonly remark: string | null
  /** Adds the canvas's current picture, shown from `time` for `duration`, both in s. */
  add(time: number, duration: number): Promise<void>
  finish(): Promise<Blob>
}

/** Opens an encoder that reads from `canvas`, whose size must not change. */
export async function openEncoder(format: Format, canvas: HTMLCanvasElement, rate: number): Promise<Encoder> {
  if (format === 'gif') return (await import('./gifEncoder')).gifEncoder(canvas)
  const video = await (await import('./videoEncoder')).videoEncoder(format, canvas, rate)
  if (video) return video
  return (await import('./mediaRecorder')).recorderEncoder(canvas)
}
