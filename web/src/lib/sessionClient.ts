// The socket of a session: receives frames, of which only the latest is shown, sends commands, and reconnects.
import { readFrame, type Frame } from './frame'
import { about, ApiError, sessionOf, sessionSocket } from './api'
import { parseJson } from './check'
import { errorMessage } from './errors'
import { sessionMessage } from './messages'
import type {
  Command,
  MarksMessage,
  MeasuredMessage,
  PlotMessage,
  Probe,
  ProfileMessage,
  SessionMessage,
  Status,
} from './protocol'

export interface SessionListener {
  onFrame(frame: Frame): void
  onStatus(status: Status): void
  onProbe(probe: Probe): void
  /** Called with messages about plots, marks, the profile and measurements. */
  onObservation(message: Observation): void
  onError(message: string): void
  /** Called with an error message when the connection is lost, and with null when there is one. */
  onConnection(error: string | null): void
  /** Called when the session is gone: it was ended, or the server was restarted. There are no further calls. */
  onLost(reason: LostReason): void
}

/** A message about what a viewer observes. */
export type Observation = PlotMessage | MarksMessage | ProfileMessage | MeasuredMessage

export type LostReason = 'ended' | 'restarted'

/** Delays between attempts to connect, in ms. */
const RETRY_DELAYS = [300, 700, 1500, 3000, 5000]

/** Commands that say what the viewer wants to receive. */
const LASTING: ReadonlySet<Command['do']> = new Set(['overlays', 'probe', 'plot', 'profile'])

interface Waiter {
  matches: (frame: Frame) => boolean
  resolve: (frame: Frame) => void
}

export class SessionClient {
  private socket: WebSocket | null = null
  private attempts = 0
  private closed = false
  private retry: ReturnType<typeof setTimeout> | null = null
  private pending: ArrayBuffer | null = null
  private waiters: Waiter[] = []
  /** Commands that are sent again after a reconnection. */
  private readonly lasting = new Map<string, Command>()

  constructor(
    private readonly id: string,
    private readonly listener: SessionListener,
    /** The start of the server that has the session. After a restart, another world may have the same id. */
    private start: string | null = null,
  ) {}

  expect(start: string): void {
    this.start = start
  }

  open(): void {
    if (this.closed) return
    const socket = new WebSocket(sessionSocket(this.id))
    socket.binaryType = 'arraybuffer'
    this.socket = socket
    socket.onopen = () => {
      this.attempts = 0
      this.listener.onConnection(null)
      for (const command of this.lasting.values()) this.transmit(command)
    }
    socket.onmessage = (event) => {
      if (typeof event.data === 'string') this.receiveText(event.data)
      else this.receiveFrame(event.data as ArrayBuffer)
    }
    socket.onclose = () => this.onClose(socket)
  }

  private onClose(socket: WebSocket): void {
    if (this.closed || socket !== this.socket) return
    this.socket = null
    this.retryLater('The connection was lost. Connecting again …')
  }

  private retryLater(message: string): void {
    const delay = RETRY_DELAYS[Math.min(this.attempts, RETRY_DELAYS.length - 1)]!
    this.attempts++
    this.listener.onConnection(message)
    this.retry = setTimeout(() => void this.reconnect(), delay)
  }

  /** Connects again if the server is still the same and has the session. */
  private async reconnect(): Promise<void> {
    try {
      const { start } = await about()
      if (this.closed) return
      if (this.start !== null && start !== this.start) return this.lose('restarted')
      await sessionOf(this.id)
      if (!this.closed) this.open()
    } catch (error) {
      if (this.closed) return
      const status = error instanceof ApiError ? error.status : 0
      if (status === 404) this.lose('ended')
      else this.retryLater(status === 0 ? 'The server does not answer. Trying again …' : errorMessage(error))
    }
  }

  private lose(reason: LostReason): void {
    this.close()
    this.listener.onLost(reason)
  }

  /** Sends a command. Without a connection it is dropped, except those in `LASTING`, which are sent on reconnection. */
  send(command: Command): void {
    if (LASTING.has(command.do)) this.lasting.set(command.do, command)
    this.transmit(command)
  }

  private transmit(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command))
  }

  private receiveText(text: string): void {
    let message: SessionMessage
    try {
      message = parseJson(text, sessionMessage, 'Message of the session')
    } catch (error) {
      this.listener.onError(errorMessage(error))
      return
    }
    if (message.say === 'status') this.listener.onStatus(message)
    else if (message.say === 'probe') this.listener.onProbe(message)
    else if (message.say === 'refused') this.listener.onError(message.why)
    else this.listener.onObservation(message)
  }

  private receiveFrame(bytes: ArrayBuffer): void {
    const idle = this.pending === null
    this.pending = bytes
    // A caller waits for a certain frame: decode all of them.
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
      this.listener.onError(errorMessage(error))
      return
    }
    this.listener.onFrame(frame)
    const done = this.waiters.filter((waiter) => waiter.matches(frame))
    this.waiters = this.waiters.filter((waiter) => !done.includes(waiter))
    for (const waiter of done) waiter.resolve(frame)
  }

  /** Waits for the next frame that `matches`, after the listener has received it; rejects after `timeout` ms. */
  next(matches: (frame: Frame) => boolean, timeout = 20_000): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        matches,
        resolve: (frame) => {
          clearTimeout(timer)
          resolve(frame)
        },
      }
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter)
        reject(new Error(`No frame arrived within ${timeout / 1000} s.`))
      }, timeout)
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
