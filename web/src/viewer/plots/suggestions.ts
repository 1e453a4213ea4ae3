// Signals that most people want to plot first.
import type { Body, Contents, Signal } from '../../lib/protocol'

export interface Suggestion {
  label: string
  signals: Signal[]
}

interface World {
  bodies: readonly Pick<Body, 'name'>[]
  /** The body that is chosen or followed. */
  subject: number | null
  contents: Contents | null
}

/** Returns what to offer for a world. */
export function suggestions({ bodies, subject, contents }: World): Suggestion[] {
  if (!contents) return []
  const list: Suggestion[] = []
  const body = subject ?? (bodies.length > 0 ? 0 : null)
  if (body !== null && body < bodies.length) {
    const of = bodies[body]!.name
    const offer = (quantity: Contents['body_quantities'][number], label: string) => {
      if (contents.body_quantities.includes(quantity)) {
        list.push({ label: `${label} of ${of}`, signals: [{ of: 'body', body, quantity }] })
      }
    }
    offer('position_z', 'Height')
    offer('speed', 'Speed')
    offer('contact_force', 'Contact force')
    const joint = contents.joints.find((each) => each.body === body)
    if (joint) {
      const axes = joint.units.map((_, axis): Signal => ({ of: 'joint', body, axis, quantity: 'position' }))
      list.push({ label: `Joint of ${of}`, signals: axes })
    }
  }
  if (contents.world_quantities.includes('total_energy')) list.push({ label: 'Energy', signals: energySignals() })
  return list
}

export function energySignals(): Signal[] {
  return (['kinetic_energy', 'potential_energy', 'total_energy'] as const).map((quantity) => ({
    of: 'world',
    quantity,
  }))
}
