// Layout of the family tree of a creature in rows: the creature on top, older generations below. The line of the main
// parents is straight in the middle; long lines of single parents are folded into one node.
import type { IndividualSummary } from '../../lib/protocol'

export interface FamilyNode {
  /** Id of the creature, or of the youngest of a folded line. */
  id: number
  one: IndividualSummary
  /** Creatures of a folded line, the youngest first; empty for a single creature. */
  folded: IndividualSummary[]
  /** Whether the node is on the line of main parents. */
  main: boolean
  x: number
  row: number
}

export interface FamilyEdge {
  child: FamilyNode
  parent: FamilyNode
  /** Operator that created the child. */
  operator: string
  main: boolean
}

export interface Family {
  nodes: FamilyNode[]
  edges: FamilyEdge[]
  rows: number
  /** Lowest and highest x. */
  width: [number, number]
  /** Rows of each generation, from the top. */
  bands: { generation: number; row: number; rows: number }[]
  fitness: [number, number]
}

/** Minimum length of a line of single parents to be folded. */
const MIN_FOLDED = 3

/** Lays out a creature and its ancestors. `unfolded` lists lines, by their youngest, that are shown in full. */
export function layoutFamily(
  individuals: IndividualSummary[],
  focus: number,
  unfolded: ReadonlySet<number> = new Set(),
  onlyMain = false,
): Family {
  const byId = new Map(individuals.map((one) => [one.id, one]))
  const line = mainLine(byId, focus)
  const shown = onlyMain ? individuals.filter((one) => line.has(one.id)) : individuals
  const known = new Map(shown.map((one) => [one.id, one]))
  const parents = (one: IndividualSummary) => [...new Set(one.parents)].filter((id) => known.has(id))
  const children = new Map<number, number[]>()
  for (const one of shown) for (const id of parents(one)) children.set(id, [...(children.get(id) ?? []), one.id])

  const nodes = new Map<number, FamilyNode>()
  const nodeOf = new Map<number, FamilyNode>()
  const isLink = (one: IndividualSummary) =>
    one.id !== focus && parents(one).length === 1 && children.get(one.id)?.length === 1
  for (const one of shown) {
    if (nodeOf.has(one.id)) continue
    const folded = isLink(one) ? lineFrom(one, known, parents, isLink) : []
    const fold = folded.length >= MIN_FOLDED && !unfolded.has(one.id)
    const node: FamilyNode = { id: one.id, one, folded: fold ? folded : [], main: line.has(one.id), x: 0, row: 0 }
    nodes.set(one.id, node)
    for (const member of fold ? folded : [one]) nodeOf.set(member.id, node)
  }

  const edges: FamilyEdge[] = []
  for (const node of nodes.values()) {
    const last = node.folded.at(-1) ?? node.one
    parents(last).forEach((id) => {
      const parent = nodeOf.get(id)!
      edges.push({
        child: node,
        parent,
        operator: last.operator,
        main: node.main && parent.main && last.parents[0] === id,
      })
    })
  }
  const all = [...nodes.values()]
  const bands = assignRows(all, edges)
  assignColumns(all, edges)
  const fits = individuals.map((one) => one.fitness ?? 0)
  const xs = all.map((node) => node.x)
  return {
    nodes: all,
    edges,
    rows: bands.reduce((sum, band) => sum + band.rows, 0),
    width: [Math.min(0, ...xs), Math.max(0, ...xs)],
    bands,
    fitness: [fits.reduce((a, b) => Math.min(a, b), Infinity), fits.reduce((a, b) => Math.max(a, b), -Infinity)],
  }
}

/** Returns the creature, its main parent, and so on back to a founder. */
function mainLine(byId: Map<number, IndividualSummary>, focus: number): Set<number> {
  const line = new Set<number>()
  for (let one = byId.get(focus); one && !line.has(one.id); one = byId.get(one.parents[0] ?? -1)) line.add(one.id)
  return line
}

function lineFrom(
  first: IndividualSummary,
  known: Map<number, IndividualSummary>,
  parents: (one: IndividualSummary) => number[],
  isLink: (one: IndividualSummary) => boolean,
): IndividualSummary[] {
  const folded = [first]
  for (;;) {
    const next = known.get(parents(folded.at(-1)!)[0]!)!
    if (!isLink(next)) return folded
    folded.push(next)
  }
}

