import { describe, expect, it } from 'vitest'
import { layoutFamily, neighbour } from './tree'
import { individual } from '../shared/testIndividual'

function one(
  id: number,
  parents: number[],
  generation = Math.floor(id / 10),
  operator = parents.length ? 'mutation' : 'random',
) {
  return individual(id, { parents, generation, operator, fitness: id })
}

/** The rows of a chain of so many mutations. */
const chain = (length: number) =>
  Array.from({ length }, (_, i) => one(length - 1 - i, i === length - 1 ? [] : [length - 2 - i]))

/** A family of six over three generations. */
const SIX = [
  one(25, [21, 14], 2, 'crossover'),
  one(21, [14]),
  one(14, [3, 5], 1, 'grafting'),
  one(5, [1]),
  one(3, [1]),
  one(1, []),
]

describe('a family tree', () => {
  it('has parents below their children and no overlapping nodes', () => {
    const family = layoutFamily(SIX, 25)
    expect(family.nodes).toHaveLength(6)
    for (const { child, parent } of family.edges) expect(parent.row).toBeGreaterThan(child.row)
    const places = new Set(family.nodes.map((node) => `${node.row}/${node.x}`))
    expect(places.size).toBe(6)
    expect(family.edges).toHaveLength(7)
    expect(family.bands.map((band) => band.generation)).toEqual([2, 1, 0])
    expect(family.fitness).toEqual([1, 25])
  })

  it('keeps the line of main parents straight', () => {
    const main = layoutFamily(SIX, 25).nodes.filter((node) => node.main)
    expect(main.map((node) => node.id)).toEqual([25, 21, 14, 3, 1])
    expect(main.every((node) => node.x === 0)).toBe(true)
    expect(layoutFamily(SIX, 25, new Set(), true).nodes.map((node) => node.id)).toEqual([25, 21, 14, 3, 1])
  })

  it('folds lines of single parents, and unfolds them again', () => {
    const family = layoutFamily(chain(12), 11)
    expect(family.nodes.map((node) => [node.id, node.folded.length])).toEqual([
      [11, 0],
      [10, 10],
      [0, 0],
    ])
    expect(family.edges).toHaveLength(2)
    expect(layoutFamily(chain(12), 11, new Set([10])).nodes.length).toBeGreaterThan(3)
  })

  it('is navigated by arrow keys', () => {
    const family = layoutFamily(SIX, 25)
    expect(neighbour(family, 25, 'ArrowDown')?.id).toBe(21)
    expect(neighbour(family, 21, 'ArrowUp')?.id).toBe(25)
    const beside = neighbour(family, 3, 'ArrowRight') ?? neighbour(family, 3, 'ArrowLeft')
    expect(beside?.id).toBe(5)
    expect(neighbour(family, 25, 'ArrowUp')).toBeNull()
    expect(neighbour(family, 25, 'x')).toBeNull()
  })

  it('accepts a parent that is named twice, or is unknown', () => {
    const family = layoutFamily([one(3, [1, 1], 0, 'crossover'), one(1, [0])], 3)
    expect(family.nodes).toHaveLength(2)
    expect(family.edges).toHaveLength(1)
  })

  it('lays out some thousand ancestors', () => {
    let seed = 1
    const roll = (n: number) => (seed = (seed * 16807) % 2147483647) % n
    const individuals = Array.from({ length: 4000 }, (_, id) =>
      one(id, id < 200 ? [] : [roll(id), roll(id)], Math.floor(id / 100)),
    ).reverse()
    const family = layoutFamily(individuals, 3999)
    const places = new Set(family.nodes.map((node) => `${node.row}/${node.x.toFixed(3)}`))
    expect(places.size).toBe(family.nodes.length)
    for (const { child, parent } of family.edges) expect(parent.row).toBeGreaterThan(child.row)
  })
})
