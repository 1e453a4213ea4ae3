// State of the viewer page, shared by all its panels, and the commands that they send to the session.
import * as api from '../lib/api'
import type { Brain, Command, Edit, OverlayName, Probe, RecordedEdit, Session, Status, Vec3 } from '../lib/protocol'
import { asBuilt, lostAtLoad, remember, remembered, reopen, takeWanted, type Remembered } from '../lib/reopen'
import { SessionClient, type LostReason, type SessionListener } from '../lib/sessionClient'
import type { CameraKind } from '../scene3d/cameras'
import { Section, type Frame } from '../lib/frame'
import type { Display } from '../scene3d/instances'
import type { SceneView } from '../scene3d/sceneView'
import { lastEdit } from './edits'
import { EnergyHistory } from './energyHistory'

/** Time for which a notice is shown, in ms. */
const NOTICE_TIME = 6000

export const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]

export class Viewer implements SessionListener {
  session = $state.raw<Session | null>(null)
  status = $state.raw<Status | null>(null)
  frame = $state.raw<Frame | null>(null)
  probe = $state.raw<Probe | null>(null)
  brain = $state.raw<Brain | null>(null)
  /** Body whose values are shown, chosen by a click. */
  pinned = $state<number | null>(null)
  hovered = $state<number | null>(null)
  /** Position of the pointer on the canvas, in pixels. */
  pointer = $state.raw({ x: 0, y: 0 })
  /** Why the session is gone; 'unknown' if it was not there when the page was opened. */
  lost = $state<LostReason | 'unknown' | null>(null)
  /** What the session showed last, if it is gone. */
  last = $state.raw<Remembered | null>(null)
  /** Why the session cannot be shown. */
  failure = $state<string | null>(null)
  connectionError = $state<string | null>('Connecting …')
  notice = $state<string | null>(null)
  overlays = $state.raw<OverlayName[]>([])
  camera = $state<CameraKind>('follow')
  display = $state<Display>('solid')
  energy = $state(false)
  /** Whether dragging a body pulls it. */
  dragBodies = $state(true)
  /** Time between stroboscopic copies, in s. */
  strobe = $state(0.25)
  brainShown = $state(false)
  playing = $state(false)
  /** Speed, in m/s, radius, in m, and density, in kg/m3, of the next ball. */
  ball = $state.raw<[number, number, number]>([8, 0.1, 1000])
  /** Gravity of the world that is shown, in m/s^2. */
  gravity = $state.raw<Vec3 | null>(null)
  /** Edits of the world, in order. */
  edits = $state.raw<RecordedEdit[]>([])
  /** Whether to ask how to restart. */
  restartAsked = $state(false)
  view: SceneView | null = null
  readonly energyHistory = new EnergyHistory()
  readonly client: SessionClient
  /** The start of the server. */
  private start = ''
  private epoch = -1
  private loading = false
  private countersShown = false
  private noticeTimer: ReturnType<typeof setTimeout> | null = null

  constructor(readonly id: string) {
    this.client = new SessionClient(id, this)
  }

