// What a viewer of a session knows and wants: the state that all panels of the stage share.
import * as api from '../lib/api'
import type { Brain, Order, OverlayName, Probe, Session, Status } from '../lib/protocol'
import { SessionClient, type Listener } from '../lib/session'
import type { CameraKind } from '../stage3d/cameras'
import { Section, type Frame } from '../stage3d/frame'
import type { Display } from '../stage3d/instances'
import type { Stage } from '../stage3d/stage'
import { EnergyTrace } from './energy'

export const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]

export class Viewer implements Listener {
  session = $state.raw<Session | null>(null)
  now = $state.raw<Status | null>(null)
  shown = $state.raw<Frame | null>(null)
  probed = $state.raw<Probe | null>(null)
  brain = $state.raw<Brain | null>(null)
  /** The body whose values are read on: chosen by a click. */
  pinned = $state<number | null>(null)
  hovered = $state<number | null>(null)
  /** Where the pointer is on the canvas, pixels. */
  pointer = $state.raw({ x: 0, y: 0 })
  /** Why nothing can be shown at all. */
  failure = $state<string | null>(null)
  broken = $state<string | null>('Connecting …')
  notice = $state<string | null>(null)
  overlays = $state.raw<OverlayName[]>([])
  camera = $state<CameraKind>('follow')
  display = $state<Display>('solid')
  energy = $state(false)
  /** Dragging a body pulls it. */
  pulling = $state(true)
  /** Time between stroboscopic copies, s. */
  strobe = $state(0.25)
  brainShown = $state(false)
  playing = $state(false)
  /** The next ball: speed in m/s, radius in m, density in kg/m3. */
  ball = $state.raw<[number, number, number]>([8, 0.1, 1000])
  stage: Stage | null = null
  readonly trace = new EnergyTrace()
  readonly client: SessionClient
  private epoch = -1
  private asking = false
  private counting = false
  private noticeTimer: ReturnType<typeof setTimeout> | null = null

  constructor(readonly id: string) {
    this.client = new SessionClient(id, this)
  }

  async open(stage: Stage): Promise<void> {
    this.stage = stage
    try {
      this.session = await api.sessionOf(this.id)
      this.chooseCamera(this.session.kind === 'creature' ? 'follow' : 'static')
      this.setStrobe(this.strobe)
      await this.look(true)
      const size = stage.bodySize
      this.ball = [8 * Math.max(1, Math.sqrt(size)), Number((0.3 * size).toPrecision(1)), 1000]
      this.client.open()
      this.wish()
    } catch (error) {
      this.failure = (error as Error).message
    }
    if (this.session?.can.brain) this.brain = await api.sessionBrain(this.id).catch(() => null)
  }

  close(): void {
    this.client.close()
    if (this.noticeTimer) clearTimeout(this.noticeTimer)
  }

  /** Asks what the world looks like, now that it may have changed. */
  private async look(first: boolean): Promise<void> {
    const appearance = await api.appearance(this.id)
    this.epoch = appearance.epoch
    this.stage?.setAppearance(appearance, first)
    if (first && appearance.followed === null && appearance.bodies.length) this.stage?.cameras.follow(null, [])
  }

  /** One question at a time; once more if the world has changed again meanwhile. */
  private lookAgain(epoch: number): void {
    if (this.asking) return
    this.asking = true
    this.look(false)
      .catch((error: Error) => this.say(error.message))
      .finally(() => {
        this.asking = false
        const now = this.shown?.epoch ?? epoch
        if (now !== epoch && now !== this.epoch) this.lookAgain(now)
      })
  }

  frame(frame: Frame): void {
    if (frame.epoch !== this.epoch) this.lookAgain(frame.epoch)
    this.trace.note(frame.step, frame.time, frame.kinetic, frame.potential)
    this.shown = frame
    this.playing = frame.playing
    this.stage?.setFrame(frame)
  }

  status(status: Status): void {
    if (this.now && status.latest < this.now.latest) {
      this.trace.cut(status.latest)
      this.stage?.overlays.path.cut(status.latest)
      this.stage?.clearGhosts()
    }
    this.now = status
    this.playing = status.playing
  }

  probe(probe: Probe): void {
    this.probed = probe
  }

  refused(why: string): void {
    this.say(why)
  }

  connection(sentence: string | null): void {
    this.broken = sentence
  }

  /** Shows a sentence for a while. */
  say(sentence: string): void {
    this.notice = sentence
    if (this.noticeTimer) clearTimeout(this.noticeTimer)
    this.noticeTimer = setTimeout(() => (this.notice = null), 6000)
  }

