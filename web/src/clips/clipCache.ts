// Cache of clips. It loads a few at a time, aborts requests that no view needs, and limits the memory for clips.
import * as api from '../lib/api'
import type { Clip } from '../lib/protocol'
import { clipBytes } from '../lib/clip'

/** Maximum number of concurrent requests: the server simulates each clip. */
const MAX_REQUESTS = 3
/** Maximum size of cached clips, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024

/** A clip that is not of a creature of a run, and what is shown until it plays. */
export interface ClipSource {
  name: string
  /** Route of the clip. */
  clip: string
  /** Address of the picture. */
  picture: string
}

interface Request {
  key: string
  fetch: (signal: AbortSignal) => Promise<Clip>
  /** Callers that wait for the clip. */
  waiting: Set<{ give: (clip: Clip) => void; fail: (error: unknown) => void }>
  abort: AbortController
  started: boolean
}

export class ClipCache {
  /** Clips by key, the least recently used first. */
  private readonly kept = new Map<string, Clip>()
  private readonly requests = new Map<string, Request>()
  private bytes = 0
  private running = 0

  constructor(
    private readonly maxBytes = MAX_BYTES,
    private readonly maxRequests = MAX_REQUESTS,
    private readonly fetchClip: typeof api.clip = api.clip,
  ) {}

  /** Returns the clip of a creature from the cache or the server; rejects with an AbortError when `signal` is aborted. */
  get(run: string, id: number, rate: number, signal?: AbortSignal): Promise<Clip> {
    return this.getWith(`${run}/${id}@${rate}`, (stop) => this.fetchClip(run, id, rate, stop), signal)
  }

  /** Returns the clip of a key from the cache or from `fetch`; rejects with an AbortError when `signal` is aborted. */
  getWith(key: string, fetch: (signal: AbortSignal) => Promise<Clip>, signal?: AbortSignal): Promise<Clip> {
    const clip = this.kept.get(key)
    if (clip) {
      this.kept.delete(key)
      this.kept.set(key, clip)
      return Promise.resolve(clip)
    }
    return new Promise((give, fail) => {
      let request = this.requests.get(key)
      if (!request) {
        request = { key, fetch, waiting: new Set(), abort: new AbortController(), started: false }
        this.requests.set(key, request)
      }
      const own = { give, fail }
      const current = request
      current.waiting.add(own)
      signal?.addEventListener('abort', () => {
        if (!current.waiting.delete(own)) return
        fail(new DOMException('The clip is no longer needed.', 'AbortError'))
        if (current.waiting.size === 0) this.drop(current)
      })
      this.next()
    })
  }

  get size(): { clips: number; bytes: number; waiting: number } {
    return { clips: this.kept.size, bytes: this.bytes, waiting: this.requests.size }
  }

  private drop(request: Request): void {
    request.abort.abort()
    if (this.requests.get(request.key) === request) this.requests.delete(request.key)
  }

  private next(): void {
    for (const request of this.requests.values()) {
      if (this.running >= this.maxRequests) return
      if (!request.started) void this.load(request)
    }
  }

  private async load(request: Request): Promise<void> {
    request.started = true
    this.running++
    try {
      const clip = await request.fetch(request.abort.signal)
      this.keep(request.key, clip)
      for (const { give } of request.waiting) give(clip)
    } catch (error) {
      for (const { fail } of request.waiting) fail(error)
    }
    request.waiting.clear()
    if (this.requests.get(request.key) === request) this.requests.delete(request.key)
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
      if (this.bytes <= this.maxBytes || oldest === key) break
      this.kept.delete(oldest)
      this.bytes -= clipBytes(old)
    }
  }
}

/** The cache that all pages share. */
export const clips = new ClipCache()
