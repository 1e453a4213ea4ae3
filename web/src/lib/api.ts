// Every HTTP route of the server as a typed function. A refusal becomes an Error that says the server's sentence.
import { decodeClip } from './clip'
import type {
  About,
  Appearance,
  Brain,
  Brief,
  Clip,
  EliteMap,
  Generation,
  Individual,
  IndividualQuery,
  Named,
  NewRun,
  NewSession,
  RecordingEntry,
  Run,
  RunDetail,
  SceneEntry,
  Session,
} from './protocol'

/** The address of a route, relative to where the page came from. */
export function address(path: string): string {
  return new URL(`api/${path}`.replace(/\/$/, ''), document.baseURI).href.replace(/#.*$/, '')
}

/** The address of a socket. */
export function socketAddress(path: string): string {
  return address(path).replace(/^http/, 'ws')
}

export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

async function ask(path: string, options?: RequestInit): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(address(path), options)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Refusal('The server does not answer. Is `burgess serve` still running?', 0)
  }
  if (answer.ok) return answer
  const text = await answer.text()
  let sentence = `The server refused with status ${answer.status}.`
  try {
    sentence = JSON.parse(text).error ?? sentence
  } catch {
    // not JSON: the status says enough
  }
  throw new Refusal(sentence, answer.status)
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, { signal })).json()
}

async function post<T>(path: string, body: unknown = {}): Promise<T> {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const text = await (await ask(path, options)).text()
  return (text ? JSON.parse(text) : undefined) as T
}

const part = encodeURIComponent
const run = (name: string, rest = '') => `runs/${part(name)}${rest}`
const session = (id: string, rest = '') => `sessions/${part(id)}${rest}`

export const about = () => get<About>('')
export const scenes = () => get<SceneEntry[]>('scenes')
export const creatures = () => get<Named[]>('creatures')
export const tasks = () => get<Named[]>('tasks')
export const recordings = () => get<RecordingEntry[]>('recordings')

export const sessions = () => get<Session[]>('sessions')
export const startSession = (what: NewSession) => post<Session>('sessions', what)
export const sessionOf = (id: string) => get<Session>(session(id))
export const endSession = (id: string) => ask(session(id), { method: 'DELETE' })
export const appearance = (id: string) => get<Appearance>(session(id, '/appearance'))
export const sessionBrain = (id: string) => get<Brain>(session(id, '/brain'))
/** A file for another program, with the name that the server gives it. */
export async function exported(
  id: string,
  to: 'gltf' | 'mjcf' | 'urdf' | 'toml',
): Promise<{ blob: Blob; filename: string | null }> {
  const answer = await ask(session(id, `/export?to=${to}`))
  const filename = answer.headers.get('content-disposition')?.match(/filename="([^"]+)"/)?.[1] ?? null
  return { blob: await answer.blob(), filename }
}

export const sessionSocket = (id: string) => socketAddress(session(id, '/socket'))

export const runs = () => get<Run[]>('runs')
export const startRun = (what: NewRun) => post<Run>('runs', what)
export const runOf = (name: string) => get<RunDetail>(run(name))
export const curve = (name: string) => get<{ generations: Generation[] }>(run(name, '/curve'))

export function map(name: string, x?: string, y?: string): Promise<EliteMap> {
  const query = new URLSearchParams()
  if (x) query.set('x', x)
  if (y) query.set('y', y)
  return get(run(name, `/map${query.size ? `?${query}` : ''}`))
}

export function individuals(
  name: string,
  query: IndividualQuery = {},
  signal?: AbortSignal,
): Promise<{ total: number; individuals: Brief[] }> {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    parameters.set(key, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  return get(run(name, `/individuals${parameters.size ? `?${parameters}` : ''}`), signal)
}

export const individual = (name: string, id: number) => get<Individual>(run(name, `/individuals/${id}`))
export const lineage = (name: string, id: number) =>
  get<{ individuals: Brief[] }>(run(name, `/individuals/${id}/lineage`))
export const brain = (name: string, id: number) => get<Brain>(run(name, `/individuals/${id}/brain`))
export const portrait = (name: string, id: number) => address(run(name, `/individuals/${id}/portrait.svg`))
export const individualExport = (name: string, id: number, to: 'json' | 'mjcf' | 'urdf') =>
  address(run(name, `/individuals/${id}/export?to=${to}`))
export const runSocket = (name: string) => socketAddress(run(name, '/socket'))

/** A creature's evaluation as a film of poses. */
export async function clip(name: string, id: number, rate = 30, signal?: AbortSignal): Promise<Clip> {
  const answer = await ask(run(name, `/individuals/${id}/clip?rate=${rate}`), { signal })
  return decodeClip(await answer.arrayBuffer())
}

export const pause = (name: string) => post<unknown>(run(name, '/pause'))
export const goOn = (name: string, evaluations?: number) =>
  post<unknown>(run(name, '/go-on'), evaluations === undefined ? {} : { evaluations })
export const favourite = (name: string, id: number, on: boolean) => post<unknown>(run(name, '/favourite'), { id, on })
export const remove = (name: string, id: number) => post<unknown>(run(name, '/remove'), { id })
export const breed = (name: string, parents: [number, number]) =>
  post<{ child: number }>(run(name, '/breed'), { parents })
export const merge = (name: string, other: string, most?: number) =>
  post<{ children: number[] }>(run(name, '/merge'), most === undefined ? { run: other } : { run: other, most })
export const inject = (name: string, creature: unknown) => post<{ child: number }>(run(name, '/inject'), { creature })