  async open(view: SceneView): Promise<void> {
    this.view = view
    try {
      this.start = (await api.about()).start
      this.client.expect(this.start)
      if (lostAtLoad(this.id, this.start)) return this.onLost('restarted')
      this.session = await api.sessionOf(this.id)
      this.setStrobe(this.strobe)
      await this.loadAppearance(true)
      const size = view.bodySize
      this.ball = [8 * Math.max(1, Math.sqrt(size)), Number((0.3 * size).toPrecision(1)), 1000]
      this.client.open()
      this.sendOverlays()
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 404) this.onLost(this.missingReason())
      else this.failure = (error as Error).message
    }
    if (this.session?.can.brain) this.brain = await api.sessionBrain(this.id).catch(() => null)
  }

  /** Returns why there is no session at the address. */
  private missingReason(): LostReason | 'unknown' {
    const last = remembered(this.id)
    return last === null ? 'unknown' : last.start === this.start ? 'ended' : 'restarted'
  }

  close(): void {
    this.client.close()
    if (this.noticeTimer) clearTimeout(this.noticeTimer)
  }

  /** Loads the appearance of the world. */
  private async loadAppearance(first: boolean): Promise<void> {
    const appearance = await api.appearance(this.id)
    this.epoch = appearance.epoch
    this.gravity = appearance.gravity
    this.view?.setAppearance(appearance, first)
    await this.loadEdits()
    if (first && this.view) this.camera = this.view.cameras.kind
  }

  private async loadEdits(): Promise<void> {
    if (!this.session?.can.interfere) return
    this.edits = await api.take(this.id).then(
      (take) => take.events,
      () => this.edits,
    )
  }

  /** Returns the last edit of a kind until the current step that `accepts` it. */
  lastEdit<Kind extends Edit['do']>(
    kind: Kind,
    accepts: (edit: Extract<Edit, { do: Kind }>) => boolean = () => true,
  ): Extract<Edit, { do: Kind }> | undefined {
    return lastEdit(this.edits, this.step, kind, accepts)
  }

  /** Reloads the appearance, one request at a time, and again if the world has changed meanwhile. */
  private reloadAppearance(epoch: number): void {
    if (this.loading) return
    this.loading = true
    this.loadAppearance(false)
      .catch((error: Error) => this.notify(error.message))
      .finally(() => {
        this.loading = false
        const now = this.frame?.epoch ?? epoch
        if (now !== epoch && now !== this.epoch) this.reloadAppearance(now)
      })
  }

  onFrame(frame: Frame): void {
    if (frame.epoch !== this.epoch) this.reloadAppearance(frame.epoch)
    this.energyHistory.add(frame.step, frame.time, frame.kinetic, frame.potential)
    this.frame = frame
    this.playing = frame.playing
    this.view?.setFrame(frame)
  }

  onStatus(status: Status): void {
    if (this.status && status.latest < this.status.latest) {
      this.energyHistory.truncate(status.latest)
      this.view?.overlays.path.truncate(status.latest)
      this.view?.clearGhosts()
    }
    this.status = status
    this.playing = status.playing
    this.remember()
  }

  private remember(): void {
    const { session, step, playing } = this
    if (session && this.frame) remember(this.id, session, { step, time: this.frame.time, playing }, this.start)
  }

  onLost(reason: LostReason | 'unknown'): void {
    this.remember()
    this.last = remembered(this.id)
    this.lost = reason
    this.connectionError = null
  }

  onProbe(probe: Probe): void {
    this.probe = probe
  }

  onError(message: string): void {
    this.notify(message)
  }

  onConnection(error: string | null): void {
    this.connectionError = error
    if (error === null) void this.goToWanted()
  }

  /** Goes to the moment that the world had before it was opened again. */
  private async goToWanted(): Promise<void> {
    const moment = takeWanted(this.id)
    if (!moment) return
    this.send(
      this.session?.kind === 'recording' ? { do: 'seek', step: moment.step } : { do: 'step', steps: moment.step },
    )
    this.notify(`Simulating to ${moment.time.toFixed(3)} s …`)
    try {
      await this.client.next((frame) => frame.step >= moment.step || frame.ended, 600_000)
      if (moment.playing) this.send({ do: 'play' })
    } catch (error) {
      this.notify((error as Error).message)
    }
  }

  /** Shows a message for a few seconds. */
  notify(message: string): void {
    this.notice = message
    if (this.noticeTimer) clearTimeout(this.noticeTimer)
    this.noticeTimer = setTimeout(() => (this.notice = null), NOTICE_TIME)
  }

  send(command: Command): void {
    this.client.send(command)
  }

  get step(): number {
    return this.frame?.step ?? 0
  }

  get latest(): number {
    return Math.max(this.frame?.latest ?? 0, this.status?.latest ?? 0)
  }

  get stepLength(): number {
    return this.status?.step_length ?? this.session?.step ?? 1 / 240
  }

  get stepsPerFrame(): number {
    return this.session?.steps_per_frame ?? 1
  }

  section(kind: Section): Float32Array | null {
    return this.frame?.sections.get(kind) ?? null
  }

  togglePlay(): void {
    this.send({ do: this.playing ? 'pause' : 'play' })
  }

  /** Pauses and moves by a number of simulation steps. */
  stepBy(steps: number): void {
    if (this.playing) this.send({ do: 'pause' })
    this.send({ do: 'step', steps })
  }

  seek(step: number): void {
    this.send({ do: 'seek', step: Math.max(0, Math.round(step)) })
  }

  seekBySeconds(seconds: number): void {
    this.seek(Math.min(this.latest, this.step + seconds / this.stepLength))
  }

  /** Goes back to the start, and asks how if the world was changed. */
  async restart(): Promise<void> {
    await this.loadEdits()
    if (this.edits.length > 0) this.restartAsked = true
    else this.restartWithChanges()
  }

  /** Goes back to the start; changes are repeated at their times. */
  restartWithChanges(): void {
    this.restartAsked = false
    this.send({ do: 'restart' })
  }

  /** Opens the world as it was built, and closes this session unless others watch it. */
  async restartAsBuilt(): Promise<void> {
    this.restartAsked = false
    if (!this.session) return
    try {
      const alone = (this.status?.viewers ?? 1) <= 1
      await reopen(asBuilt(this.session.source))
      if (alone) await api.endSession(this.id)
    } catch (error) {
      this.notify((error as Error).message)
    }
  }

  setSpeed(speed: number): void {
    this.send({ do: 'speed', speed })
  }

  /** Changes the speed by a number of entries of `SPEEDS`. */
  changeSpeed(by: number): void {
    const speed = this.status?.speed ?? 1
    const nearest = SPEEDS.reduce(
      (best, each, index) => (Math.abs(each - speed) < Math.abs(SPEEDS[best]! - speed) ? index : best),
      0,
    )
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, nearest + by))]!)
  }

  toggleOverlay(name: OverlayName): void {
    const on = this.overlays.includes(name)
    this.overlays = on ? this.overlays.filter((other) => other !== name) : [...this.overlays, name]
    this.sendOverlays()
  }

  /** Asks the server for the frame sections that the viewer shows. */
  sendOverlays(): void {
    const names = new Set<OverlayName>(this.overlays)
    if (this.brainShown) names.add('activations')
    if (this.countersShown) names.add('counters')
    this.view?.overlays.setShown(this.overlays)
    this.send({ do: 'overlays', overlays: [...names] })
    this.view?.requestDraw()
  }

  showBrain(on: boolean): void {
    if (on === this.brainShown) return
    this.brainShown = on
    this.sendOverlays()
  }

  /** Requests counters while a panel shows them. */
  showCounters(on: boolean): void {
    if (on === this.countersShown) return
    this.countersShown = on
    this.sendOverlays()
  }

  setCamera(kind: CameraKind): void {
    this.camera = kind
    const { view } = this
    view?.cameras.setKind(kind)
    if (view) view.cameras.auto = false
    if (kind === 'strobe') view?.startStrobe()
    view?.requestDraw()
  }

  /** Fits the picture to what moves. */
  fitCamera(): void {
    this.view?.autoCamera?.reset()
    this.view?.requestDraw()
  }

  setStrobe(seconds: number): void {
    this.strobe = seconds
    if (!this.view) return
    this.view.strobeInterval = Math.max(1, Math.round(seconds / this.stepLength))
    this.view.clearGhosts()
  }

  setDisplay(display: Display): void {
    this.display = display
    this.view?.setDisplay(display)
  }

  hover(body: number | null): void {
    if (this.hovered === body) return
    this.hovered = body
    if (this.pinned === null) this.requestProbe(body)
  }

  pin(body: number | null): void {
    this.pinned = body
    this.requestProbe(body ?? this.hovered)
  }

  private requestProbe(body: number | null): void {
    if (!this.session?.can.probe) return
    if (body === null) this.probe = null
    this.send({ do: 'probe', body })
  }

  follow(body: number): void {
    const { view } = this
    if (!view) return
    view.cameras.follow(body, view.parents())
    view.cameras.auto = false
    if (this.frame) view.cameras.setFrame(this.frame.poses, this.frame.time)
    view.cameras.centre()
    if (this.camera === 'static' || this.camera === 'strobe') this.setCamera('follow')
    view.cameras.eyeDistance = view.frontOf(body)
    view.requestDraw()
    this.notify(`The camera follows ${view.appearance?.bodies[body]?.name ?? 'the body'}.`)
  }

  /** Throws a ball from the camera. Speed in m/s, radius in m, density in kg/m3. */
  throwBall(speed: number, radius: number, density: number): void {
    const { view } = this
    if (!view || !this.session?.can.interfere) return
    const { position } = view.camera
    const ahead = view.camera.getWorldDirection(position.clone())
    const from = position.clone().addScaledVector(ahead, 4 * radius)
    const velocity = ahead.multiplyScalar(speed)
    this.send({ do: 'throw', from: from.toArray(), velocity: velocity.toArray(), radius, density })
  }
}
