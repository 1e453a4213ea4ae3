// The server's HTTP routes as typed functions. Answers are checked; an error becomes an ApiError with the server's message.
import { type Check, list, parseJson } from './check'
import { decodeClip } from './clip'
import { sentence } from './errors'
import * as caveMessages from './caveMessages'
import * as data from './dataMessages'
import * as flowMessages from './flowMessages'
import * as messages from './messages'
import * as spaceMessages from './spaceMessages'
import type {
  CalibrationPoint,
  CaveChoice,
  Clip,
  EliteMap,
  IndividualQuery,
  NewRun,
  NewSession,
  RunQuery,
} from './protocol'

/** Returns the URL of a route, relative to the page. */
export function address(path: string): string {
  return new URL(`api/${path}`.replace(/\/$/, ''), document.baseURI).href.replace(/#.*$/, '')
}

/** Returns the URL of a socket. */
export function socketAddress(path: string): string {
  return address(path).replace(/^http/, 'ws')
}

export class ApiError extends Error {
  constructor(
    message: string,
    /** HTTP status; 0 if the server did not respond. */
    readonly status: number,
  ) {
    super(message)
  }
}

async function request(path: string, options?: RequestInit): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(address(path), options)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError('The server does not answer. Is `burgess serve` still running?', 0)
  }
  if (answer.ok) return answer
  throw new ApiError(
    sentence(errorText(await answer.text()) ?? `The server answered with status ${answer.status}`),
    answer.status,
  )
}

/** Returns the message of an error body `{"error": ...}`; null if the body has another form. */
function errorText(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : null
  } catch {
    return null
  }
}

async function get<T>(path: string, check: Check<T>, signal?: AbortSignal): Promise<T> {
  return parseJson(await (await request(path, { signal })).text(), check, `Answer of api/${path}`)
}

function send(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return request(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function post<T>(path: string, body: unknown, check: Check<T>): Promise<T> {
  return parseJson(await (await send(path, body)).text(), check, `Answer of api/${path}`)
}

const part = encodeURIComponent
const run = (name: string, rest = '') => `runs/${part(name)}${rest}`
const session = (id: string, rest = '') => `sessions/${part(id)}${rest}`

export const about = () => get('', messages.about)
export const scenes = () => get('scenes', list(messages.sceneEntry))
export const creatures = () => get('creatures', list(messages.creatureEntry))
export const tasks = () => get('tasks', list(messages.named))
export const recordings = () => get('recordings', list(messages.recordingEntry))

export const spaces = () => get('spaces', list(spaceMessages.spaceEntry))
export const space = (name: string, query: URLSearchParams) =>
  get(`spaces/${part(name)}?${query}`, spaceMessages.spaceDetail)

/** Returns the versions of all lists, to learn cheaply whether one has changed. */
export const versions = () => get('versions', messages.versions)

export const sessions = () => get('sessions', list(messages.sessionEntry))
export const endAllSessions = () => request('sessions', { method: 'DELETE' })
export const startSession = (what: NewSession) => post('sessions', what, messages.session)
export const sessionOf = (id: string) => get(session(id), messages.session)
export const endSession = (id: string) => request(session(id), { method: 'DELETE' })
export const sessionPicture = (id: string) => address(session(id, '/picture.svg'))
export const appearance = (id: string) => get(session(id, '/appearance'), messages.appearance)
export const contents = (id: string) => get(session(id, '/contents'), messages.contents)
export const take = (id: string) => get(session(id, '/take'), messages.take)
export const sessionBrain = (id: string) => get(session(id, '/brain'), messages.brain)
export const wallSocket = (name: string, version: number) =>
  socketAddress(`cave/walls/${part(name)}/socket?version=${version}`)
export const cave = () => get('cave', caveMessages.caveStatus)
export const chooseCave = (choice: CaveChoice) => post('cave', choice, caveMessages.caveStatus)
export const showOnWalls = (id: string) => send('cave/session', { session: id })
export const setUpWalls = (on: boolean) => send('cave/setup', { on })
export const setUserBody = (on: boolean) => send('cave/body', { on })
export const menu = () => get('cave/menu', caveMessages.menuLayout)
export const calibrate = (points: CalibrationPoint[]) => send('cave/calibration', { points })
export const sessionSocket = (id: string) => socketAddress(session(id, '/socket'))

export const sceneText = (id: string) => get(session(id, '/scene'), data.sceneText)
/** Shows a scene from its start if its text is valid; the answer says what is wrong otherwise. */
export const showScene = (id: string, name: string, text: string) =>
  post(session(id, '/scene'), { name, text }, data.textCheck)
export const sceneFiles = () => get('scene-files', list(data.sceneFileEntry))
export const saveScene = (name: string, text: string, overwrite: boolean) =>
  post('scene-files', { name, text, overwrite }, data.sceneFileEntry)

/** Exports a session; returns the file and the name that the server gives it. `seconds` is the length of a page. */
export async function exportSession(
  id: string,
  to: 'gltf' | 'html' | 'mjcf' | 'urdf' | 'toml',
  seconds?: number,
): Promise<{ blob: Blob; filename: string | null }> {
  const length = seconds === undefined ? '' : `&seconds=${seconds}`
  const answer = await request(session(id, `/export?to=${to}${length}`))
  const filename = answer.headers.get('content-disposition')?.match(/filename="([^"]+)"/)?.[1] ?? null
  return { blob: await answer.blob(), filename }
}

const flowPath = (id: string, rest = '') => `flows/${part(id)}${rest}`
export const flow = (id: string) => get(flowPath(id), flowMessages.flow)

/** Returns the bytes of the tubes of a step of a flow. */
export async function flowStep(id: string, step: number): Promise<ArrayBuffer> {
  return (await request(flowPath(id, `/steps/${step}`))).arrayBuffer()
}

export const runs = () => get('runs', list(messages.run))

/** Returns some of the runs. */
export function runPage(query: RunQuery, signal?: AbortSignal) {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && !(key === 'search' && value === '')) parameters.set(key, String(value))
  }
  return get(`run-page${parameters.size ? `?${parameters}` : ''}`, messages.runPage, signal)
}

