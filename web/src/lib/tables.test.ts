import { describe, expect, it } from 'vitest'
import { csv, json } from './tables'

const rows = [
  ['plain', 1.5, null],
  ['a "b", c\nd', NaN, -1e-7],
]

describe('tables', () => {
  it('are written as CSV', () => {
    expect(csv(['name', 'x', 'y,z'], rows)).toBe('name,x,"y,z"\r\nplain,1.5,\r\n"a ""b"", c\nd",,-1e-7\r\n')
    expect(csv(['name'], [])).toBe('name\r\n')
  })

  it('are written as JSON', () => {
    expect(JSON.parse(json(['name', 'x', 'y'], rows))).toEqual([
      { name: 'plain', x: 1.5, y: null },
      { name: 'a "b", c\nd', x: null, y: -1e-7 },
    ])
    expect(JSON.parse(json(['name'], []))).toEqual([])
  })
})
