// A map of elites as a grid of two dimensions. If the map has more, a cell shows the fittest elite over the others.
import { number, unit, words } from '../../lib/labels'
import type { EliteMap } from '../../lib/protocol'

type Dimension = EliteMap['dimensions'][number]
type Elite = EliteMap['cells'][number]

export interface Grid {
  x: Dimension | undefined
  y: Dimension | undefined
  columns: number
  rows: number
  /** Elites by row, from the lowest, then by column. */
  elites: (Elite | undefined)[]
}

export function buildGrid(map: EliteMap): Grid {
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

/** Returns both ends of a cell along a dimension. */
export function cellEnds(dimension: Dimension, index: number): [number, number] {
  const width = (dimension.high - dimension.low) / dimension.cells
  // Removes rounding errors such as 0.1 + 0.2.
  const rounded = (value: number) => Number(value.toPrecision(12))
  return [rounded(dimension.low + index * width), rounded(dimension.low + (index + 1) * width)]
}

/** Describes a cell and its elite in words. */
export function describe(grid: Grid, index: number): string {
  const cells = [
    [grid.x, index % grid.columns],
    [grid.y, Math.floor(index / grid.columns)],
  ] as const
  const place = cells
    .flatMap(([dimension, cell]) => {
      if (!dimension) return []
      const { descriptor } = dimension
      return `${words(descriptor)} ${cellEnds(dimension, cell).map(number).join(' to ')} ${unit(descriptor)}`.trim()
    })
    .join(', ')
  const elite = grid.elites[index]
  return elite ? `${place}: creature ${elite.id}, fitness ${number(elite.fitness)}` : `${place}: empty`
}
