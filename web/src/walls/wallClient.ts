// The socket of a wall: receives frames, draws them off screen, and shows them when the server commits them.
import { readFrame } from '../lib/frame'
import { appearance as appearanceOf, wallSocket } from '../lib/api'
import { errorMessage } from '../lib/errors'
import type { Welcome, WallMessage, WallCommand, Command, Appearance, MenuView } from '../lib/protocol'
import { ClockOffset } from './clock'
import { CLOSED } from './menu'
import {
  readMenu,
  readRoom,
  readTubes,
  readUser,
  readWallFrame,
  type Tubes,
  type Room,
  type User,
  type WallFrame,
} from './wallFrame'

/** Version of the messages; the server refuses others. */
export const PROTOCOL_VERSION = 1
/** Time between attempts to connect, in ms. */
const RETRY_DELAY = 400
/** Number of pings at the start, and time between them and later ones, in ms. */
const FIRST_PINGS = 16
const PING_DELAY = 30
const PING_PERIOD = 2000
/** Number of shown frames that are kept for tests and measurements. */
const MAX_LOG = 8192

/** A frame that was shown. */
export interface Shown {
  frame: number
  /** Time of the animation frame, in ms since 1970. A busy browser may call it long after that. */
  time: number
  /** Time at which the frame was shown, in ms since 1970. */
  shown: number
  locked: boolean
  /** Step of the world. */
  step: number
}

/** The objects of a frame. */
export interface WallObjects {
  world: ReturnType<typeof readFrame> | null
  tubes: Tubes | null
  room: Room
  user: User
  menu: MenuView
}

/** What draws the wall. */
export interface WallScreen {
  welcome(welcome: Welcome): void
  setAppearance(appearance: Appearance): void
  /** Draws a frame off screen. */
  draw(frame: number, objects: WallObjects): void
  show(frame: number): void
  setLocked(locked: boolean): void
  setSetup(on: boolean): void
  /** Shows a sentence; null removes it. */
  setNotice(text: string | null): void
}

export class WallClient {
  readonly log: Shown[] = []
  readonly clock = new ClockOffset()
  locked = false
  private socket: WebSocket | null = null
  private closed = false
  private retry: ReturnType<typeof setTimeout> | null = null
  private pinging: ReturnType<typeof setTimeout> | null = null
  private welcome: Welcome | null = null
  private epoch = -1
  private readonly parts = new Map<string, ArrayBuffer>()
  private tubes: Tubes | null = null
  private drawn: { frame: number; step: number; showAt: number } | null = null
  private reported = -1
  private committed: number | null = null
  private shown = 0
  /** Frames are handled one after the other: an appearance may have to be loaded first. */
  private work: Promise<void> = Promise.resolve()

  constructor(
    private readonly name: string,
    private readonly screen: WallScreen,
  ) {}

  open(): void {
    const socket = new WebSocket(wallSocket(this.name, PROTOCOL_VERSION))
    socket.binaryType = 'arraybuffer'
    this.socket = socket
    let refused: string | null = null
    socket.onmessage = (event) => {
      if (typeof event.data !== 'string') return this.receive(event.data as ArrayBuffer)
      const message = JSON.parse(event.data) as WallMessage
      if (message.say === 'refused') {
        refused = message.why
        this.screen.setNotice(message.why)
      } else this.handle(message)
    }
    socket.onclose = () => {
      if (this.closed || socket !== this.socket) return
      this.setLocked(false)
      if (this.welcome || !refused) this.screen.setNotice('The connection was lost. Connecting again …')
      this.welcome = null
      this.retry = setTimeout(() => this.open(), refused ? 5 * RETRY_DELAY : RETRY_DELAY)
    }
  }

  private handle(message: WallMessage): void {
    switch (message.say) {
      case 'welcome':
        return this.start(message)
      case 'commit':
        this.setLocked(message.locked)
        this.committed = message.frame
        requestAnimationFrame((time) => this.present(message.frame, message.locked, time))
        return
      case 'lock':
        return this.setLocked(message.locked)
      case 'pong':
        return this.clock.add(message.sent, 1000 * message.server, performance.now())
      case 'setup':
        return this.screen.setSetup(message.on)
      case 'restart':
        this.socket?.close()
        return
    }
  }

