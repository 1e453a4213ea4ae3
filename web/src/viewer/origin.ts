// Where a world comes from: its title, and the page of the creature that is in it.
import type { Session } from '../lib/protocol'
import { link } from '../lib/route.svelte'

/** Returns the title of a world. That of a creature of a run has the name of the run and the number of the creature. */
export function titleOf({ source, title }: Session): string {
  return source.type === 'individual' && source.id !== undefined ? `${source.run} #${source.id}` : title
}

/** Returns the page of the creature in a world; null if it is not of a run. */
export function originOf(session: Session | null): { href: string; label: string } | null {
  const source = session?.source
  if (source?.type !== 'individual' || source.id === undefined) return null
  return { href: link('run', source.run, 'creature', source.id), label: `Creature ${source.id} of ${source.run}` }
}
