// A clock that plays from 0 to an end, over and over, for one or several clips at once.
import { reducedMotion } from '../lib/reducedMotion.svelte'

/** Rests so long at the end before it begins again, in s. */
const REST = 0.6

export class Playback {
  time = $state(0)
  playing = $state(!reducedMotion.on)
  speed = $state(1)
  /** The end, in s. */
  end = $state(0)
  #rest = 0
  #before = 0
  #asked = 0

  start(): () => void {
    this.#asked = requestAnimationFrame(this.#tick)
    return () => cancelAnimationFrame(this.#asked)
  }

  #tick = (now: number): void => {
    this.#asked = requestAnimationFrame(this.#tick)
    const passed = Math.min((now - this.#before) / 1000, 0.1)
    this.#before = now
    if (this.playing && this.end > 0) this.pass(passed * this.speed)
  }

  /** Lets so many seconds pass. */
  pass(seconds: number): void {
    if (this.time < this.end) {
      this.time = Math.min(this.time + seconds, this.end)
      this.#rest = 0
    } else if ((this.#rest += seconds) > REST) this.time = 0
  }

  /** To a time; playing stops. */
  seek(time: number): void {
    this.playing = false
    this.time = Math.min(Math.max(time, 0), this.end)
  }
}
