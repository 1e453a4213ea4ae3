// Colours and dashes of groups in charts and tables.

const COLORS = ['--teal', '--coral', '--violet', '--amber', '--kelp', '--ink-soft']
const DASHES = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]]

/** Returns the CSS variable of a group's colour. */
export const groupColor = (index: number): string => COLORS[index % COLORS.length]!

/** Returns the dashes of a group: after as many groups as there are colours, lines get dashes. */
export const groupDash = (index: number): number[] | undefined =>
  DASHES[Math.floor(index / COLORS.length) % DASHES.length]
