// The speed of a world: whether it is slow, the profile of a step, and measurements of copies of the world.
import type { MeasuredMessage, ProfileMessage } from '../../lib/protocol'
import type { Viewer } from '../viewer.svelte'
import { isSlow, SLOW_TIME } from './pace'

export interface Change {
  paradigm?: string
  step?: number
  sleeping?: boolean
}

export class Speed {
  /** Whether the world has been slow for a while. */
  slow = $state(false)
  profile = $state.raw<ProfileMessage | null>(null)
  /** Whether a measurement is under way. */
  measuring = $state(false)
  private slowSince: number | null = null
  private profiled = 0
  private waiting: ((message: MeasuredMessage | null) => void) | null = null

  constructor(private readonly viewer: Viewer) {}

  /** Judges the real-time factor of a frame. `now` is in ms. */
  judge(factor: number, playing: boolean, now: number): void {
    // The factor is a mean, which is not known in the first moments of playing.
    if (!playing || factor === 0) {
      this.slowSince = null
      if (!playing) this.slow = false
      return
    }
    if (!isSlow(factor, this.viewer.status?.speed ?? 1, this.slow)) {
      this.slowSince = null
      this.slow = false
    } else {
      this.slowSince ??= now
      if (now - this.slowSince >= SLOW_TIME) this.slow = true
    }
  }

  /** Requests the profile while a part of the page shows it. Returns a function that ends the request. */
  showProfile(): () => void {
    if (this.profiled++ === 0) this.viewer.send({ do: 'profile', on: true })
    return () => {
      if (--this.profiled > 0) return
      this.viewer.send({ do: 'profile', on: false })
      this.profile = null
    }
  }

  receiveProfile(message: ProfileMessage): void {
    // A message may still be under way when the request has ended.
    if (this.profiled > 0) this.profile = message
  }

  /** Measures a copy of the world after a change; null if the server refuses. */
  measure(change: Change): Promise<MeasuredMessage | null> {
    this.waiting?.(null)
    this.measuring = true
    return new Promise((resolve) => {
      this.waiting = resolve
      this.viewer.send({ do: 'measure', ...change })
    })
  }

  receive(message: MeasuredMessage | null): void {
    this.measuring = false
    this.waiting?.(message)
    this.waiting = null
  }
}
