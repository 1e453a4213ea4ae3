import { PerspectiveCamera } from 'three'
import { describe, expect, it } from 'vitest'
import type { Shape } from '../lib/protocol'
import { placePieces, buildPieces } from './pieces'
import { world } from '../lib/testSamples'
import { Budget, BUDGET, DETAILS, FULL } from './budget'
import { Instances } from './instances'

const run = (budget: Budget, frames: number, script: number, wait = 16) => {
  for (let k = 0; k < frames; k++) budget.addFrame(script, wait)
}

describe('the frame budget', () => {
  it('stays at full detail within the budget', () => {
    const budget = new Budget()
    run(budget, 500, 3)
    expect(budget.level).toBe(FULL)
  })

  it('lowers detail step by step to the minimum while script or drawing take too long', () => {
    for (const [script, wait] of [
      [20, 16],
      [2, 80],
    ] as const) {
      const budget = new Budget()
      let before = budget.level
      for (let k = 0; k < 400; k++) {
        budget.addFrame(script, wait)
        expect(before - budget.level).toBeLessThanOrEqual(1)
        before = budget.level
      }
      expect(budget.level).toBe(0)
    }
  })

  it('ignores a single stall', () => {
    const budget = new Budget()
    run(budget, 50, 2)
    budget.addFrame(900, 900)
    run(budget, 50, 2)
    expect(budget.level).toBe(FULL)
  })

  it('raises detail again, slowly', () => {
    const budget = new Budget()
    run(budget, 400, 20)
    run(budget, 60, 1)
    expect(budget.level).toBe(0)
    run(budget, 1000, 1)
    expect(budget.level).toBe(FULL)
  })

  it('counts triangles before they are drawn', () => {
    const cost = (detail: { shadow: number }) => (detail.shadow ? BUDGET.triangles + 1 : 10)
    const chosen = Budget.within(FULL, cost)
    expect(DETAILS[chosen]!.shadow).toBe(0)
    expect(DETAILS[chosen + 1]!.shadow).toBeGreaterThan(0)
    expect(Budget.within(FULL, () => Infinity)).toBe(0)
  })

  it('has room for 500 creatures of ten parts with shadows, and for 10,000 bodies with less', () => {
    const trunk: Partial<Shape> = { kind: 'ellipsoid', size: [0.3, 0.2, 0.15] }
    const leg: Partial<Shape> = { kind: 'capsule', size: [0.06, 0.15] }
    const creature = [trunk, trunk, ...new Array<Partial<Shape>>(8).fill(leg)]
    const group = new Array<Partial<Shape>[]>(500)
      .fill(creature)
      .flat()
      .map((shape, body) => ({ ...shape, body }))
    const balls = Array.from({ length: 10_000 }, (_, body): Partial<Shape> => ({ body, kind: 'sphere', size: [0.2] }))
    expect(DETAILS[chosenFor(group)]!.shadow).toBeGreaterThan(0)
    expect(chosenFor(balls)).toBeGreaterThan(0)
  })
})

/** Detail for bodies on a square lattice of 2 m, seen from above its corner. */
function chosenFor(shapes: Partial<Shape>[]): number {
  const instances = new Instances(buildPieces(world(shapes, shapes.length)))
  const side = Math.ceil(Math.sqrt(shapes.length / 2))
  const poses = Float32Array.from(shapes.flatMap((_, n) => [2 * (n % side), 2 * Math.floor(n / side), 0, 0, 0, 0, 1]))
  placePieces(instances.pieces, poses, instances.worlds)
  expect(instances.group.children.length).toBeLessThan(20)
  const camera = new PerspectiveCamera(42, 1.6)
  camera.position.set(-side, -side, side)
  return Budget.within(
    FULL,
    (detail) => instances.chooseLevels(camera, 800, detail.coarseness) * (detail.shadow ? 2 : 1),
  )
}
