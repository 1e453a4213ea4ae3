// State of a run, kept up to date by its socket, and the interventions that the pages offer.
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import * as api from '../../lib/api'
import { parseJson } from '../../lib/check'
import { errorMessage } from '../../lib/errors'
import { runMessage } from '../../lib/messages'
import type {
  IndividualSummary,
  Generation,
  IndividualQuery,
  Progress,
  RunDetail,
  RunMessage,
} from '../../lib/protocol'

/** A birth that the user requested, and its result once it is evaluated. */
export interface PendingBirth {
  id: number
  /** Origin, such as 'a child of 17 and 23'. */
  origin: string
  born: IndividualSummary | null
}

/** Time in which a removal can be undone, in ms. */
export const UNDO_TIME = 10_000
/** Minimum time between reloads of the curve, in ms. */
const CURVE_PERIOD = 2000
/** Maximum number of selected creatures: as many as fit side by side. */
export const MAX_SELECTED = 4

export class LiveRun {
  info = $state.raw<RunDetail | null>(null)
  progress = $state.raw<Progress | null>(null)
  generations = $state.raw<Generation[]>([])
  /** Why the run cannot be shown. */
  error = $state<string | null>(null)
  /** Message of the last failed request. */
  notice = $state<string | null>(null)
  connected = $state(false)
  /** Number of creatures evaluated since the page was opened. */
  births = $state(0)
  /** Favourites changed since the lists were loaded. */
  favourites = new SvelteMap<number, boolean>()
  removed = new SvelteSet<number>()
  /** Removals that can still be undone, with their timers. */
  removing = new SvelteMap<number, ReturnType<typeof setTimeout>>()
  selected = $state<number[]>([])
  pending = $state<PendingBirth[]>([])
  /** Filter of the gallery, kept while other tabs are open. */
  query = $state<IndividualQuery>({ sort: 'fitness', order: 'desc', removed: false })

  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #curveTimer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #loadingPending = false

  constructor(readonly name: string) {}

  get state() {
    return this.progress?.state ?? this.info?.state ?? 'stopped'
  }

  get count() {
    return this.progress?.count ?? this.info?.count ?? 0
  }

  get evaluations() {
    return this.progress?.evaluations ?? this.info?.evaluations ?? 0
  }

