// Groups of runs: those of a group have the same task, algorithm and settings, and differ only in seed and length.
import type { RunHistory } from '../lib/protocol'
import { algorithmLabel } from '../lib/labels'

export interface Group {
  key: string
  task: string
  algorithm: string
  family: string
  /** Settings that distinguish it from the other groups of the same task, algorithm and family, such as 'window = 8'. */
  settings: string[]
  runs: RunHistory[]
}

/** Settings that differ between the runs of a group. */
const PER_RUN = new Set(['seed', 'evaluations'])

/** Returns the settings of a configuration by their path: 'algorithm.population' is '40'. Only values that TOML writes. */
export function settingsOf(config: string): Map<string, string> {
  const settings = new Map<string, string>()
  const counts = new Map<string, number>()
  let section = ''
  let open = ''
  for (const line of config.split('\n')) {
    // An array may go over several lines.
    const text = open ? `${open} ${line.trim()}` : line.trim()
    open = ''
    const header = text.match(/^\[\[(.+)\]\]$|^\[(.+)\]$/)
    if (header && !/^\[.*=/.test(text)) {
      const name = header[1] ?? header[2]!
      const count = counts.get(name) ?? 0
      if (header[1]) counts.set(name, count + 1)
      // A table below an array of tables belongs to the last element of the array.
      const list = [...counts.keys()].filter((list) => name.startsWith(`${list}.`)).pop()
      const place = list ? `${list}[${counts.get(list)! - 1}]${name.slice(list.length)}` : name
      section = header[1] ? `${place}[${count}].` : `${place}.`
      continue
    }
    const [, key, value] = text.match(/^([A-Za-z0-9_."-]+)\s*=\s*(.*)$/) ?? []
    if (key === undefined || value === undefined) continue
    if (depth(value) > 0) open = text
    else settings.set(section + key, value.replace(/\s+/g, ' '))
  }
  return settings
}

/** Returns the number of brackets outside of texts that are not closed yet. */
function depth(value: string): number {
  const plain = value.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '')
  return (plain.match(/[[{]/g)?.length ?? 0) - (plain.match(/[\]}]/g)?.length ?? 0)
}

/** Groups runs by task, algorithm, family and settings, in the order of their first runs. */
export function groupRuns(runs: readonly RunHistory[]): Group[] {
  const groups = new Map<string, Group & { all: Map<string, string> }>()
  for (const run of runs) {
    const all = new Map([...settingsOf(run.config)].filter(([path]) => !PER_RUN.has(path)))
    const { task, algorithm, family } = run
    const key = JSON.stringify([task, algorithm, family, [...all].sort()])
    const group = groups.get(key) ?? { key, task, algorithm, family, settings: [], runs: [], all }
    group.runs.push(run)
    groups.set(key, group)
  }
  const found = [...groups.values()]
  return found.map(({ all, ...group }) => {
    const similar = found.filter(
      (other) => other.task === group.task && other.algorithm === group.algorithm && other.family === group.family,
    )
    const paths = new Set(similar.flatMap((other) => [...other.all.keys()]))
    const differing = [...paths].filter((path) => similar.some((other) => other.all.get(path) !== all.get(path)))
    return { ...group, settings: differing.sort().map((path) => `${path} = ${all.get(path) ?? 'not set'}`) }
  })
}

/** Returns the name of a group: 'walk · MAP-Elites · legged bodies'. */
export function groupName(group: Group): string {
  return `${group.task} · ${algorithmLabel(group.algorithm)} · ${group.family} bodies`
}

/** Returns the seeds of a group, with those that occur more than once. */
export function seedsText(group: Group): string {
  const seeds = group.runs.map((run) => run.seed).sort((a, b) => a - b)
  const repeated = seeds.length - new Set(seeds).size
  const text = `seeds ${seeds.join(', ')}`
  return repeated > 0 ? `${text} (${repeated} repeated)` : text
}
