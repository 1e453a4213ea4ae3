// The clock of one or several clips: plays from 0 to the end in a loop.
import { reducedMotion } from '../lib/reducedMotion.svelte'

/** Pause at the end before the loop restarts, in s. */
const END_PAUSE = 0.6

export class Playback {
  time = $state(0)
  playing = $state(!reducedMotion.on)
  speed = $state(1)
  /** Time of the end, in s. */
  end = $state(0)
  #pause = 0
  #lastTick = 0
  #animationFrame = 0

  start(): () => void {
    this.#animationFrame = requestAnimationFrame(this.#tick)
    return () => cancelAnimationFrame(this.#animationFrame)
  }

  #tick = (now: number): void => {
    this.#animationFrame = requestAnimationFrame(this.#tick)
    const passed = Math.min((now - this.#lastTick) / 1000, 0.1)
    this.#lastTick = now
    if (this.playing && this.end > 0) this.advance(passed * this.speed)
  }

  /** Advances the clock. */
  advance(seconds: number): void {
    if (this.time < this.end) {
      this.time = Math.min(this.time + seconds, this.end)
      this.#pause = 0
    } else if ((this.#pause += seconds) > END_PAUSE) this.time = 0
  }

  /** Stops playing and moves to a time. */
  seek(time: number): void {
    this.playing = false
    this.time = Math.min(Math.max(time, 0), this.end)
  }
}
