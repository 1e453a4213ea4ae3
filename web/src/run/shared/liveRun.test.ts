import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { individual } from './testIndividual'
import type { Individual, RunDetail, RunMessage } from '../../lib/protocol'

let LiveRun: typeof import('./liveRun.svelte').LiveRun
let UNDO_TIME: number

/** What was posted, and what the server answers to each path. */
let posted: { path: string; body: unknown }[]
let answers: Record<string, unknown>
let socket: {
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: () => void
  close: () => void
}

const info: RunDetail = {
  name: 'walk-1',
  task: 'walk',
  family: 'legged',
  algorithm: 'genetic',
  seed: 1,
  count: 5,
  evaluations: 10,
  best_fitness: 3,
  best_spread: null,
  best_body_lengths: null,
  modified: null,
  error: null,
  champion: 1,
  state: 'evolving',
  config: '',
  repeat: null,
  descriptors: [],
  measures: [],
  hash: null,
  creature_seconds: 0,
  faulty: 0,
  retests: 0,
}

beforeAll(async () => {
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' })
  vi.stubGlobal('WebSocket', function (this: typeof socket) {
    socket = Object.assign(this, { close: () => {} })
  })
  vi.stubGlobal('fetch', async (url: string, options?: RequestInit) => {
    const path = url.replace('http://127.0.0.1/api/runs/walk-1', '')
    if (options?.method === 'POST') posted.push({ path, body: JSON.parse(options.body as string) })
    const answer = answers[path]
    if (answer === undefined)
      return new Response(JSON.stringify({ error: `There is nothing at ${path}.` }), { status: 404 })
    return new Response(JSON.stringify(answer))
  })
  ;({ LiveRun, UNDO_TIME } = await import('./liveRun.svelte'))
})

beforeEach(() => {
  posted = []
  answers = { '': info, '/curve': { generations: [] }, '/breed': { child: 7 }, '/favourite': {}, '/remove': {} }
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

async function opened() {
  const live = new LiveRun('walk-1')
  await live.open()
  const receive = (message: RunMessage) => socket.onmessage!({ data: JSON.stringify(message) })
  return { live, receive }
}

describe('a live run', () => {
  it('waits for a child until a message reports its birth', async () => {
    const { live, receive } = await opened()
    await live.breed(1, 2)
    expect(posted).toEqual([{ path: '/breed', body: { parents: [1, 2] } }])
    expect(live.pending).toMatchObject([{ id: 7, origin: 'a child of 1 and 2', born: null }])
    receive({ say: 'born', individuals: [individual(6), individual(7)] })
    expect(live.pending[0]!.born?.id).toBe(7)
    expect(live.births).toBe(2)
  })

  it('loads a child whose birth no message reported', async () => {
    const { live, receive } = await opened()
    await live.breed(1, 2)
    const rest = { seed: '1', family: 'legged', spread: null, children: [], parts: 3, neurons: 4 }
    const child: Individual = { ...individual(7), ...rest }
    answers['/individuals/7'] = child
    receive({
      say: 'progress',
      count: 9,
      evaluations: 10,
      best: 3,
      median: 1,
      per_second: 1,
      seconds_left: 1,
      state: 'evolving',
      failure: null,
    })
    await vi.waitFor(() => expect(live.pending[0]!.born?.id).toBe(7))
    expect(live.count).toBe(9)
  })

  it('removes only after the time to undo', async () => {
    const { live } = await opened()
    live.toggleSelected(3)
    live.remove(3)
    expect(live.selected).toEqual([])
    live.undoRemove(3)
    await vi.advanceTimersByTimeAsync(2 * UNDO_TIME)
    expect(posted).toEqual([])
    live.remove(4)
    await vi.advanceTimersByTimeAsync(UNDO_TIME)
    expect(posted).toEqual([{ path: '/remove', body: { id: 4 } }])
    expect(live.isRemoved(individual(4))).toBe(true)
    expect(live.isRemoved(individual(3))).toBe(false)
  })

  it('sends pending removals when the page is closed', async () => {
    const { live } = await opened()
    live.remove(4)
    live.close()
    await vi.waitFor(() => expect(posted).toEqual([{ path: '/remove', body: { id: 4 } }]))
  })

  it('shows an error and restores the favourite', async () => {
    const { live } = await opened()
    delete answers['/favourite']
    await live.setFavourite(4, true)
    expect(live.notice).toBe('There is nothing at /favourite.')
    expect(live.isFavourite(individual(4))).toBe(false)
  })

  it('selects at most four', async () => {
    const { live } = await opened()
    for (const id of [1, 2, 3, 4, 5]) live.toggleSelected(id)
    expect(live.selected).toEqual([1, 2, 3, 4])
    expect(live.notice).toMatch(/^At most 4 creatures can be selected/)
    live.toggleSelected(2)
    expect(live.selected).toEqual([1, 3, 4])
  })

  it('shows an error for a malformed message', async () => {
    const { live } = await opened()
    socket.onmessage!({ data: '{"say":"born","individuals":[{"id":"7"}]}' })
    expect(live.notice).toBe('Message of the run.individuals[0].id: expected a number, found "7".')
  })

  it('shows why it cannot be opened', async () => {
    delete answers['']
    const { live } = await opened()
    expect(live.error).toBe('There is nothing at .')
  })
})
