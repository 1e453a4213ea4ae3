import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TextFault } from '../../lib/protocol'
import { DELAY, fileName, LivePreview } from './livePreview.svelte'

const fault: TextFault = { line: 3, field: 'name', file: null, message: 'wrong' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a live preview', () => {
  it('sends a text once, a while after the last change', async () => {
    const send = vi.fn(async () => null)
    const preview = new LivePreview('a', send)
    for (const text of ['ab', 'abc', 'abcd']) {
      preview.change(text)
      await vi.advanceTimersByTimeAsync(DELAY / 2)
    }
    expect(send).not.toHaveBeenCalled()
    expect(preview.valid).toBe(false)
    await vi.advanceTimersByTimeAsync(DELAY)
    expect(send.mock.calls).toEqual([['abcd']])
    expect([preview.shown, preview.valid]).toEqual(['abcd', true])
  })

  it('keeps the last good text while a text has a fault', async () => {
    const preview = new LivePreview('good', async (text) => (text.includes('bad') ? fault : null))
    preview.change('bad')
    await vi.advanceTimersByTimeAsync(DELAY)
    expect([preview.shown, preview.fault, preview.valid]).toEqual(['good', fault, false])
    preview.change('better')
    await vi.advanceTimersByTimeAsync(DELAY)
    expect([preview.shown, preview.fault, preview.valid]).toEqual(['better', null, true])
  })

  it('does not show the text again that is shown already', async () => {
    const send = vi.fn(async (text: string) => (text === 'bad' ? fault : null))
    const preview = new LivePreview('good', send)
    preview.change('bad')
    await vi.advanceTimersByTimeAsync(DELAY)
    preview.change('good')
    await vi.advanceTimersByTimeAsync(DELAY)
    expect(send).toHaveBeenCalledTimes(1)
    expect([preview.fault, preview.valid]).toEqual([null, true])
  })

  it('sends one text at a time, and the newest afterwards', async () => {
    const answers: ((fault: TextFault | null) => void)[] = []
    const send = vi.fn(() => new Promise<TextFault | null>((resolve) => answers.push(resolve)))
    const preview = new LivePreview('a', send)
    preview.change('b')
    await vi.advanceTimersByTimeAsync(DELAY)
    preview.change('c')
    await vi.advanceTimersByTimeAsync(3 * DELAY)
    expect(send).toHaveBeenCalledTimes(1)
    answers[0]!(fault)
    await vi.advanceTimersByTimeAsync(DELAY)
    expect(send.mock.calls).toEqual([['b'], ['c']])
    answers[1]!(null)
    await vi.advanceTimersByTimeAsync(0)
    expect([preview.shown, preview.valid]).toEqual(['c', true])
  })

  it('says why a text could not be sent, and sends nothing after it was closed', async () => {
    const send = vi.fn(async (): Promise<TextFault | null> => {
      throw new Error('The server does not answer.')
    })
    const preview = new LivePreview('a', send)
    preview.change('b')
    await vi.advanceTimersByTimeAsync(DELAY)
    expect([preview.error, preview.shown]).toEqual(['The server does not answer.', 'a'])
    preview.change('c')
    preview.close()
    await vi.advanceTimersByTimeAsync(10 * DELAY)
    expect(send).toHaveBeenCalledTimes(1)
  })
})

describe('names of scene files', () => {
  it('get the extension', () => {
    expect(['stack', 'stack.toml', ' a b.TOML ', '', ' '].map(fileName)).toEqual([
      'stack.toml',
      'stack.toml',
      'a b.toml',
      '',
      '',
    ])
  })
})
