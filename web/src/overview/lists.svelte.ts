// The lists of the overview. They are kept while other pages are shown, and a list is requested again only when its version
// has changed.
import * as api from '../lib/api'
import { errorMessage } from '../lib/errors'
import type {
  About,
  CreatureEntry,
  RecordingEntry,
  RunPage,
  RunQuery,
  SceneEntry,
  SessionEntry,
  Versions,
} from '../lib/protocol'

/** Time between two questions whether something has changed, in ms. */
const PERIOD = 3000
/** The same while the server is still reading runs, in ms. */
const SHORT_PERIOD = 500
/** Maximum number of pages of runs that are kept. */
const MAX_PAGES = 20

class Lists {
  about = $state.raw<About | null>(null)
  scenes = $state.raw<SceneEntry[]>([])
  creatures = $state.raw<CreatureEntry[]>([])
  recordings = $state.raw<RecordingEntry[]>([])
  sessions = $state.raw<SessionEntry[]>([])
  /** Time at which the sessions were listed, in ms since the page was opened. */
  sessionsAt = $state(0)
  versions = $state.raw<Versions | null>(null)
  /** Why the lists could not be loaded; the next success removes it. */
  failure = $state<string | null>(null)
  /** Whether the server is still reading runs. */
  hurried = false
  private readonly pages = new Map<string, RunPage>()
  private timer: ReturnType<typeof setTimeout> | null = null

  /** Keeps the lists current; returns a function that ends this. */
  watch(): () => void {
    let watching = true
    const tick = async () => {
      if (!document.hidden) await this.refresh()
      if (watching) this.timer = setTimeout(() => void tick(), this.hurried ? SHORT_PERIOD : PERIOD)
    }
    void tick()
    const seen = () => {
      if (!document.hidden) void this.refresh()
    }
    document.addEventListener('visibilitychange', seen)
    return () => {
      watching = false
      if (this.timer) clearTimeout(this.timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }

  /** Asks for the versions, then for the lists that have changed. */
  async refresh(): Promise<void> {
    try {
      const now = await api.versions()
      const before = this.versions
      const restarted = now.start !== before?.start
      const [sessionsChanged, recordingsChanged] = [
        now.sessions !== before?.sessions,
        now.recordings !== before?.recordings,
      ]
      await Promise.all([
        restarted && api.about().then((answer) => (this.about = answer)),
        restarted && api.scenes().then((answer) => (this.scenes = answer)),
        restarted && api.creatures().then((answer) => (this.creatures = answer)),
        (restarted || sessionsChanged) && this.loadSessions(),
        (restarted || recordingsChanged) && api.recordings().then((answer) => (this.recordings = answer)),
      ])
      this.versions = now
      this.failure = null
    } catch (error) {
      this.failure = errorMessage(error)
    }
  }

  private async loadSessions(): Promise<void> {
    const sessions = await api.sessions()
    this.sessionsAt = performance.now()
    this.sessions = sessions
  }

  /** Returns a page of runs, from the server only if the list has changed since it was requested. */
  async runPage(query: RunQuery, signal: AbortSignal): Promise<RunPage> {
    const key = JSON.stringify(query)
    const kept = this.pages.get(key)
    if (kept && kept.version === this.versions?.runs) return kept
    const page = await api.runPage(query, signal)
    this.hurried = page.unread > 0
    if (this.pages.size >= MAX_PAGES) this.pages.clear()
    this.pages.set(key, page)
    return page
  }
}

export const lists = new Lists()
