// Links to a moment of a world: an address that opens the world anew and goes to a step. It names what the world was opened
// with, so that it works for other people and after a restart of the server.
import type { Take } from './messages'
import type { Source } from './protocol'
import { link } from './route.svelte'

/** Maximum length of the changes of a world in an address. */
const MAX_TAKE_LENGTH = 8000

/** Returns the path of a world that was not changed; null if others cannot open it. */
function pathOf(source: Source): { parts: (string | number)[]; query: [string, unknown][] } | null {
  switch (source.type) {
    case 'scene':
    case 'recording':
      return { parts: [source.type, source.name], query: [] }
    case 'creature':
      return {
        parts: ['creature', source.name],
        query: [
          ['task', source.task],
          ['seed', source.seed],
        ],
      }
    case 'individual':
      return { parts: ['individual', source.run, ...(source.id === undefined ? [] : [source.id!])], query: [] }
    case 'bounce':
      return { parts: ['bounce'], query: Object.entries(source).filter(([key]) => key !== 'type') }
    default:
      return null
  }
}

/** Returns whether a world is as it was built. */
function isUnchanged(take: Take): boolean {
  return take.events.length === 0 && !take.paradigm && !take.step && !take.keyframe
}

/** Returns the address of a step of a world; throws an error that says why there is none. */
export function momentLink(take: Take, step: number): string {
  const path = pathOf(take.source)
  if (!path)
    throw new Error('This world comes from a file of this computer, so a link cannot open it. Save a page instead.')
  if (isUnchanged(take)) {
    const query = new URLSearchParams()
    for (const [key, value] of path.query) if (value !== undefined && value !== null) query.set(key, String(value))
    query.set('step', String(step))
    return `${link('world', ...path.parts)}?${query}`
  }
  // The server checks the hashes of a take only where there are some.
  const changes = encode(JSON.stringify({ ...take, hashes: [] }))
  if (changes.length > MAX_TAKE_LENGTH)
    throw new Error('This world was changed too often for a link. Save a take or a page instead.')
  return `${link('world', 'take', changes)}?step=${step}`
}

/** Parses the path and the query of an address of a moment; throws an error that says what is wrong. */
export function readMoment(parts: string[], text: string): { source: Source; step: number } {
  const query = new URLSearchParams(text)
  const step = Number(query.get('step') ?? 0)
  if (!Number.isSafeInteger(step) || step < 0)
    throw new Error(`The step of a moment is a whole number of at least 0; found ${query.get('step')}.`)
  return { source: sourceOf(parts, query), step }
}

function sourceOf([type, name, id]: string[], query: URLSearchParams): Source {
  const number = (key: string) => (query.has(key) ? Number(query.get(key)) : undefined)
  const word = (key: string) => query.get(key) ?? undefined
  if (type === 'bounce') {
    const coherence = query.has('coherence') ? query.get('coherence') === 'true' : undefined
    const [objects, world, vertices] = [number('objects'), number('world'), number('vertices')]
    const [step_size, broad_phase] = [number('step_size'), word('broad_phase')]
    return { type, objects, world, vertices, step_size, broad_phase, coherence } as Source
  }
  if (!name) throw new Error('The address does not name a world.')
  if (type === 'scene' || type === 'recording') return { type, name }
  if (type === 'creature') return { type, name, task: word('task'), seed: number('seed') } as Source
  if (type === 'individual') return { type, run: name, id: id === undefined ? undefined : Number(id) } as Source
  if (type === 'take') return { type, take: JSON.parse(decode(name)) as Take }
  throw new Error(`The address names a ${type}; expected a scene, creature, individual, recording, bounce or take.`)
}

/** Encodes text with the letters that need no escape in an address. */
function encode(text: string): string {
  const letters = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function decode(text: string): string {
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)))
  } catch {
    throw new Error('The changes in this address are damaged. It may have been cut off.')
  }
}
