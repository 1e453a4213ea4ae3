import type { IndividualSummary } from '../../lib/protocol'

/** A scored individual for tests. */
export function individual(id: number, given: Partial<IndividualSummary> = {}): IndividualSummary {
  return {
    id,
    generation: 0,
    operator: 'crossover',
    parents: [1, 2],
    fitness: 3,
    outcome: 'scored',
    reason: null,
    descriptors: {},
    measures: {},
    favourite: false,
    removed: false,
    ...given,
  }
}
