import { beforeEach, describe, expect, it, vi } from 'vitest'
import { writeFrame } from './testSamples'
import type { Command } from './protocol'
import { SessionClient, type SessionListener } from './sessionClient'

class FakeSocket {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 0
  sent: Command[] = []
  binaryType = ''
  onopen?: () => void
  onmessage?: (event: { data: unknown }) => void
  onclose?: (event: { code: number }) => void

  constructor(readonly url: string) {
    FakeSocket.all.push(this)
  }

  send(text: string) {
    this.sent.push(JSON.parse(text))
  }

  open() {
    this.readyState = 1
    this.onopen!()
  }

  lose(code = 1006) {
    this.readyState = 3
    this.onclose!({ code })
  }

  close() {}
}

const pictures: (() => void)[] = []
const listener = {
  onFrame: vi.fn(),
  onStatus: vi.fn(),
  onProbe: vi.fn(),
  onObservation: vi.fn(),
  onError: vi.fn(),
  onConnection: vi.fn(),
  onLost: vi.fn(),
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:7380/#/stage/s1' })
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => pictures.push(work))
  FakeSocket.all = []
  pictures.length = 0
  vi.clearAllMocks()
})

const source = { type: 'scene', name: 'stack' } as const
const session = {
  id: 's1',
  title: 'stack',
  description: '',
  kind: 'scene',
  paradigm: null,
  step: 0.01,
  steps_per_frame: 1,
  duration: null,
  can: { interfere: true, probe: true, brain: false, end: false },
  overlays: [],
  counters: [],
  neurons: 0,
  source,
}
const about = {
  program: 'burgess',
  command: 'burgess',
  version: '1',
  folder: 'runs',
  page: true,
  start: 'first',
  idle_time: null,
}
/** Lets the server answer in turn: with its start and the session, a status for the session, or not at all. */
const answer = (...answers: ({ start: string; session: object | number } | null)[]) =>
  vi.stubGlobal(
    'fetch',
    vi.fn((url: string) => {
      const isAbout = url.endsWith('/api')
      const next = answers[0]!
      // The question for the start comes first.
      if (answers.length > 1 && (next === null || !isAbout)) answers.shift()
      if (next === null) return Promise.reject(new TypeError('failed'))
      if (isAbout) return Promise.resolve(new Response(JSON.stringify({ ...about, start: next.start })))
      if (typeof next.session === 'number')
        return Promise.resolve(new Response('{"error": "gone"}', { status: next.session }))
      return Promise.resolve(new Response(JSON.stringify(next.session)))
    }),
  )

const begin = () => {
  answer({ start: 'first', session })
  const client = new SessionClient('s1', listener as unknown as SessionListener, 'first')
  client.open()
  const socket = FakeSocket.all[0]!
  socket.open()
  return { client, socket }
}
const frame = (step: number) => ({ data: writeFrame([], [], { step }) })
const shownSteps = () => listener.onFrame.mock.calls.map(([each]) => each.step)

describe('the socket of a session', () => {
  it('connects to the host of the page', () => {
    expect(begin().socket.url).toBe('ws://127.0.0.1:7380/api/sessions/s1/socket')
  })

  it('shows only the latest frame that arrived between two repaints', () => {
    const { socket } = begin()
    for (const step of [1, 2, 3]) socket.onmessage!(frame(step))
    expect(pictures).toHaveLength(1)
    pictures[0]!()
    expect(shownSteps()).toEqual([3])
  })

  it('skips no frame while a certain frame is awaited', async () => {
    const { client, socket } = begin()
    const came = client.next((each) => each.step === 2)
    for (const step of [1, 2, 3]) socket.onmessage!(frame(step))
    expect((await came).step).toBe(2)
    expect(shownSteps()).toEqual([1, 2])
  })

  it('rejects when a frame does not arrive', async () => {
    const { client } = begin()
    const failed = expect(client.next(() => true, 1000)).rejects.toThrow('No frame arrived within 1 s.')
    vi.advanceTimersByTime(1001)
    await failed
  })

  it('reconnects and repeats only its subscriptions', async () => {
    const { client, socket } = begin()
    client.send({ do: 'overlays', overlays: ['contacts'] })
    client.send({ do: 'overlays', overlays: ['boxes'] })
    client.send({ do: 'play' })
    socket.lose()
    expect(listener.onConnection).toHaveBeenLastCalledWith(expect.stringContaining('lost'))
    client.send({ do: 'pause' })
    await vi.advanceTimersByTimeAsync(5000)
    const second = FakeSocket.all[1]!
    second.open()
    expect(listener.onConnection).toHaveBeenLastCalledWith(null)
    expect(second.sent).toEqual([{ do: 'overlays', overlays: ['boxes'] }])
  })

  it('says that a session has ended if the running server has it no more', async () => {
    const { socket } = begin()
    answer({ start: 'first', session: 404 })
    socket.lose(1000)
    await vi.advanceTimersByTimeAsync(400)
    expect(listener.onLost).toHaveBeenCalledExactlyOnceWith('ended')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.all).toHaveLength(1)
    const messages = listener.onConnection.mock.calls.map(([message]) => message)
    expect(messages.filter((message) => message?.includes('does not answer'))).toEqual([])
  })

  it('says that a session has ended even if the server did not answer for a while', async () => {
    const { socket } = begin()
    answer(null, null, { start: 'first', session: 404 })
    socket.lose(1006)
    await vi.advanceTimersByTimeAsync(800)
    expect(listener.onConnection).toHaveBeenLastCalledWith(expect.stringContaining('does not answer'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(listener.onLost).toHaveBeenCalledExactlyOnceWith('ended')
  })

  it('says that the server was restarted, also if the new one has a world of the same kind and id', async () => {
    for (const found of [404, session, { ...session, source: { type: 'scene', name: 'pendulum' } }]) {
      vi.clearAllMocks()
      FakeSocket.all = []
      const { socket } = begin()
      answer({ start: 'second', session: found })
      socket.lose(1001)
      await vi.advanceTimersByTimeAsync(400)
      expect(listener.onLost).toHaveBeenCalledExactlyOnceWith('restarted')
    }
  })

  it('does not reconnect after it was closed', () => {
    const { client, socket } = begin()
    client.close()
    socket.lose()
    vi.advanceTimersByTime(60_000)
    expect(FakeSocket.all).toHaveLength(1)
  })

  it('ignores invalid messages', () => {
    const { socket } = begin()
    socket.onmessage!({ data: '{' })
    socket.onmessage!({ data: new ArrayBuffer(3) })
    pictures[0]!()
    expect(listener.onError).toHaveBeenCalledWith(expect.stringContaining('64 bytes'))
  })
})
