import { describe, expect, it } from 'vitest'
import { list, nullable, number, object, oneOf, optional, parseJson, string, tuple } from './check'
import * as messages from './messages'

const creature = object({
  name: string,
  parts: list(number),
  fitness: nullable(number),
  tag: optional(oneOf('a', 'b')),
})

describe('checks', () => {
  it('return valid values', () => {
    const value = { name: 'crab', parts: [1, 2], fitness: null, more: true }
    expect(creature(value, 'creature')).toBe(value)
    expect(tuple<[number, number]>(2)([1, 2], 'point')).toEqual([1, 2])
  })

  it('name the wrong field, what was expected and what was found', () => {
    const wrong = (value: unknown, message: string) => expect(() => creature(value, 'creature')).toThrow(message)
    wrong({ name: 'crab', parts: [1, '2'] }, 'creature.parts[1]: expected a number, found "2".')
    wrong({ name: 7, parts: [] }, 'creature.name: expected a text, found 7.')
    wrong({ name: 'crab', parts: [], tag: 'c' }, 'creature.tag: expected one of a, b, found "c".')
    wrong([], 'creature: expected an object, found a list of 0.')
    wrong(null, 'creature: expected an object, found null.')
    expect(() => tuple(3)([1, 2], 'point')).toThrow('point: expected 3 numbers, found a list of 2.')
  })

  it('say that a text is not JSON', () => {
    expect(() => parseJson('{', creature, 'The answer')).toThrow('The answer is not valid JSON.')
  })
})

describe('messages', () => {
  it('are distinguished by their tag', () => {
    expect(messages.sessionMessage({ say: 'refused', why: 'No.' }, 'message')).toEqual({ say: 'refused', why: 'No.' })
    expect(() => messages.sessionMessage({ say: 'constructor' }, 'message')).toThrow(
      'message.say: expected one of status, probe, plot, marks, profile, measured, refused, found "constructor".',
    )
  })
})