/** Assigns rows: the youngest generation on top, and parents below their children within a generation. */
function assignRows(nodes: FamilyNode[], edges: FamilyEdge[]): Family['bands'] {
  const parentsOf = new Map<FamilyNode, FamilyNode[]>()
  for (const { child, parent } of edges) parentsOf.set(child, [...(parentsOf.get(child) ?? []), parent])
  // Children have higher ids than their parents: in descending order, a node's depth is known when it is reached.
  nodes.sort((a, b) => b.id - a.id)
  const depth = new Map<FamilyNode, number>()
  for (const node of nodes) {
    const own = depth.get(node) ?? 0
    for (const parent of parentsOf.get(node) ?? []) {
      if (parent.one.generation === node.one.generation) depth.set(parent, Math.max(depth.get(parent) ?? 0, own + 1))
    }
    depth.set(node, own)
  }
  const generations = new Map<number, FamilyNode[]>()
  for (const node of nodes)
    generations.set(node.one.generation, [...(generations.get(node.one.generation) ?? []), node])
  let row = 0
  return [...generations.keys()]
    .sort((a, b) => b - a)
    .map((generation) => {
      const members = generations.get(generation)!
      for (const node of members) node.row = row + depth.get(node)!
      const rows = 1 + Math.max(...members.map((node) => depth.get(node)!))
      const band = { generation, row, rows }
      row += rows
      return band
    })
}

/** Assigns x within each row: near the mean of the children, at least one unit apart, the main line at 0. */
function assignColumns(nodes: FamilyNode[], edges: FamilyEdge[]): void {
  const children = new Map<FamilyNode, FamilyNode[]>()
  const parents = new Map<FamilyNode, FamilyNode[]>()
  for (const { child, parent } of edges) {
    children.set(parent, [...(children.get(parent) ?? []), child])
    parents.set(child, [...(parents.get(child) ?? []), parent])
  }
  const rows: FamilyNode[][] = []
  for (const node of nodes) (rows[node.row] ??= []).push(node)
  const down = rows.filter(Boolean)
  const up = [...down].reverse()
  for (let sweep = 0; sweep < 5; sweep++) {
    for (const row of sweep % 2 ? up : down) placeRow(row, sweep % 2 ? parents : children)
  }
}

function placeRow(row: FamilyNode[], relatives: Map<FamilyNode, FamilyNode[]>): void {
  const preferred = (node: FamilyNode) => {
    const near = relatives.get(node) ?? []
    return near.length ? near.reduce((sum, other) => sum + other.x, 0) / near.length : node.x
  }
  const spine = row.find((node) => node.main)
  const others = row
    .filter((node) => !node.main)
    .map((node) => ({ node, at: preferred(node) }))
    .sort((a, b) => a.at - b.at || a.node.id - b.node.id)
  for (const node of row) if (node.main) node.x = 0
  // Neither side gets more than two thirds, so that the tree stays centred.
  const wanted = others.filter(({ at }) => at < 0).length + others.filter(({ at }) => at === 0).length / 2
  const split = Math.round(Math.min(Math.max(wanted, others.length / 3), (2 * others.length) / 3))
  const left = others.slice(0, split).reverse()
  const right = others.slice(split)
  let edge = spine ? 1 : 0.5
  for (const { node, at } of right) {
    node.x = Math.max(at, edge)
    edge = node.x + 1
  }
  edge = spine ? -1 : -0.5
  for (const { node, at } of left) {
    node.x = Math.min(at, edge)
    edge = node.x - 1
  }
}

/** Returns the node that an arrow key leads to: up to a child, down to a parent, both preferably on the main line, or left and right within the row. */
export function neighbour(family: Family, from: number, key: string): FamilyNode | null {
  const node = family.nodes.find((one) => one.id === from) ?? family.nodes[0]
  if (!node) return null
  const best = (edges: FamilyEdge[], end: (edge: FamilyEdge) => FamilyNode) => {
    const edge = edges.find((one) => one.main) ?? edges[0]
    return edge ? end(edge) : null
  }
  if (key === 'ArrowDown')
    return best(
      family.edges.filter((edge) => edge.child === node),
      (edge) => edge.parent,
    )
  if (key === 'ArrowUp')
    return best(
      family.edges.filter((edge) => edge.parent === node),
      (edge) => edge.child,
    )
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null
  const row = family.nodes.filter((one) => one.row === node.row).sort((a, b) => a.x - b.x)
  return row[row.indexOf(node) + (key === 'ArrowRight' ? 1 : -1)] ?? null
}
