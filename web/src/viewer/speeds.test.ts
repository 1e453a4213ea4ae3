import { describe, expect, it } from 'vitest'
import { speedBeside } from './speeds'

describe('the speeds', () => {
  it('are found by the nearest one, and end at both sides', () => {
    expect([0.9, 3.2, 100, 0.0001].map((speed) => speedBeside(speed))).toEqual([1, 4, 8, 1 / 16])
    expect([speedBeside(1, 1), speedBeside(1, -2), speedBeside(8, 1), speedBeside(1 / 16, -1)]).toEqual([
      2,
      1 / 4,
      8,
      1 / 16,
    ])
  })
})