export const startRun = (what: NewRun) => post('runs', what, messages.run)
export const runOf = (name: string) => get(run(name), messages.runDetail)
export const curve = (name: string) => get(run(name, '/curve'), messages.curve)
export const history = (name: string, signal?: AbortSignal) => get(run(name, '/history'), data.runHistory, signal)
export const contest = (name: string) => get(run(name, '/contest'), messages.contest)
export const tournament = (name: string, generations: number) =>
  get(run(name, `/tournament?generations=${generations}`), messages.tournament)
export const runSocket = (name: string) => socketAddress(run(name, '/socket'))

export function map(name: string, x?: string, y?: string): Promise<EliteMap> {
  const query = new URLSearchParams()
  if (x) query.set('x', x)
  if (y) query.set('y', y)
  return get(run(name, `/map${query.size ? `?${query}` : ''}`), messages.eliteMap)
}

export function individuals(name: string, query: IndividualQuery = {}, signal?: AbortSignal) {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    parameters.set(key, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  const path = `/individuals${parameters.size ? `?${parameters}` : ''}`
  return get(run(name, path), messages.individualList, signal)
}

/** Returns two figures of the individuals of a run. */
export function points(name: string, x: string, y: string, signal?: AbortSignal) {
  return get(run(name, `/points?${new URLSearchParams({ x, y })}`), data.scatter, signal)
}

/** Returns the address of a table of individuals; a part has at most `TABLE_ROWS` rows. */
export const table = (name: string, to: 'csv' | 'json', offset = 0) =>
  address(run(name, `/table?to=${to}&offset=${offset}`))
export const TABLE_ROWS = 10_000

export const individual = (name: string, id: number) => get(run(name, `/individuals/${id}`), messages.individual)
export const lineage = (name: string, id: number) => get(run(name, `/individuals/${id}/lineage`), messages.lineage)
export const brain = (name: string, id: number) => get(run(name, `/individuals/${id}/brain`), messages.brain)
export const portrait = (name: string, id: number) => address(run(name, `/individuals/${id}/portrait.svg`))
export const individualExport = (name: string, id: number, to: 'html' | 'json' | 'mjcf' | 'urdf') =>
  address(run(name, `/individuals/${id}/export?to=${to}`))

/** Returns a creature's evaluation as a clip with `rate` frames per second. */
export const clip = (name: string, id: number, rate = 30, signal?: AbortSignal): Promise<Clip> =>
  clipAt(run(name, `/individuals/${id}/clip?rate=${rate}`), signal)

/** Returns the clip of a route. */
export async function clipAt(path: string, signal?: AbortSignal): Promise<Clip> {
  return decodeClip(await (await request(path, { signal })).arrayBuffer())
}

export const pauseRun = (name: string) => send(run(name, '/pause'), {})
export const continueRun = (name: string, evaluations?: number) => send(run(name, '/go-on'), { evaluations })
export const setFavourite = (name: string, id: number, on: boolean) => send(run(name, '/favourite'), { id, on })
export const removeIndividual = (name: string, id: number) => send(run(name, '/remove'), { id })
export const breed = (name: string, parents: [number, number]) => post(run(name, '/breed'), { parents }, messages.child)
export const mergeRun = (name: string, other: string, most?: number) =>
  post(run(name, '/merge'), { run: other, most }, messages.children)
export const injectCreature = (name: string, creature: unknown) =>
  post(run(name, '/inject'), { creature }, messages.child)
