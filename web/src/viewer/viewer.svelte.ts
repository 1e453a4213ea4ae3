// State of the viewer page, shared by all its panels, and the commands that they send to the session.
import * as api from '../lib/api'
import type {
  Appearance,
  Body,
  Brain,
  CameraEntry,
  Command,
  Contents,
  Edit,
  Mark,
  OverlayName,
  Probe,
  RecordedEdit,
  Session,
  Status,
} from '../lib/protocol'
import { capital } from '../lib/labels'
import { lostAtLoad, remember, remembered, type Remembered } from '../lib/reopen'
import { SessionClient, type LostReason, type Observation, type SessionListener } from '../lib/sessionClient'
import type { CameraKind } from '../scene3d/cameras'
import { Section, type Frame } from '../lib/frame'
import type { Display } from '../scene3d/instances'
import type { SceneView } from '../scene3d/sceneView'
import { Speed } from './control/speed.svelte'
import { lastEdit } from './edits'
import { Hands } from './control/hands.svelte'
import { Inspection } from './inspect/inspection.svelte'
import { Plots } from './plots/plots.svelte'
import { titleOf } from './origin'
import { goToWanted, reloadSession, showFrame } from './replacement'
import { Restart } from './restart.svelte'
import { speedBeside } from './speeds'

/** Time for which a notice is shown, in ms. */
const NOTICE_TIME = 6000

