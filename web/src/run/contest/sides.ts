// Results of the sides of a contest, prepared for drawing.
import { number } from '../../lib/labels'
import type { ContestSide, Tournament } from '../../lib/protocol'

/** Distances between the ticks of an axis of generations, which are integers. */
export const GENERATION_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000]

/** Colours of the sides in the arena: blue and orange. */
export const SIDE_COLORS = ['#336bbf', '#e67a21'] as const

export const percent = (score: number | null | undefined) =>
  score === null || score === undefined ? '–' : `${number(Math.round(100 * score))} %`

export const sideName = (side: number) => (side === 0 ? 'Side A' : 'Side B')

/** Returns the sides that occur, in order. */
export function sidesOf(results: { side: number }[]): number[] {
  return [...new Set(results.map((one) => one.side))].sort((a, b) => a - b)
}

/** Returns the results of the latest generation that has any, one for each side. */
export function latest(results: ContestSide[]): ContestSide[] {
  const last = Math.max(-1, ...results.filter((one) => one.leader !== null).map((one) => one.generation))
  return results.filter((one) => one.generation === last)
}

/** Returns the generations, then the scores of each side that occurs; null without meetings. */
export function scoreColumns(results: ContestSide[]): [number[], ...(number | null)[][]] {
  const generations = [...new Set(results.map((one) => one.generation))].sort((a, b) => a - b)
  const scores = sidesOf(results).map((side) => {
    const own = new Map(results.filter((one) => one.side === side).map((one) => [one.generation, one.score]))
    return generations.map((generation) => own.get(generation) ?? null)
  })
  return [generations, ...scores]
}

/**
 * Returns the generations of a tournament, then for each side that occurs the ratings, and the ratings minus and plus
 * their standard errors; null without a champion.
 */
export function ratingColumns(players: Tournament['players']): [number[], ...(number | null)[][]] {
  const generations = [...new Set(players.map((one) => one.generation))].sort((a, b) => a - b)
  const columns = sidesOf(players).flatMap((side) => {
    const own = new Map(players.filter((one) => one.side === side).map((one) => [one.generation, one]))
    return [0, -1, 1].map((errors) =>
      generations.map((generation) => {
        const player = own.get(generation)
        return player === undefined ? null : player.elo + errors * player.elo_error
      }),
    )
  })
  return [generations, ...columns]
}

/** Returns the colour of a score in the matrix: blue if the row wins, orange if the column wins. */
export function scoreColor(score: number | null): string {
  if (score === null) return 'var(--sunken)'
  const [color, share] = score >= 0.5 ? [SIDE_COLORS[0], 2 * score - 1] : [SIDE_COLORS[1], 1 - 2 * score]
  return `color-mix(in srgb, ${color} ${Math.round(100 * share)}%, var(--paper))`
}
