import { describe, expect, it } from 'vitest'
import type { RecordedEdit } from '../lib/protocol'
import { lastEdit } from './edits'

const edits: RecordedEdit[] = [
  { step: 10, deed: { do: 'change', friction: 0.2 } },
  { step: 20, deed: { do: 'change', gravity: [0, 0, -1] } },
  { step: 20, deed: { do: 'hashing', on: false } },
  { step: 30, deed: { do: 'change', friction: 0.9 } },
]
const friction = (step: number) => lastEdit(edits, step, 'change', (edit) => edit.friction !== undefined)?.friction

describe('edits', () => {
  it('are in force from their step on', () => {
    expect([0, 9, 10, 25, 30, 99].map(friction)).toEqual([undefined, undefined, 0.2, 0.2, 0.9, 0.9])
    expect(lastEdit(edits, 19, 'hashing')).toBeUndefined()
    expect(lastEdit(edits, 20, 'hashing')?.on).toBe(false)
  })
})