export type PanelName = 'view' | 'probe' | 'world' | 'crowd' | 'film' | 'brain'

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
  /** Name of the scene's camera that was chosen. */
  namedCamera = $state<string | null>(null)
  display = $state<Display>('solid')
  /** Time between stroboscopic copies, in s. */
  strobe = $state(0.25)
  /** Whether the scene is edited as text. */
  editing = $state(false)
  playing = $state(false)
  appearance = $state.raw<Appearance | null>(null)
  contents = $state.raw<Contents | null>(null)
  /** Marks on the time axis. */
  marks = $state.raw<Mark[]>([])
  /** The open panel beside the view. On a phone it would hide most of the world, so there is none at first. */
  panel = $state<PanelName | null>(matchMedia('(min-width: 721px)').matches ? 'view' : null)
  /** Edits of the world, in order. */
  edits = $state.raw<RecordedEdit[]>([])
  view: SceneView | null = null
  readonly plots = new Plots(this)
  readonly inspection = new Inspection(this)
  readonly pace = new Speed(this)
  readonly hands = new Hands(this)
  readonly restart = new Restart(this)
  readonly client: SessionClient
  /** The start of the server. */
  start = ''
  private epoch = -1
  private loading = false
  /** Frame sections that panels show. */
  private readonly wanted = new Set<OverlayName>()
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
      // People are shown with legs, and gates with their state, unless somebody switches them off.
      this.overlays = this.session.overlays.filter((name) => name === 'figures' || name === 'crowd')
      await this.loadAppearance(true)
      this.hands.fitBall(view.bodySize)
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
    const [appearance, contents] = await Promise.all([api.appearance(this.id), api.contents(this.id)])
    const replaced = !first && (await reloadSession(this))
    this.epoch = appearance.epoch
    this.appearance = appearance
    this.contents = contents
    this.view?.overlays.setGates(contents.crowds)
    // For another scene the camera is fitted again, unless the user has moved it.
    this.view?.setAppearance(appearance, first || (replaced && this.view.cameras.auto))
    if (this.frame) showFrame(this, this.frame)
    await this.loadEdits()
    if (!first || !this.view) return
    this.camera = this.view.cameras.kind
    // A scene file opens with its own camera. Those of built-in scenes are listed only: the automatic one sees more.
    const own = this.session?.source.type === 'file' ? contents.cameras[0] : undefined
    if (own) this.useCamera(own)
  }

  /** Loads the edits that were made so far. */
  async loadEdits(): Promise<void> {
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
    this.frame = frame
    this.playing = frame.playing
    this.plots.restore()
    this.pace.judge(frame.factor, frame.playing, performance.now())
    showFrame(this, frame)
  }

  onStatus(status: Status): void {
    if (this.status && status.latest < this.status.latest) {
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

  onObservation(message: Observation): void {
    if (message.say === 'plot') this.plots.receive(message)
    else if (message.say === 'marks') this.marks = message.marks
    else if (message.say === 'profile') this.pace.receiveProfile(message)
    else this.pace.receive(message)
  }

  onError(message: string): void {
    if (this.pace.measuring) this.pace.receive(null)
    this.notify(message)
  }

  onConnection(error: string | null): void {
    this.connectionError = error
    if (error === null) void goToWanted(this)
  }

  /** Shows a message for a few seconds. */
  notify(message: string): void {
    this.notice = capital(message)
    if (this.noticeTimer) clearTimeout(this.noticeTimer)
    this.noticeTimer = setTimeout(() => (this.notice = null), NOTICE_TIME)
  }

  send(command: Command): void {
    this.client.send(command)
  }

  get title(): string {
    return this.session ? titleOf(this.session) : (this.last?.title ?? 'World')
  }

  get bodies(): Body[] {
    return this.appearance?.bodies ?? []
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

  /** Goes to the next mark on the time axis, or to the previous one. */
  seekMark(by: 1 | -1): void {
    const steps = this.marks.map(({ step }) => step).filter((step) => (by > 0 ? step > this.step : step < this.step))
    if (steps.length) this.seek(by > 0 ? Math.min(...steps) : Math.max(...steps))
  }

  setSpeed(speed: number): void {
    this.send({ do: 'speed', speed })
  }

  /** Changes the speed by a number of entries of the list of speeds. */
  changeSpeed(by: number): void {
    this.setSpeed(speedBeside(this.status?.speed ?? 1, by))
  }

  toggleOverlay(name: OverlayName): void {
    const on = this.overlays.includes(name)
    this.overlays = on ? this.overlays.filter((other) => other !== name) : [...this.overlays, name]
    this.sendOverlays()
  }

  /** Asks the server for the frame sections that the viewer shows. */
  sendOverlays(): void {
    const names = new Set<OverlayName>([...this.overlays, ...this.wanted])
    this.view?.overlays.setShown(this.overlays)
    this.send({ do: 'overlays', overlays: [...names] })
    this.view?.requestDraw()
  }

  /** Requests a frame section while a panel shows it. */
  want(name: OverlayName, on: boolean): void {
    if (on === this.wanted.has(name)) return
    if (on) this.wanted.add(name)
    else this.wanted.delete(name)
    this.sendOverlays()
  }

  /** Shows the world from a camera that the scene names. */
  useCamera(camera: CameraEntry): void {
    this.view?.useCamera(camera)
    this.camera = camera.follow === null ? 'static' : 'follow'
    this.namedCamera = camera.name
  }

  setCamera(kind: CameraKind): void {
    this.camera = kind
    this.namedCamera = null
    const { view } = this
    view?.resetLens()
    view?.cameras.setKind(kind)
    if (view) view.cameras.auto = false
    if (kind === 'strobe') view?.startStrobe()
    view?.requestDraw()
  }

  /** Fits the picture to what moves. */
  fitCamera(): void {
    this.namedCamera = null
    this.view?.resetLens()
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

  /** Selects a body: it is outlined, and its values are shown. */
  pin(body: number | null): void {
    this.pinned = body
    this.requestProbe(body ?? this.hovered)
    if (!this.view) return
    this.view.selection.body = body
    this.view.requestDraw()
  }

  /** Selects a body by a click on the stage, and shows its values unless another panel is in use. */
  select(body: number | null): void {
    this.pin(body)
    if (body !== null && this.panel === 'view') this.panel = 'probe'
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
    this.notify(`The camera follows ${this.bodies[body]?.name ?? 'the body'}.`)
  }
}
