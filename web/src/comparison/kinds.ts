// Runs of a list by task, algorithm and family.
import type { Run } from '../lib/protocol'

export interface Kind {
  key: string
  task: string
  algorithm: string
  family: string
  runs: Run[]
}

/** Returns the kinds of runs that match a search, those with most runs first; runs are sorted by seed. */
export function kinds(runs: readonly Run[], search = ''): Kind[] {
  const wanted = search.trim().toLowerCase()
  const found = new Map<string, Kind>()
  for (const run of runs) {
    const { name, task, algorithm, family } = run
    if (!`${name} ${task} ${algorithm.replaceAll('_', ' ')} ${family}`.toLowerCase().includes(wanted)) continue
    const key = JSON.stringify([task, algorithm, family])
    const kind = found.get(key) ?? { key, task, algorithm, family, runs: [] }
    kind.runs.push(run)
    found.set(key, kind)
  }
  const order = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  for (const kind of found.values()) kind.runs.sort((a, b) => a.seed - b.seed || order(a.name, b.name))
  return [...found.values()].sort((a, b) => b.runs.length - a.runs.length || order(a.key, b.key))
}
