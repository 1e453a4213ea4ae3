// Clips that were fetched: few at a time, each only as long as somebody wants it, kept within a bound of bytes.
import * as api from '../lib/api'
import type { Clip } from '../lib/protocol'
import { clipBytes } from '../lib/clip'

/** Fetches at the same time: the server simulates each anew. */
const AT_ONCE = 3
/** Bytes of clips that are kept for later. */
const KEPT = 64 * 1024 * 1024

interface Wish {
  key: string
  fetch: (signal: AbortSignal) => Promise<Clip>
  /** Those who wait. */
  waiting: Set<{ give: (clip: Clip) => void; fail: (error: unknown) => void }>
  abort: AbortController
  started: boolean
}

export class ClipCache {
  /** The longest unused first. */
  private readonly kept = new Map<string, Clip>()
  private readonly wishes = new Map<string, Wish>()
  private bytes = 0
  private running = 0

  constructor(
    private readonly most = KEPT,
    private readonly atOnce = AT_ONCE,
    private readonly fetchClip: typeof api.clip = api.clip,
  ) {}

  /** A clip; rejected with an AbortError if `signal` says that it is not wanted any more. */
  get(run: string, id: number, rate: number, signal?: AbortSignal): Promise<Clip> {
    const key = `${run}/${id}@${rate}`
    const clip = this.kept.get(key)
    if (clip) {
      this.kept.delete(key)
      this.kept.set(key, clip)
      return Promise.resolve(clip)
    }
    return new Promise((give, fail) => {
      let wish = this.wishes.get(key)
      if (!wish) {
        wish = {
          key,
          fetch: (stop) => this.fetchClip(run, id, rate, stop),
          waiting: new Set(),
          abort: new AbortController(),
          started: false,
        }
        this.wishes.set(key, wish)
      }
      const own = { give, fail }
      const wanted = wish
      wanted.waiting.add(own)
      signal?.addEventListener('abort', () => {
        if (!wanted.waiting.delete(own)) return
        fail(new DOMException('The clip is not wanted any more.', 'AbortError'))
        if (wanted.waiting.size === 0) this.drop(wanted)
      })
      this.next()
    })
  }

  get size(): { clips: number; bytes: number; waiting: number } {
    return { clips: this.kept.size, bytes: this.bytes, waiting: this.wishes.size }
  }

  private drop(wish: Wish): void {
    wish.abort.abort()
    if (this.wishes.get(wish.key) === wish) this.wishes.delete(wish.key)
  }

  private next(): void {
    for (const wish of this.wishes.values()) {
      if (this.running >= this.atOnce) return
      if (!wish.started) void this.fulfil(wish)
    }
  }

  private async fulfil(wish: Wish): Promise<void> {
    wish.started = true
    this.running++
    try {
      const clip = await wish.fetch(wish.abort.signal)
      this.keep(wish.key, clip)
      for (const { give } of wish.waiting) give(clip)
    } catch (error) {
      for (const { fail } of wish.waiting) fail(error)
    }
    wish.waiting.clear()
    if (this.wishes.get(wish.key) === wish) this.wishes.delete(wish.key)
    this.running--
    this.next()
  }

  private keep(key: string, clip: Clip): void {
    const before = this.kept.get(key)
    if (before) this.bytes -= clipBytes(before)
    this.kept.delete(key)
    this.kept.set(key, clip)
    this.bytes += clipBytes(clip)
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= this.most || oldest === key) break
      this.kept.delete(oldest)
      this.bytes -= clipBytes(old)
    }
  }
}

/** The one that all pages share. */
export const clips = new ClipCache()
