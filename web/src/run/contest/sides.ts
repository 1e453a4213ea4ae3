// Results of the sides of a contest, prepared for drawing.
import type { ContestSide } from '../../lib/protocol'

/** Colours of the sides in the arena: blue and orange. */
export const SIDE_COLORS = ['#336bbf', '#e67a21'] as const

export const sideName = (side: number) => (side === 0 ? 'Side A' : 'Side B')

/** Returns the sides that occur, in order. */
export function sidesOf(results: ContestSide[]): number[] {
  return [...new Set(results.map((one) => one.side))].sort((a, b) => a - b)
}

/** Returns the results of the latest generation that has any, one for each side. */
export function latest(results: ContestSide[]): ContestSide[] {
  const last = Math.max(-1, ...results.filter((one) => one.leader !== null).map((one) => one.generation))
  return results.filter((one) => one.generation === last)
}

/** Returns an SVG path of a side's score over the generations; generations without meetings make gaps. */
export function scorePath(results: ContestSide[], side: number, width: number, height: number): string {
  const last = Math.max(1, ...results.map((one) => one.generation))
  let path = ''
  let draws = false
  for (const one of results.filter((result) => result.side === side)) {
    if (one.score === null) {
      draws = false
      continue
    }
    const x = (width * one.generation) / last
    const y = height * (1 - one.score)
    path += `${draws ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
    draws = true
  }
  return path
}

/** Returns the colour of a score in the matrix: blue if the row wins, orange if the column wins. */
export function scoreColor(score: number | null): string {
  if (score === null) return 'var(--sunken)'
  const [color, share] = score >= 0.5 ? [SIDE_COLORS[0], 2 * score - 1] : [SIDE_COLORS[1], 1 - 2 * score]
  return `color-mix(in srgb, ${color} ${Math.round(100 * share)}%, var(--paper))`
}