  async open(): Promise<void> {
    await this.refresh()
    if (!this.error && !this.#closed) this.#connect()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#retry)
    clearTimeout(this.#curveTimer)
    this.#socket?.close()
    for (const id of this.removing.keys()) void this.removeNow(id)
  }

  /** Reloads everything. */
  async refresh(): Promise<void> {
    try {
      const [info, curve] = await Promise.all([api.runOf(this.name), api.curve(this.name)])
      this.info = info
      this.generations = curve.generations
      this.error = null
    } catch (error) {
      this.error = errorMessage(error)
    }
  }

  #connect(): void {
    const socket = new WebSocket(api.runSocket(this.name))
    this.#socket = socket
    socket.onopen = () => {
      this.connected = true
      void this.#loadPending()
    }
    socket.onmessage = (event) => this.#receiveText(String(event.data))
    socket.onclose = () => {
      this.connected = false
      if (!this.#closed) this.#retry = setTimeout(() => this.#connect(), 2000)
    }
  }

  #receiveText(text: string): void {
    try {
      this.#receive(parseJson(text, runMessage, 'Message of the run'))
    } catch (error) {
      this.notice = errorMessage(error)
    }
  }

  #receive(message: RunMessage): void {
    if (message.say === 'progress') {
      const ended = this.progress && this.progress.state !== message.state
      this.progress = message
      void this.#loadPending()
      if (ended) void this.refresh()
    } else if (message.say === 'born') {
      this.births += message.individuals.length
      for (const one of message.individuals) this.#setBorn(one)
      this.#curveTimer ??= setTimeout(() => {
        this.#curveTimer = undefined
        void this.refresh()
      }, CURVE_PERIOD)
    }
  }

  #setBorn(one: IndividualSummary): void {
    const index = this.pending.findIndex((other) => other.id === one.id && !other.born)
    if (index >= 0) this.pending[index]!.born = one
  }

  /** Loads pending births that were evaluated before the request was answered or while the socket was closed. */
  async #loadPending(): Promise<void> {
    if (this.#loadingPending) return
    this.#loadingPending = true
    for (const { id, born } of [...this.pending]) {
      if (born || id >= this.count) continue
      try {
        this.#setBorn(await api.individual(this.name, id))
      } catch (error) {
        const notEvaluatedYet = error instanceof api.ApiError && error.status === 404
        if (!notEvaluatedYet) this.notice = errorMessage(error)
      }
    }
    this.#loadingPending = false
  }

  isFavourite(one: IndividualSummary): boolean {
    return this.favourites.get(one.id) ?? one.favourite
  }

  isRemoved(one: IndividualSummary): boolean {
    return one.removed || this.removed.has(one.id)
  }

  async setFavourite(id: number, on: boolean): Promise<void> {
    const before = this.favourites.get(id)
    this.favourites.set(id, on)
    if (await this.#try(() => api.setFavourite(this.name, id, on))) return
    if (before === undefined) this.favourites.delete(id)
    else this.favourites.set(id, before)
  }

  /** Removes a creature after a delay in which the removal can be undone. */
  remove(id: number): void {
    if (this.removing.has(id)) return
    this.removing.set(
      id,
      setTimeout(() => void this.removeNow(id), UNDO_TIME),
    )
    this.deselect(id)
  }

  undoRemove(id: number): void {
    clearTimeout(this.removing.get(id))
    this.removing.delete(id)
  }

  async removeNow(id: number): Promise<void> {
    this.undoRemove(id)
    if (await this.#try(() => api.removeIndividual(this.name, id))) this.removed.add(id)
  }

  toggleSelected(id: number): void {
    if (this.selected.includes(id)) this.deselect(id)
    else if (this.selected.length < MAX_SELECTED) this.selected.push(id)
    else this.notice = `At most ${MAX_SELECTED} creatures can be selected. Deselect one first.`
  }

  deselect(id: number): void {
    this.selected = this.selected.filter((other) => other !== id)
  }

  async breed(a: number, b: number): Promise<void> {
    const done = await this.#try(() => api.breed(this.name, [a, b]))
    if (done) this.#addPending(done.answer.child, a === b ? `a child of ${a} with itself` : `a child of ${a} and ${b}`)
  }

  async merge(other: string, count: number): Promise<boolean> {
    const done = await this.#try(() => api.mergeRun(this.name, other, count))
    done?.answer.children.forEach((id) => this.#addPending(id, `from ${other}`))
    return Boolean(done)
  }

  async inject(creature: unknown, file: string): Promise<boolean> {
    const done = await this.#try(() => api.injectCreature(this.name, creature))
    if (done) this.#addPending(done.answer.child, `from ${file}`)
    return Boolean(done)
  }

  pause = () => this.#try(() => api.pauseRun(this.name)).then(() => this.refresh())

  continueRun = (evaluations?: number) =>
    this.#try(() => api.continueRun(this.name, evaluations)).then(() => this.refresh())

  #addPending(id: number, origin: string): void {
    this.pending = [...this.pending.filter((other) => other.id !== id), { id, origin, born: null }]
    void this.#loadPending()
  }

  dismiss(id: number): void {
    this.pending = this.pending.filter((other) => other.id !== id)
  }

  /** Returns the answer; after a failure sets the notice and returns null. */
  async #try<T>(request: () => Promise<T>): Promise<{ answer: T } | null> {
    try {
      return { answer: await request() }
    } catch (error) {
      this.notice = errorMessage(error)
      return null
    }
  }
}
