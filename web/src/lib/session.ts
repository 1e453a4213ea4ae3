// The page's end of a session's socket: frames in (the latest wins), orders out, and a sentence about the connection.
import { readFrame, type Frame } from '../stage3d/frame'
import { sessionSocket } from './api'
import type { Order, Probe, Said, Status } from './protocol'

export interface Listener {
  frame(frame: Frame): void
  status(status: Status): void
  probe(probe: Probe): void
  refused(why: string): void
  /** A sentence while there is no connection; null when there is one. */
  connection(sentence: string | null): void
}

/** Waits between attempts to connect, ms. */
const WAITS = [300, 700, 1500, 3000, 5000]

interface Waiter {
  arrived: (frame: Frame) => boolean
  resolve: (frame: Frame) => void
}

export class SessionClient {
  private socket: WebSocket | null = null
  private attempts = 0
  private closed = false
  private retry: ReturnType<typeof setTimeout> | null = null
  private pending: ArrayBuffer | null = null
  private waiters: Waiter[] = []
  /** What a viewer asked for, said again after a new connection. */
  private readonly wishes = new Map<string, Order>()

  constructor(
    private readonly id: string,
    private readonly listener: Listener,
  ) {}

  open(): void {
    if (this.closed) return
    const socket = new WebSocket(sessionSocket(this.id))
    socket.binaryType = 'arraybuffer'
    this.socket = socket
    socket.onopen = () => {
      this.attempts = 0
      this.listener.connection(null)
      for (const order of this.wishes.values()) this.say(order)
    }
    socket.onmessage = (event) => {
      if (typeof event.data === 'string') this.hear(event.data)
      else this.receive(event.data as ArrayBuffer)
    }
    socket.onclose = () => this.lost(socket)
  }

  private lost(socket: WebSocket): void {
    if (this.closed || socket !== this.socket) return
    this.socket = null
    const wait = WAITS[Math.min(this.attempts, WAITS.length - 1)]!
    this.attempts++
    this.listener.connection(
      this.attempts < 4
        ? 'The connection to the server was lost. Trying again …'
        : 'The server does not answer. It may have ended; the page keeps trying.',
    )
    this.retry = setTimeout(() => this.open(), wait)
  }

  /** Sends an order; without a connection only lasting wishes are kept. */
  send(order: Order): void {
    if (order.do === 'overlays' || order.do === 'probe') this.wishes.set(order.do, order)
    this.say(order)
  }

  private say(order: Order): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(order))
  }

  private hear(text: string): void {
    let said: Said
    try {
      said = JSON.parse(text)
    } catch {
      return
    }
    if (said.say === 'status') this.listener.status(said)
    else if (said.say === 'probe') this.listener.probe(said)
    else if (said.say === 'refused') this.listener.refused(said.why)
  }

  private receive(bytes: ArrayBuffer): void {
    const idle = this.pending === null
    this.pending = bytes
    // Somebody waits for a certain frame: none may be passed over.
    if (this.waiters.length) this.decode()
    else if (idle) requestAnimationFrame(() => this.decode())
  }

  private decode(): void {
    const bytes = this.pending
    this.pending = null
    if (!bytes) return
    let frame: Frame
    try {
      frame = readFrame(bytes)
    } catch (error) {
      this.listener.refused((error as Error).message)
      return
    }
    this.listener.frame(frame)
    const done = this.waiters.filter((waiter) => waiter.arrived(frame))
    this.waiters = this.waiters.filter((waiter) => !done.includes(waiter))
    for (const waiter of done) waiter.resolve(frame)
  }

  /** The next frame for which `wanted` holds, after the listener has had it. */
  next(wanted: (frame: Frame) => boolean, patience = 20_000): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        arrived: wanted,
        resolve: (frame) => {
          clearTimeout(timer)
          resolve(frame)
        },
      }
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter)
        reject(new Error(`No frame came within ${patience / 1000} s.`))
      }, patience)
      this.waiters.push(waiter)
    })
  }

  close(): void {
    this.closed = true
    if (this.retry) clearTimeout(this.retry)
    this.socket?.close()
    this.socket = null
  }
}
