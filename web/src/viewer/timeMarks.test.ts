import { describe, expect, it } from 'vitest'
import type { Mark } from '../lib/protocol'
import { placeMarks, summaryOf, titleOf } from './timeMarks'

const mark = (step: number, kind: Mark['kind'], text = ''): Mark => ({ step, kind, text })

describe('marks on the time slider', () => {
  it('are placed by their steps, and those that cannot be told apart are one', () => {
    const marks = [mark(0, 'contact'), mark(1, 'contact'), mark(1, 'edit', 'throw'), mark(500, 'contact')]
    expect(placeMarks(marks, 1000).map(({ share, kind }) => [share, kind])).toEqual([
      [0, 'contact'],
      [0.001, 'edit'],
      [0.5, 'contact'],
    ])
    expect(placeMarks([mark(5, 'fault')], 0)).toHaveLength(1)
  })

  it('have names', () => {
    expect(titleOf(mark(1, 'edit', 'throw'))).toBe('Somebody threw a ball')
    expect(titleOf(mark(1, 'fault', 'too fast'))).toBe('Fault: too fast')
    expect(summaryOf([mark(1, 'edit'), mark(2, 'contact'), mark(3, 'contact')])).toBe('Marks: 1 edit, 2 contacts')
    expect(summaryOf([])).toBe('')
  })
})
