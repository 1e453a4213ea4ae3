// Judges how fast a world is simulated, and what would make it faster.
import type { MeasuredMessage, ProfileMessage } from '../../lib/protocol'

/** Below this share of the chosen speed a world is slow. */
const SLOW_SHARE = 0.8
/** Above this share it is no longer slow. Two bounds keep the badge from flickering. */
const FINE_SHARE = 0.92
/** Time for which a world must be slow before it is called so, in ms. */
export const SLOW_TIME = 2000
/** A paradigm crawls if it makes a world slower than this factor of real time, and slower than it is now. */
const CRAWL_FACTOR = 0.5
/** An offer must be faster than now by this factor. */
const WORTHWHILE = 1.25

/** Returns whether a world is slow, given whether it was. */
export function isSlow(factor: number, speed: number, was: boolean): boolean {
  // A world that is shown faster than real time on request is not slow as long as it keeps up with real time.
  const wanted = Math.min(speed, 1)
  return factor < (was ? FINE_SHARE : SLOW_SHARE) * wanted
}

/** Returns whether a choice must be confirmed: it makes the world crawl. `now` is the present real-time factor. */
export function crawls(measured: Pick<MeasuredMessage, 'factor' | 'failure'>, now: number | null): boolean {
  return measured.failure !== null || (measured.factor < CRAWL_FACTOR && measured.factor < 0.8 * (now ?? Infinity))
}

export const MODULES = {
  collision_detection: 'collision detection',
  constraint_solver: 'contact forces',
  collision_solver: 'impacts',
  motion_solver: 'motion of bodies',
  controllers: 'controllers',
} as const satisfies Partial<Record<keyof ProfileMessage, string>>

export type ModuleName = keyof typeof MODULES

/** Returns the modules with their shares of a step, the slowest first, and the time of a step in s. */
export function shares(profile: ProfileMessage): { total: number; modules: { name: ModuleName; share: number }[] } {
  const names = Object.keys(MODULES) as ModuleName[]
  const total = names.reduce((sum, name) => sum + profile[name], 0)
  const modules = names.map((name) => ({ name, share: total > 0 ? profile[name] / total : 0 }))
  return { total, modules: modules.sort((a, b) => b.share - a.share) }
}

/** Says in a sentence why a world is slow. `step` is the length of a step in s. */
export function reason(profile: ProfileMessage | null, step: number): string {
  if (!profile) return 'One step takes longer than the time that it simulates.'
  const { total, modules } = shares(profile)
  const slowest = modules[0]!
  const milliseconds = (seconds: number) => (1000 * seconds).toPrecision(2)
  const contacts = Math.round(profile.contacts)
  return (
    `A step of ${milliseconds(step)} ms takes ${milliseconds(total)} ms, ` +
    `${Math.round(100 * slowest.share)} % of it for ${MODULES[slowest.name]} (${contacts} contacts).`
  )
}

/** A change that may make a world faster. */
export interface Offer {
  label: string
  change: { paradigm?: string; step?: number; sleeping?: boolean }
}

/** Returns the changes that exist for a world. */
export function offers(paradigm: string | null, step: number, sleeping: boolean | null): Offer[] {
  const list: Offer[] = []
  if (paradigm !== null && paradigm !== 'time-stepping') {
    list.push({ label: 'The paradigm time-stepping', change: { paradigm: 'time-stepping' } })
  }
  if (sleeping === false) list.push({ label: 'Sleep of bodies at rest', change: { sleeping: true } })
  const coarser = Number((2 * step).toPrecision(6))
  if (coarser <= 0.02) {
    list.push({ label: `Steps of ${(1000 * coarser).toPrecision(2)} ms (less exact)`, change: { step: coarser } })
  }
  return list
}

/** Returns whether a measured offer helps, compared with the world as it is, measured in the same way. */
export function helps(offer: Pick<MeasuredMessage, 'factor' | 'failure'>, now: number): boolean {
  return offer.failure === null && offer.factor > WORTHWHILE * now
}
