import { describe, expect, it } from 'vitest'
import { errorMessage, sentence } from './errors'
import { readJsonFile } from './jsonFile'
import { take } from './messages'

const message = (text: string, name = 'walk.json') =>
  readJsonFile(new File([text], name), take, 'Choose a take.').then(() => 'none', errorMessage)

describe('errors of files', () => {
  it('are sentences that name the file, the field, and what to do', async () => {
    expect(await message('{')).toBe('walk.json is not valid JSON. Choose a take.')
    expect(await message('[1]')).toBe('walk.json must contain an object, but it contains a list of 1. Choose a take.')
    expect(await message('{}')).toBe("walk.json must have a number as 'version', but it has none. Choose a take.")
    expect(await message('{"version": 1, "source": {"type": 7}, "events": []}')).toBe(
      "walk.json must have a text as 'source.type', but there it has 7. Choose a take.",
    )
  })

  it('of the server become sentences', () => {
    expect(sentence('there is no run x')).toBe('There is no run x.')
    expect(sentence('Is it on?')).toBe('Is it on?')
    expect(sentence('')).toBe('')
  })
})
