// Comparison of this window's clock with the server's: the fastest of many pings gives the best estimate.

/** Number of pings from which the fastest is taken. */
const MAX_PINGS = 32

export class ClockOffset {
  private readonly pings: { roundTrip: number; offset: number }[] = []

  /** Adds a ping. Times are in ms; `server` is by the server's clock. */
  add(sent: number, server: number, received: number): void {
    if (this.pings.length === MAX_PINGS) this.pings.shift()
    this.pings.push({ roundTrip: received - sent, offset: server - (sent + received) / 2 })
  }

  get count(): number {
    return this.pings.length
  }

  /** By how much the server's clock is ahead, in ms; 0 before the first ping. */
  get offset(): number {
    let best = this.pings[0]
    for (const ping of this.pings) if (best && ping.roundTrip < best.roundTrip) best = ping
    return best?.offset ?? 0
  }
}
