// The speeds that can be chosen, as multiples of real time.

export const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]

/** Returns the speed that is a number of entries of `SPEEDS` away from the nearest one. */
export function speedBeside(speed: number, by = 0): number {
  const distance = (index: number) => Math.abs(SPEEDS[index]! - speed)
  const nearest = SPEEDS.reduce((best, _, index) => (distance(index) < distance(best) ? index : best), 0)
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, nearest + by))]!
}
