import type { RunHistory } from '../lib/protocol'

/** A run for tests, with points at every tenth evaluation. */
export function testRun(seed: number, best: (number | null)[], given: Partial<RunHistory> = {}): RunHistory {
  return {
    name: `walk-${seed}`,
    task: 'walk',
    family: 'legged',
    algorithm: 'genetic',
    seed,
    count: 10 * best.length,
    planned: 10 * best.length,
    contest: false,
    config: `seed = ${seed}\nevaluations = ${10 * best.length}\n[algorithm]\npopulation = 40\n`,
    evaluations: best.map((_, k) => 10 * (k + 1)),
    best,
    median: best.map(() => null),
    ...given,
  }
}
