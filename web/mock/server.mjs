// A pretended server for work on the page without the real one: `node mock/server.mjs`, then `npm run dev`.
// It speaks docs/protocol.md for sessions; what bodies do is made up in worlds.mjs.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { WORLDS } from './worlds.mjs'

const STEP = 1 / 240
const PER_FRAME = 4
const sessions = new Map()
let born = 0

const overlays = ['contacts', 'closest', 'boxes', 'tiles', 'groups', 'centre', 'joints']

function start({ source, paused }) {
  const name = source.name ?? (source.type === 'bounce' ? 'zoo' : 'walker')
  const world = WORLDS[name]
  if (!world) throw new Error(`There is no scene '${name}'.`)
  const id = `s${++born}`
  const made = world.make()
  const creature = name === 'walker'
  const session = {
    info: {
      id, title: name, description: world.description,
      kind: source.type === 'bounce' ? 'bounce' : creature ? 'creature' : 'scene',
      paradigm: 'time-stepping', step: STEP, steps_per_frame: PER_FRAME, duration: made.duration,
      can: { interfere: true, probe: true, brain: false, end: true }, overlays,
      counters: source.type === 'bounce' ? ['pairs', 'tests', 'tiles'] : [], neurons: 0, source,
    },
    ...made, step: 0, latest: 0, playing: !paused, speed: 1, clients: new Map(), checked: 0, seen: new Set(), timer: null,
  }
  session.timer = setInterval(() => tick(session), 1000 / 60)
  sessions.set(id, session)
  return session
}

function tick(session) {
  if (!session.playing) return
  goTo(session, session.step + Math.max(1, Math.round(PER_FRAME * session.speed)))
}

function goTo(session, step) {
  const end = session.duration ? Math.round(session.duration / STEP) : Infinity
  session.step = Math.max(0, Math.min(step, end))
  if (session.step === end) session.playing = false
  if (session.step % (10 * PER_FRAME) === 0) {
    if (session.seen.has(session.step)) session.checked++
    session.seen.add(session.step)
  }
  session.latest = Math.max(session.latest, session.step)
  send(session)
}

function send(session) {
  const asked = new Set([...session.clients.values()].flat())
  const bytes = frame(session, asked)
  for (const client of session.clients.keys()) if (client.bufferedAmount < 1e6) client.send(bytes)
}

function frame(session, asked) {
  const { bodies } = session.appearance
  const t = session.step * STEP
  const poses = bodies.flatMap((_, n) => session.pose(n, t))
  const sections = [...asked].map((name) => section(name, poses, bodies.length, t)).filter(Boolean)
  const size = 64 + 4 * poses.length + sections.reduce((sum, [, , floats]) => sum + 8 + 4 * floats.length, 0)
  const view = new DataView(new ArrayBuffer(size))
  view.setUint32(0, 0x46475242, true)
  view.setUint16(4, 1, true)
  view.setUint16(6, (session.playing ? 1 : 0) | 2, true)
  view.setUint32(8, session.appearance.epoch, true)
  view.setUint32(12, bodies.length, true)
  view.setBigUint64(16, BigInt(session.step), true)
  view.setBigUint64(24, BigInt(session.latest), true)
  view.setFloat64(32, t, true)
  view.setBigUint64(40, BigInt(session.step) * 0x9e3779b97f4a7n, true)
  view.setFloat32(48, 5 + 4 * Math.sin(2 * t), true)
  view.setFloat32(52, 12 - 3.5 * Math.sin(2 * t), true)
  view.setFloat32(56, session.speed, true)
  view.setUint32(60, sections.length, true)
  new Float32Array(view.buffer, 64, poses.length).set(poses)
  let at = 64 + 4 * poses.length
  for (const [kind, items, floats] of sections) {
    view.setUint32(at, kind, true)
    view.setUint32(at + 4, items, true)
    new Float32Array(view.buffer, at + 8, floats.length).set(floats)
    at += 8 + 4 * floats.length
  }
  return view.buffer
}

function section(name, poses, count, t) {
  const at = (n) => poses.slice(7 * n, 7 * n + 3)
  const all = [...Array(count).keys()]
  const items = {
    contacts: () => [1, all.map((n) => [-1, n, ...at(n).map((v, k) => (k === 2 ? 0 : v)), 0, 0, 1, 0, 0, 8 + 12 * Math.abs(Math.sin(t + n)), 0])],
    closest: () => [2, all.slice(1).map((n) => [n - 1, n, ...at(n - 1), ...at(n), n % 4, (n + 1) % 4])],
    boxes: () => [3, all.map((n) => [n, ...at(n).map((v) => v - 0.45), ...at(n).map((v) => v + 0.45)])],
    tiles: () => [4, all.map((n) => [...at(n).map((v) => Math.floor(v)), 1, 1 + (n % 5)])],
    groups: () => [5, all.map((n) => [n, n >> 1])],
    centre: () => [6, [[...all.map(at).reduce((a, b) => a.map((v, k) => v + b[k])).map((v) => v / count), count]]],
    joints: () => [7, all.map((n) => [n, 1 + (n % 2), ...at(n), 0, 1, 0])],
    counters: () => [9, [[12], [345], [67]]],
  }[name]
  if (!items || count === 0) return null
  const [kind, list] = items()
  return [kind, list.length, list.flat()]
}

