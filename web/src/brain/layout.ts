// Layout of a brain's graph in columns: sensors left, neurons by their distance from a sensor, effectors right.
import type { Brain } from '../lib/protocol'

type Neuron = Brain['neurons'][number]

export interface Placed {
  /** Column, from 0 at the left. */
  column: number
  /** Position in the column, from 0 to 1. */
  y: number
}

/** Maximum number of columns between sensors and effectors. */
const MAX_LAYERS = 5

/** Returns the position of each neuron, the number of columns and the size of the largest. */
export function layoutBrain(brain: Brain): { placed: Placed[]; columns: number; tallest: number } {
  const { neurons, links } = brain
  const layer = layers(brain)
  const last = Math.max(0, ...layer) + 1
  const column = neurons.map((neuron, i) =>
    neuron.kind === 'sensor' ? 0 : neuron.kind === 'effector' ? last : layer[i]!,
  )
  const columns = Array.from({ length: last + 1 }, (_, c) => neurons.map((_, i) => i).filter((i) => column[i] === c))
  const y = new Float64Array(neurons.length)
  const place = (members: number[]) => members.forEach((i, index) => (y[i] = (index + 0.5) / members.length))
  columns.forEach(place)
  const near = neurons.map(() => [] as number[])
  for (const { from, to } of links) {
    if (from === to || !near[from] || !near[to]) continue
    near[from].push(to)
    near[to].push(from)
  }
  // A few sweeps move neurons near those they are linked with. Sensors and effectors keep the order of the body.
  for (let sweep = 0; sweep < 4; sweep++) {
    for (const members of columns.slice(1, -1)) {
      const mean = new Map(
        members.map((i) => [
          i,
          near[i]!.length ? near[i]!.reduce((sum, j) => sum + y[j]!, 0) / near[i]!.length : y[i]!,
        ]),
      )
      members.sort((a, b) => mean.get(a)! - mean.get(b)! || a - b)
      place(members)
    }
  }
  return {
    placed: column.map((c, i) => ({ column: c, y: y[i]! })),
    columns: last + 1,
    tallest: Math.max(1, ...columns.map((members) => members.length)),
  }
}

/** Returns each neuron's distance from a sensor in links, at least 1; 1 for neurons without a path from a sensor. */
function layers({ neurons, links }: Brain): number[] {
  const out = neurons.map(() => [] as number[])
  for (const { from, to } of links) if (neurons[from] && neurons[to]) out[from]!.push(to)
  const layer = neurons.map(() => 0)
  let edge = neurons.map((_, i) => i).filter((i) => neurons[i]!.kind === 'sensor')
  const seen = new Set(edge)
  for (let depth = 1; edge.length; depth++) {
    const next: number[] = []
    for (const from of edge) {
      for (const to of out[from]!) {
        if (seen.has(to)) continue
        seen.add(to)
        if (neurons[to]!.kind === 'neuron') layer[to] = Math.min(depth, MAX_LAYERS)
        next.push(to)
      }
    }
    edge = next
  }
  return neurons.map((neuron, i) => (neuron.kind === 'neuron' ? Math.max(1, layer[i]!) : 0))
}

/**
 * Returns the index of each neuron's activation, or -1. Their number tells whether they belong to all neurons, to all but
 * the sensors, to the inner ones or to the effectors.
 */
export function activationOf(brain: Brain, count: number): number[] {
  const kinds = [
    () => true,
    (n: Neuron) => n.kind !== 'sensor',
    (n: Neuron) => n.kind === 'neuron',
    (n: Neuron) => n.kind === 'effector',
  ]
  const fits = kinds.find((kind) => brain.neurons.filter(kind).length === count) ?? kinds[0]!
  let next = 0
  return brain.neurons.map((neuron) => (fits(neuron) && next < count ? next++ : -1))
}