  order(order: Order): void {
    this.client.send(order)
  }

  get step(): number {
    return this.shown?.step ?? 0
  }

  get latest(): number {
    return Math.max(this.shown?.latest ?? 0, this.now?.latest ?? 0)
  }

  get stepLength(): number {
    return this.now?.step_length ?? this.session?.step ?? 1 / 240
  }

  get stepsPerFrame(): number {
    return this.session?.steps_per_frame ?? 1
  }

  section(kind: Section): Float32Array | null {
    return this.shown?.sections.get(kind) ?? null
  }

  togglePlay(): void {
    this.order({ do: this.playing ? 'pause' : 'play' })
  }

  /** Single steps of the simulation; pauses first. */
  stepBy(steps: number): void {
    if (this.playing) this.order({ do: 'pause' })
    this.order({ do: 'step', steps })
  }

  seek(step: number): void {
    this.order({ do: 'seek', step: Math.max(0, Math.round(step)) })
  }

  seekBySeconds(seconds: number): void {
    this.seek(Math.min(this.latest, this.step + seconds / this.stepLength))
  }

  restart(): void {
    this.order({ do: 'restart' })
  }

  setSpeed(speed: number): void {
    this.order({ do: 'speed', speed })
  }

  /** One faster (1) or slower (-1). */
  nudgeSpeed(by: number): void {
    const speed = this.now?.speed ?? 1
    const nearest = SPEEDS.reduce(
      (best, each, index) => (Math.abs(each - speed) < Math.abs(SPEEDS[best]! - speed) ? index : best),
      0,
    )
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, nearest + by))]!)
  }

  toggleOverlay(name: OverlayName): void {
    const on = this.overlays.includes(name)
    this.overlays = on ? this.overlays.filter((other) => other !== name) : [...this.overlays, name]
    this.wish()
  }

  /** Tells the server which sections this viewer wants. */
  wish(): void {
    const asked = new Set(this.overlays)
    if (this.brainShown) asked.add('activations')
    if (this.counting) asked.add('counters')
    this.stage?.overlays.show(this.overlays)
    this.order({ do: 'overlays', overlays: [...asked] })
    this.stage?.touch()
  }

  showBrain(on: boolean): void {
    if (on === this.brainShown) return
    this.brainShown = on
    this.wish()
  }

  /** Counters are asked for while they are shown. */
  count(on: boolean): void {
    if (on === this.counting) return
    this.counting = on
    this.wish()
  }

  chooseCamera(kind: CameraKind): void {
    this.camera = kind
    this.stage?.cameras.choose(kind)
    this.stage?.touch()
  }

  setStrobe(seconds: number): void {
    this.strobe = seconds
    if (!this.stage) return
    this.stage.strobeInterval = Math.max(1, Math.round(seconds / this.stepLength))
    this.stage.clearGhosts()
  }

  setDisplay(display: Display): void {
    this.display = display
    this.stage?.show(display)
  }

  hover(body: number | null): void {
    if (this.hovered === body) return
    this.hovered = body
    if (this.pinned === null) this.ask(body)
  }

  pin(body: number | null): void {
    this.pinned = body
    this.ask(body ?? this.hovered)
  }

  private ask(body: number | null): void {
    if (!this.session?.can.probe) return
    if (body === null) this.probed = null
    this.order({ do: 'probe', body })
  }

  follow(body: number): void {
    const { stage } = this
    if (!stage) return
    stage.cameras.follow(body, stage.parents())
    if (this.shown) stage.cameras.see(this.shown.poses, this.shown.time)
    stage.cameras.centre()
    if (this.camera === 'static' || this.camera === 'strobe') this.chooseCamera('follow')
    stage.touch()
    this.say(`The camera follows ${stage.appearance?.bodies[body]?.name ?? 'it'}.`)
  }

  /** Throws a ball from the camera: `speed` in m/s, `radius` in m, `density` in kg/m3. */
  throwBall(speed: number, radius: number, density: number): void {
    const { stage } = this
    if (!stage || !this.session?.can.interfere) return
    const { position } = stage.camera
    const ahead = stage.camera.getWorldDirection(position.clone())
    const from = position.clone().addScaledVector(ahead, 4 * radius)
    const velocity = ahead.multiplyScalar(speed)
    this.order({ do: 'throw', from: from.toArray(), velocity: velocity.toArray(), radius, density })
  }
}
