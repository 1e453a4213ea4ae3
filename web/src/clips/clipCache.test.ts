import { describe, expect, it } from 'vitest'
import type { Clip } from '../lib/protocol'
import { ClipCache } from './clipCache'

const KILO = 1024

function clipOf(floats: number): Clip {
  return {
    appearance: {} as Clip['appearance'],
    rate: 30,
    frames: 1,
    bodies: 1,
    fitness: 0,
    outcome: 'scored',
    hashes: [],
    poses: new Float32Array(floats),
  }
}

/** A source whose clips come when the test says so. */
function source() {
  const asked: { id: number; give: () => void; signal: AbortSignal | undefined }[] = []
  const fetchClip = (_run: string, id: number, _rate?: number, signal?: AbortSignal) =>
    new Promise<Clip>((give, fail) => {
      asked.push({ id, give: () => give(clipOf(KILO / 4)), signal })
      signal?.addEventListener('abort', () => fail(new DOMException('', 'AbortError')))
    })
  return { asked, fetchClip }
}

const settled = () => new Promise((done) => setTimeout(done, 0))

describe('the cache of clips', () => {
  it('limits concurrent requests and loads each clip once', async () => {
    const { asked, fetchClip } = source()
    const store = new ClipCache(100 * KILO, 2, fetchClip)
    const all = [1, 2, 3, 1].map((id) => store.get('walk-1', id, 30))
    expect(asked.map((one) => one.id)).toEqual([1, 2])
    asked[0]!.give()
    await settled()
    expect(asked.map((one) => one.id)).toEqual([1, 2, 3])
    asked.slice(1).forEach((one) => one.give())
    const [first, , , again] = await Promise.all(all)
    expect(again).toBe(first)
    expect(await store.get('walk-1', 1, 30)).toBe(first)
    expect(asked).toHaveLength(3)
  })

  it('evicts the least recently used clips above its limit', async () => {
    const { asked, fetchClip } = source()
    const store = new ClipCache(2.5 * KILO, 9, fetchClip)
    for (const id of [1, 2]) {
      const wanted = store.get('walk-1', id, 30)
      asked.at(-1)!.give()
      await wanted
    }
    await store.get('walk-1', 1, 30)
    const third = store.get('walk-1', 3, 30)
    asked.at(-1)!.give()
    await third
    expect(store.size).toEqual({ clips: 2, bytes: 2 * KILO, waiting: 0 })
    await store.get('walk-1', 1, 30)
    expect(asked).toHaveLength(3)
  })

  it('aborts requests that no view needs, and continues with the next', async () => {
    const { asked, fetchClip } = source()
    const store = new ClipCache(100 * KILO, 1, fetchClip)
    const stop = new AbortController()
    const unwanted = store.get('walk-1', 1, 30, stop.signal)
    const wanted = store.get('walk-1', 2, 30)
    stop.abort()
    await expect(unwanted).rejects.toThrow(/no longer needed/)
    await settled()
    expect(asked[0]!.signal?.aborted).toBe(true)
    asked[1]!.give()
    expect((await wanted).frames).toBe(1)
    expect(store.size.waiting).toBe(0)
  })

  it('rejects with the reason of a failed load, and loads again later', async () => {
    let answers = 0
    const store = new ClipCache(100 * KILO, 1, () =>
      answers++ ? Promise.resolve(clipOf(1)) : Promise.reject(new Error('walk-1 has no creature 7.')),
    )
    await expect(store.get('walk-1', 7, 30)).rejects.toThrow('walk-1 has no creature 7.')
    expect((await store.get('walk-1', 7, 30)).bodies).toBe(1)
  })
})
