// A map of elites as a grid of two dimensions: where there are more, a place shows the fittest of all that lie behind it.
import type { EliteMap } from '../lib/protocol'

type Dimension = EliteMap['dimensions'][number]
type Elite = EliteMap['cells'][number]

export interface Grid {
  x: Dimension | undefined
  y: Dimension | undefined
  columns: number
  rows: number
  /** By row from the lowest, then by column. */
  elites: (Elite | undefined)[]
}

export function grid(map: EliteMap): Grid {
  const [x, y] = map.dimensions
  const columns = Math.max(1, x?.cells ?? 1)
  const rows = Math.max(1, y?.cells ?? 1)
  const elites: (Elite | undefined)[] = Array.from({ length: columns * rows })
  for (const elite of map.cells) {
    const column = Math.min(elite.cell[0] ?? 0, columns - 1)
    const row = Math.min(elite.cell[1] ?? 0, rows - 1)
    const before = elites[row * columns + column]
    if (!before || before.fitness < elite.fitness) elites[row * columns + column] = elite
  }
  return { x, y, columns, rows, elites }
}

/** Where a cell begins and ends. */
export function ends(dimension: Dimension, index: number): [number, number] {
  const width = (dimension.high - dimension.low) / dimension.cells
  // Free of the last digits' noise: 0.1 + 0.2.
  const tidy = (value: number) => Number(value.toPrecision(12))
  return [tidy(dimension.low + index * width), tidy(dimension.low + (index + 1) * width)]
}
