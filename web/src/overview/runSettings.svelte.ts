// What the user chose for the list of runs. It is kept while other pages are shown.
import type { RunQuery } from '../lib/protocol'

export const settings = $state({
  search: '',
  /** Name of the only task to list; null lists all. */
  task: null as string | null,
  sort: 'newest' as NonNullable<RunQuery['sort']>,
  grouped: true,
  offset: 0,
  /** Number of runs of a page. */
  limit: 24,
})
