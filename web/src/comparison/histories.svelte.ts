// The progress of the selected runs. Each is loaded once, two at a time; those that evolve are loaded again.
import * as api from '../lib/api'
import { errorMessage } from '../lib/errors'
import type { RunHistory } from '../lib/protocol'

/** Maximum number of runs in one chart. */
export const MAX_RUNS = 100
/** Requests at once: as many as the server reads at once. */
const AT_ONCE = 2

export class Histories {
  runs = $state.raw<RunHistory[]>([])
  /** Runs that cannot be shown, with the reason. */
  failures = $state.raw<{ name: string; why: string }[]>([])
  loading = $state(0)
  #known = new Map<string, RunHistory>()
  #wanted: string[] = []
  #round = 0

  /** Shows these runs. Those that are not known yet are loaded. */
  async show(names: readonly string[]): Promise<void> {
    const round = ++this.#round
    this.#wanted = [...new Set(names)].slice(0, MAX_RUNS)
    this.failures = []
    this.#publish()
    const missing = this.#wanted.filter((name) => !this.#known.has(name))
    this.loading = missing.length
    const work = async () => {
      for (let name = missing.shift(); name !== undefined && round === this.#round; name = missing.shift()) {
        await this.#load(name, round)
        if (round === this.#round) this.loading--
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  /** Loads the runs that are not at their end again. */
  async refresh(): Promise<void> {
    const round = this.#round
    for (const run of this.runs.filter((run) => run.count < run.planned)) {
      if (round !== this.#round) return
      await this.#load(run.name, round)
    }
  }

  async #load(name: string, round: number): Promise<void> {
    try {
      this.#known.set(name, await api.history(name))
    } catch (error) {
      if (round === this.#round && !this.#known.has(name)) {
        this.failures = [...this.failures, { name, why: errorMessage(error) }]
      }
    }
    if (round === this.#round) this.#publish()
  }

  #publish(): void {
    this.runs = this.#wanted.flatMap((name) => this.#known.get(name) ?? [])
  }
}
