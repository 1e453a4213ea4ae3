// Live preview of a text: a while after the last change, it is sent to the server, which shows it if it is valid.
import { errorMessage } from '../../lib/errors'
import type { TextFault } from '../../lib/protocol'

/** Time without changes after which a text is sent, in ms. */
export const DELAY = 400

export class LivePreview {
  /** What is wrong with the text that was sent last. */
  fault = $state.raw<TextFault | null>(null)
  /** Why the last text could not be sent. */
  error = $state<string | null>(null)
  /** Whether the newest text has not been answered yet. */
  waiting = $state(false)
  /** The text that the stage shows. */
  shown: string
  #newest: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending = false
  #closed = false

  constructor(
    text: string,
    /** Sends a text; returns what is wrong with it, or null if it is shown. */
    private readonly send: (text: string) => Promise<TextFault | null>,
  ) {
    this.shown = this.#newest = text
  }

  get valid(): boolean {
    return !this.waiting && this.fault === null && this.error === null
  }

  change(text: string): void {
    if (text === this.#newest) return
    this.#newest = text
    this.waiting = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#check(), DELAY)
  }

  /** Sends the newest text, one at a time, and again if it has changed meanwhile. */
  async #check(): Promise<void> {
    if (this.#sending) return
    this.#sending = true
    const text = this.#newest
    try {
      const fault = text === this.shown ? null : await this.send(text)
      if (fault === null) this.shown = text
      this.fault = fault
      this.error = null
    } catch (reason) {
      this.error = errorMessage(reason)
    }
    this.#sending = false
    this.waiting = text !== this.#newest
    if (this.waiting && !this.#closed) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#check(), DELAY)
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }
}

/** Returns a name for a scene file: the given one without its folder and with the extension. */
export function fileName(name: string): string {
  const plain = name.trim().replace(/\.toml$/i, '')
  return plain === '' ? '' : `${plain}.toml`
}
