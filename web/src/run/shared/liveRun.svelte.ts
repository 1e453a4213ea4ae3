// A run as the pages see it: what the server tells of it, kept up to date by its socket, and what a person does to it.
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import * as api from '../../lib/api'
import { errorMessage } from '../../lib/errors'
import type { Brief, Generation, IndividualQuery, Progress, RunDetail, RunMessage } from '../../lib/protocol'

/** A creature that was asked for and is not evaluated yet; then its result. */
export interface Awaited {
  id: number
  /** Where it comes from: 'a child of 17 and 23'. */
  origin: string
  born: Brief | null
}

/** So long one can take a removal back, in ms. */
export const UNDO_TIME = 10_000
/** The curve is asked for again at most so often, in ms. */
const CURVE_PERIOD = 2000
/** At most so many can be chosen: what fits side by side. */
export const MAX_SELECTED = 4

export class LiveRun {
  info = $state.raw<RunDetail | null>(null)
  progress = $state.raw<Progress | null>(null)
  generations = $state.raw<Generation[]>([])
  /** Why the run cannot be shown. */
  error = $state<string | null>(null)
  /** What was refused last, to be told in passing. */
  notice = $state<string | null>(null)
  connected = $state(false)
  /** Creatures that were evaluated since the page was opened. */
  births = $state(0)
  /** Marks that are newer than what lists say. */
  favourites = new SvelteMap<number, boolean>()
  removed = new SvelteSet<number>()
  /** Removals that can still be taken back. */
  leaving = new SvelteMap<number, ReturnType<typeof setTimeout>>()
  chosen = $state<number[]>([])
  awaited = $state<Awaited[]>([])
  /** What the gallery shows: kept while other views are open. */
  query = $state<IndividualQuery>({ sort: 'fitness', order: 'desc', removed: false })

  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #curveTimer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #looking = false

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
    for (const id of this.leaving.keys()) void this.removeNow(id)
  }

  /** Asks for everything again. */
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
      void this.#lookForAwaited()
    }
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data as string) as RunMessage)
    socket.onclose = () => {
      this.connected = false
      if (!this.#closed) this.#retry = setTimeout(() => this.#connect(), 2000)
    }
  }

  #hear(news: RunMessage): void {
    if (news.say === 'progress') {
      const ended = this.progress && this.progress.state !== news.state
      this.progress = news
      void this.#lookForAwaited()
      if (ended) void this.refresh()
    } else if (news.say === 'born') {
      this.births += news.individuals.length
      for (const one of news.individuals) this.#welcome(one)
      this.#curveTimer ??= setTimeout(() => {
        this.#curveTimer = undefined
        void this.refresh()
      }, CURVE_PERIOD)
    }
  }

  #welcome(one: Brief): void {
    const index = this.awaited.findIndex((other) => other.id === one.id && !other.born)
    if (index >= 0) this.awaited[index]!.born = one
  }

  /** Those whose turn is over and of whom no news came, because they were born before the answer or while the socket was closed. */
  async #lookForAwaited(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    for (const { id, born } of [...this.awaited]) {
      if (born || id >= this.count) continue
      try {
        this.#welcome(await api.individual(this.name, id))
      } catch {
        // not yet
      }
    }
    this.#looking = false
  }

  isFavourite(one: Brief): boolean {
    return this.favourites.get(one.id) ?? one.favourite
  }

  isRemoved(one: Brief): boolean {
    return one.removed || this.removed.has(one.id)
  }

  async setFavourite(id: number, on: boolean): Promise<void> {
    const before = this.favourites.get(id)
    this.favourites.set(id, on)
    if (await this.#try(() => api.favourite(this.name, id, on))) return
    if (before === undefined) this.favourites.delete(id)
    else this.favourites.set(id, before)
  }

  /** Removes after a while in which it can be taken back. */
  remove(id: number): void {
    if (this.leaving.has(id)) return
    this.leaving.set(
      id,
      setTimeout(() => void this.removeNow(id), UNDO_TIME),
    )
    this.unchoose(id)
  }

  keep(id: number): void {
    clearTimeout(this.leaving.get(id))
    this.leaving.delete(id)
  }

  async removeNow(id: number): Promise<void> {
    this.keep(id)
    if (await this.#try(() => api.remove(this.name, id))) this.removed.add(id)
  }

  choose(id: number): void {
    if (this.chosen.includes(id)) this.unchoose(id)
    else if (this.chosen.length < MAX_SELECTED) this.chosen.push(id)
    else this.notice = `${MAX_SELECTED} creatures are chosen already; take one out of the tray first.`
  }

  unchoose(id: number): void {
    this.chosen = this.chosen.filter((other) => other !== id)
  }

  async breed(a: number, b: number): Promise<void> {
    const done = await this.#try(() => api.breed(this.name, [a, b]))
    if (done) this.#await(done.answer.child, a === b ? `a child of ${a} with itself` : `a child of ${a} and ${b}`)
  }

  async merge(other: string, most: number): Promise<boolean> {
    const done = await this.#try(() => api.merge(this.name, other, most))
    done?.answer.children.forEach((id) => this.#await(id, `from ${other}`))
    return Boolean(done)
  }

  async inject(creature: unknown, file: string): Promise<boolean> {
    const done = await this.#try(() => api.inject(this.name, creature))
    if (done) this.#await(done.answer.child, `from ${file}`)
    return Boolean(done)
  }

  pause = () => this.#try(() => api.pause(this.name)).then(() => this.refresh())

  goOn = (evaluations?: number) => this.#try(() => api.goOn(this.name, evaluations)).then(() => this.refresh())

  #await(id: number, origin: string): void {
    this.awaited = [...this.awaited.filter((other) => other.id !== id), { id, origin, born: null }]
    void this.#lookForAwaited()
  }

  forget(id: number): void {
    this.awaited = this.awaited.filter((other) => other.id !== id)
  }

  /** The answer, or null after telling why not. */
  async #try<T>(ask: () => Promise<T>): Promise<{ answer: T } | null> {
    try {
      return { answer: await ask() }
    } catch (error) {
      this.notice = errorMessage(error)
      return null
    }
  }
}
