// Opens a world again: after its session has ended, or as it was built. The tab remembers the worlds that it showed, so that
// this also works after the page was loaded again.
import * as api from './api'
import type { Session, Source } from './protocol'
import { router } from './route.svelte'

/** A moment of a world. */
export interface Moment {
  step: number
  /** Simulated time, in s. */
  time: number
  playing: boolean
}

export interface Remembered extends Moment {
  title: string
  source: Source
  /** The start of the server that had the world. */
  start: string
}

/** Moments that newly opened sessions go to. */
const wanted = new Map<string, Moment>()
const key = (id: string) => `burgess session ${id}`

/** Remembers what a session shows, for this tab. */
export function remember(id: string, { title, source }: Session, moment: Moment, start: string): void {
  const { step, time, playing } = moment
  const remembered: Remembered = { title, source, step, time, playing, start }
  try {
    sessionStorage.setItem(key(id), JSON.stringify(remembered))
  } catch {
    // The storage is full or disabled. The world can then not be opened again after the page was loaded again.
  }
}

export function remembered(id: string): Remembered | null {
  try {
    return JSON.parse(sessionStorage.getItem(key(id)) ?? 'null') as Remembered | null
  } catch {
    return null
  }
}

let firstWorld = true

/**
 * Returns the world that a tab showed at an address when it was loaded again, if the server was restarted since: another
 * world may have the same id now. An address that was chosen on the page means the world of today.
 */
export function lostAtLoad(id: string, start: string): Remembered | null {
  const isFirst = firstWorld
  firstWorld = false
  const last = isFirst ? remembered(id) : null
  return last && last.start !== start ? last : null
}

/** Returns the source without the edits of a take. */
export function asBuilt(source: Source): Source {
  return source.type === 'take' ? asBuilt(source.take.source) : source
}

/** Opens a new session of a source and shows it, at a moment if one is given; `replace` replaces the current page. */
export async function reopen(
  source: Source,
  moment?: Pick<Moment, 'step' | 'playing'>,
  replace = false,
): Promise<void> {
  const later = moment !== undefined && moment.step > 0
  const session = await api.startSession({ source, paused: later || moment?.playing === false })
  if (later) wanted.set(session.id, { ...moment, time: moment.step * session.step })
  if (replace) router.replace('stage', session.id)
  else router.go('stage', session.id)
}

/** Returns the moment that a newly opened session is to go to, once. */
export function takeWanted(id: string): Moment | null {
  const moment = wanted.get(id) ?? null
  wanted.delete(id)
  return moment
}