function order(session, client, text) {
  const said = JSON.parse(text)
  const turn = {
    play: () => (session.playing = true),
    pause: () => ((session.playing = false), send(session)),
    restart: () => goTo(session, 0),
    speed: () => (session.speed = said.speed),
    step: () => ((session.playing = false), goTo(session, session.step + said.steps)),
    seek: () => goTo(session, said.step),
    overlays: () => (session.clients.set(client, said.overlays), send(session)),
    probe: () => said.body !== null && client.send(JSON.stringify(probe(session, said.body))),
    grab: () => {}, drag: () => {}, release: () => {}, change: () => {}, simulate: () => {}, hashing: () => {},
    throw: () => client.send(JSON.stringify({ say: 'refused', why: 'Balls cannot be thrown in a pretended world.' })),
  }[said.do]
  turn?.()
  for (const other of session.clients.keys()) other.send(JSON.stringify(status(session)))
}

function probe(session, body) {
  const [x, y, z, ...orientation] = session.pose(body, session.step * STEP)
  const info = session.appearance.bodies[body]
  return {
    say: 'probe', body, name: info.name, position: [x, y, z], orientation, velocity: [0.3, -0.02, 0.8], angular_velocity: [0, 1.2, 0],
    mass: info.mass, joint: info.joint ? { kind: info.joint, positions: [0.31], velocities: [-0.8], efforts: [2.4] } : null,
    contacts: [{ with: 'floor', force: [0.1, 0, 9.8] }], force: [0.1, 0, 9.8],
  }
}

const status = (session) => ({
  say: 'status', playing: session.playing, speed: session.speed, step: session.step, latest: session.latest, epoch: session.appearance.epoch,
  viewers: session.clients.size, exact: { checked: session.checked, differing: 0 }, paradigm: 'time-stepping', step_length: STEP,
  ended: null, overlays: [],
})

const fixed = {
  '/api': { program: 'burgess', version: '0.1.0', folder: 'runs', page: true },
  '/api/scenes': Object.entries(WORLDS).map(([name, { description }]) => ({ name, description, duration: 10 })),
  '/api/creatures': [{ name: 'walker', description: 'A quadruped of ten parts.' }],
  '/api/tasks': [{ name: 'walk', description: 'Walk as far as you can.' }],
  '/api/recordings': [{ name: 'stack.bur', bytes: 123456 }],
  '/api/runs': [
    { name: 'walk-1', task: 'walk', family: 'legged', algorithm: 'map_elites', seed: 1, count: 700, evaluations: 2000, best_fitness: 12.3, best_body_lengths: 12.3, champion: 321, state: 'evolving' },
  ],
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const answer = (value, code = 200) => {
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  const session = sessions.get(pathname.split('/')[3])
  if (pathname === '/api/sessions' && request.method === 'POST') {
    let body = ''
    for await (const part of request) body += part
    try {
      return answer(start(JSON.parse(body)).info, 201)
    } catch (error) {
      return answer({ error: String(error.message) }, 400)
    }
  }
  if (pathname === '/api/sessions') return answer([...sessions.values()].map((one) => one.info))
  if (pathname.startsWith('/api/sessions/') && !session) return answer({ error: 'There is no such session.' }, 404)
  if (session && request.method === 'DELETE') {
    clearInterval(session.timer)
    sessions.delete(session.info.id)
    return answer({})
  }
  if (session && pathname.endsWith('/appearance')) return answer(session.appearance)
  if (session) return answer(session.info)
  if (fixed[pathname]) return answer(fixed[pathname])
  answer({ error: 'The pretended server does not know this route.' }, 404)
})

const sockets = new WebSocketServer({ noServer: true })
server.on('upgrade', (request, socket, head) => {
  const session = sessions.get(request.url.split('/')[3])
  if (!session) return socket.destroy()
  sockets.handleUpgrade(request, socket, head, (client) => {
    session.clients.set(client, [])
    client.on('message', (text) => order(session, client, text))
    client.on('close', () => session.clients.delete(client))
    client.send(JSON.stringify(status(session)))
    client.send(frame(session, new Set()))
  })
})

server.listen(Number(process.env.PORT ?? 7380), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
