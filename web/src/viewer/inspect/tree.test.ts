import { describe, expect, it } from 'vitest'
import type { Contents } from '../../lib/protocol'
import { buildTree, contactNode, contactPairs, MAX_ROWS, pathTo, rowsOf } from './tree'

const body = (name: string, parent: number | null = null) => ({ name, parent, mass: 1, joint: null, collides: true })
const bodies = [body('torso'), body('thigh', 0), body('shin', 1), body('ball')]
const contents: Contents = {
  world_quantities: [],
  body_quantities: [],
  joints: [{ body: 1, kind: 'revolute', units: ['rad'] }],
  actuators: [{ name: 'hip', body: 1, axis: 0, range: [-1, 1], unit: '' }],
  sensors: [
    { name: 'foot', kind: 'touch', body: 2, values: 1, unit: 'N' },
    { name: 'place', kind: 'site_position', body: null, values: 3, unit: 'm' },
  ],
  keyframes: [],
  cameras: [],
  crowds: [],
  creatures: [0],
  sleeping: false,
}
const names = (search: string, expanded: string[] = []) =>
  rowsOf(buildTree({ bodies }, contents), new Set(expanded), search).map(
    ({ node, depth }) => `${' '.repeat(depth)}${node.name}`,
  )

describe('the tree of a world', () => {
  it('has creatures, their parts below each other, and what belongs to a part', () => {
    expect(names('')).toEqual(['creature', 'ball', 'place'])
    expect(names('', ['creature', 'body 0', 'body 1', 'body 2'])).toEqual([
      'creature',
      ' torso',
      '  thigh',
      '   joint',
      '   hip',
      '   shin',
      '    foot',
      'ball',
      'place',
    ])
  })

  it('is searched by name and type, with the branches above', () => {
    expect(names('SHIN')).toEqual(['creature', ' torso', '  thigh', '   shin'])
    expect(names('touch')).toEqual(['creature', ' torso', '  thigh', '   shin', '    foot'])
    expect(names('nothing')).toEqual([])
  })

  it('finds the way to a body', () => {
    expect(pathTo(buildTree({ bodies }, contents), 2).map(({ name }) => name)).toEqual([
      'creature',
      'torso',
      'thigh',
      'shin',
    ])
    expect(pathTo(buildTree({ bodies }, contents), 9)).toEqual([])
  })

  it('lists a bounded number of rows', () => {
    const many = Array.from({ length: 5000 }, (_, index) => body(`brick ${index}`))
    const tree = buildTree({ bodies: many }, null)
    expect(rowsOf(tree, new Set(), '').length).toBe(MAX_ROWS)
    expect(rowsOf(tree, new Set(), 'brick 4999').map(({ node }) => node.body)).toEqual([4999])
  })

  it('sums contacts by pairs of bodies', () => {
    const contact = (a: number, b: number, force: number) => [a, b, 0, 0, 0, 0, 0, 1, 0, 0, force, 0]
    const pairs = contactPairs(
      Float32Array.from([...contact(-1, 2, 3), ...contact(-1, 2, 4), ...contact(0, 3, 10)]),
      12,
    )
    expect(pairs).toEqual([
      { a: -1, b: 2, force: 7 },
      { a: 0, b: 3, force: 10 },
    ])
    expect(contactNode(pairs, bodies).children.map(({ name, detail }) => `${name}: ${detail}`)).toEqual([
      'torso – ball: 10 N',
      'world – shin: 7.00 N',
    ])
    expect(contactPairs(null, 12)).toEqual([])
  })
})
