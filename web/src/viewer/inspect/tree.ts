// The tree of what is in a world: creatures and bodies with their joints, actuators and sensors, and contacts.
import type { Appearance, Contents } from '../../lib/protocol'
import { connectedBodies } from '../../scene3d/cameras'

export type NodeKind = 'creature' | 'body' | 'joint' | 'actuator' | 'sensor' | 'contact' | 'group'

export interface TreeNode {
  /** Text that is unique in the tree. */
  id: string
  kind: NodeKind
  name: string
  /** Addition to the name, such as the type of a joint. */
  detail: string
  /** The body that the node is or belongs to. */
  body: number | null
  /** Index of an actuator or sensor. */
  index: number | null
  children: TreeNode[]
}

/** A row of the tree as it is listed. */
export interface TreeRow {
  node: TreeNode
  depth: number
  /** Whether the row has children, and shows them. */
  branch: boolean
  expanded: boolean
}

/** A pair of bodies in contact; -1 is the fixed world. */
export interface ContactPair {
  a: number
  b: number
  /** Magnitude of the force, in N. */
  force: number
}

/** Maximum number of rows that are listed. A search finds the others. */
export const MAX_ROWS = 300

const node = (kind: NodeKind, id: string, name: string, rest: Partial<TreeNode> = {}): TreeNode => ({
  id,
  kind,
  name,
  detail: '',
  body: null,
  index: null,
  children: [],
  ...rest,
})

/** Builds the tree of a world. Bodies are below their parents. */
export function buildTree(appearance: Pick<Appearance, 'bodies'>, contents: Contents | null): TreeNode[] {
  const { bodies } = appearance
  const nodes = bodies.map((body, index) => node('body', `body ${index}`, body.name, { body: index }))
  for (const { body, kind } of contents?.joints ?? []) {
    nodes[body]?.children.push(node('joint', `joint ${body}`, 'joint', { body, detail: kind }))
  }
  const loose: TreeNode[] = []
  const attach = (kind: 'actuator' | 'sensor', list: { name: string; body: number | null }[]) =>
    list.forEach((entry, index) => {
      const detail = kind === 'sensor' ? contents!.sensors[index]!.kind.replaceAll('_', ' ') : kind
      const own = node(kind, `${kind} ${index}`, entry.name, { body: entry.body, index, detail })
      if (entry.body !== null && nodes[entry.body]) nodes[entry.body]!.children.push(own)
      else loose.push(own)
    })
  attach('actuator', contents?.actuators ?? [])
  attach('sensor', contents?.sensors ?? [])
  const roots: TreeNode[] = []
  bodies.forEach((body, index) => {
    const parent = body.parent === null ? undefined : nodes[body.parent]
    if (parent && parent !== nodes[index]) parent.children.push(nodes[index]!)
    else roots.push(nodes[index]!)
  })
  return [...creatures(roots, contents, bodies), ...loose]
}

/** Puts the root bodies of creatures below a node for each creature. */
function creatures(roots: TreeNode[], contents: Contents | null, bodies: Appearance['bodies']): TreeNode[] {
  const list = contents?.creatures ?? []
  const parents = bodies.map((body) => body.parent)
  return roots.map((root) => {
    const number = list.findIndex((body) => body === root.body)
    if (number < 0) return root
    const parts = connectedBodies(root.body!, parents).length
    const name = list.length > 1 ? `creature ${number + 1}` : 'creature'
    return node('creature', name, name, { body: root.body, detail: `${parts} parts`, children: [root] })
  })
}

/** Returns the contacts between bodies as a branch of the tree, the strongest first. */
export function contactNode(pairs: readonly ContactPair[], bodies: Appearance['bodies']): TreeNode {
  const name = (body: number) => (body < 0 ? 'world' : (bodies[body]?.name ?? `body ${body}`))
  const children = [...pairs]
    .sort((one, other) => other.force - one.force)
    .map(({ a, b, force }) =>
      node('contact', `contact ${a} ${b}`, `${name(a)} – ${name(b)}`, {
        body: b >= 0 ? b : a >= 0 ? a : null,
        detail: `${force.toFixed(force < 10 ? 2 : 0)} N`,
      }),
    )
  return node('group', 'contacts', 'Contacts', { detail: String(pairs.length), children })
}

/** Sums the contacts of a frame section by pairs of bodies. */
export function contactPairs(numbers: ArrayLike<number> | null, floats: number): ContactPair[] {
  const pairs = new Map<string, ContactPair>()
  for (let at = 0; numbers && at + floats <= numbers.length; at += floats) {
    const [a, b] = [numbers[at]!, numbers[at + 1]!]
    const force = Math.hypot(numbers[at + 8]!, numbers[at + 9]!, numbers[at + 10]!)
    const pair = pairs.get(`${a} ${b}`)
    if (pair) pair.force += force
    else pairs.set(`${a} ${b}`, { a, b, force })
  }
  return [...pairs.values()]
}

/**
 * Lists the rows to show. Without a search, branches are shown if they are in `expanded`; a search shows all nodes whose
 * name or detail contains it, and the branches above them.
 */
export function rowsOf(roots: readonly TreeNode[], expanded: ReadonlySet<string>, search: string): TreeRow[] {
  const wanted = search.trim().toLowerCase()
  const rows: TreeRow[] = []
  const matches = (own: TreeNode) => `${own.name} ${own.kind} ${own.detail}`.toLowerCase().includes(wanted)
  const found = new Set<string>()
  const mark = (own: TreeNode): boolean => {
    let below = false
    for (const child of own.children) below = mark(child) || below
    if (below || matches(own)) found.add(own.id)
    return found.has(own.id)
  }
  if (wanted) roots.forEach(mark)
  const add = (own: TreeNode, depth: number): void => {
    if (rows.length >= MAX_ROWS || (wanted && !found.has(own.id))) return
    const open = wanted ? own.children.some((child) => found.has(child.id)) : expanded.has(own.id)
    rows.push({ node: own, depth, branch: own.children.length > 0, expanded: open })
    if (open) for (const child of own.children) add(child, depth + 1)
  }
  for (const root of roots) add(root, 0)
  return rows
}

/** Returns the nodes above the node of a body, and that node itself. */
export function pathTo(roots: readonly TreeNode[], body: number): TreeNode[] {
  for (const root of roots) {
    if (root.kind === 'body' && root.body === body) return [root]
    const below = pathTo(root.children, body)
    if (below.length) return [root, ...below]
  }
  return []
}
