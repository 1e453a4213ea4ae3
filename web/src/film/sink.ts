// Where pictures of a film go: a video by WebCodecs, a GIF, or, in browsers without encoders, what MediaRecorder makes of it.

export type Format = 'webm' | 'mp4' | 'gif'

export interface Sink {
  /** What kind of file comes out. */
  readonly extension: string
  /** A sentence where it is not quite what was asked for. */
  readonly remark: string | null
  /** Takes the canvas as it is now, to be shown from `time` for `duration` s. */
  add(time: number, duration: number): Promise<void>
  finish(): Promise<Blob>
}

/** A sink that reads from `canvas`, whose size must stay. */
export async function openSink(format: Format, canvas: HTMLCanvasElement, rate: number): Promise<Sink> {
  if (format === 'gif') return (await import('./gif')).gifSink(canvas)
  const video = await (await import('./video')).videoSink(format, canvas, rate)
  if (video) return video
  return (await import('./recorder')).recorderSink(canvas)
}

/** Gives a file to the person. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser needs the address until it has begun to save.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