  private start(welcome: Welcome): void {
    this.welcome = welcome
    this.epoch = -1
    this.parts.clear()
    ;[this.drawn, this.reported, this.committed, this.shown] = [null, -1, null, 0]
    this.screen.welcome(welcome)
    const hasWorld = welcome.session ?? welcome.flow
    this.screen.setNotice(hasWorld ? null : 'There is no world on the walls. Choose one at /cave.')
    this.tubes = null
    this.screen.setSetup(welcome.setup)
    if (this.pinging) clearTimeout(this.pinging)
    this.ping()
  }

  private ping(): void {
    if (this.closed) return
    this.send({ do: 'ping', sent: performance.now() })
    this.pinging = setTimeout(() => this.ping(), this.clock.count < FIRST_PINGS ? PING_DELAY : PING_PERIOD)
  }

  private receive(bytes: ArrayBuffer): void {
    const socket = this.socket
    this.work = this.work.then(async () => {
      try {
        if (socket === this.socket) await this.prepare(readWallFrame(bytes))
      } catch (error) {
        this.screen.setNotice(errorMessage(error))
      }
    })
  }

  private async prepare(frame: WallFrame): Promise<void> {
    if (frame.key) this.parts.clear()
    for (const [name, bytes] of frame.parts) this.parts.set(name, bytes)
    const tubes = frame.parts.get('tubes')
    if (tubes) this.tubes = readTubes(tubes)
    const names = ['world', 'room', 'user', 'menu']
    const [worldBytes, roomBytes, userBytes, menuBytes] = names.map((name) => this.parts.get(name))
    if (!roomBytes || !userBytes) return
    const world = worldBytes?.byteLength ? readFrame(worldBytes) : null
    if (world && this.welcome?.session && world.epoch !== this.epoch) {
      const appearance = await appearanceOf(this.welcome.session)
      this.epoch = world.epoch
      this.screen.setAppearance(appearance)
    }
    const menu = menuBytes ? readMenu(menuBytes) : CLOSED
    const [room, user] = [readRoom(roomBytes), readUser(userBytes)]
    this.screen.draw(frame.number, { world, tubes: this.tubes, room, user, menu })
    this.drawn = { frame: frame.number, step: world?.step ?? 0, showAt: frame.showAt }
    if (frame.showAt > 0) this.showAt(frame.number, frame.showAt)
    else this.report()
  }

  /** Says that a frame is drawn, as soon as the committed one is shown. */
  private report(): void {
    const { drawn } = this
    if (!drawn || drawn.frame === this.reported || (this.committed !== null && this.shown < this.committed)) return
    this.reported = drawn.frame
    this.send({ do: 'ready', frame: drawn.frame })
  }

  private present(frame: number, locked: boolean, time: number): void {
    if (frame <= this.shown) return
    this.screen.show(frame)
    this.shown = frame
    const at = performance.timeOrigin + time
    if (this.log.length === MAX_LOG) this.log.shift()
    const shown = performance.timeOrigin + performance.now()
    this.log.push({ frame, time: at, shown, locked, step: this.drawn?.frame === frame ? this.drawn.step : -1 })
    this.send({ do: 'shown', frame, time: at })
    this.report()
  }

  /** Shows a frame in the first animation frame after a time of the server's clock, in s. */
  private showAt(frame: number, showAt: number): void {
    const due = 1000 * showAt - this.clock.offset
    const step = (time: number) => {
      if (this.drawn?.frame !== frame || this.closed) return
      if (time < due) requestAnimationFrame(step)
      else this.present(frame, this.locked, time)
    }
    requestAnimationFrame(step)
  }

  private setLocked(locked: boolean): void {
    if (locked === this.locked) return
    this.locked = locked
    this.screen.setLocked(locked)
  }

  /** Sends a message about the wall, or a command to the session. */
  send(command: WallCommand | Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command))
  }

  close(): void {
    this.closed = true
    if (this.retry) clearTimeout(this.retry)
    if (this.pinging) clearTimeout(this.pinging)
    this.socket?.close()
  }
}
