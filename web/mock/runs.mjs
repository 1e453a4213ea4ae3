// A server of made-up runs that speaks the protocol of docs/protocol.md, for trying the pages of evolution out:
//   node mock/runs.mjs [PORT] [FOLDER OF THE BUILT PAGE]
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WebSocketServer } from 'ws'
import { brain, clip, cross, dice, measured, mutate, portrait, randomGenome } from './creatures.mjs'

const DESCRIPTORS = ['parts', 'height', 'mass', 'active_joints', 'gait_frequency', 'duty_factor', 'straightness']
const RANGES = {
  parts: [2, 18],
  height: [0, 1],
  mass: [0, 150],
  active_joints: [0, 18],
  gait_frequency: [0, 4],
  duty_factor: [0, 1],
  straightness: [0, 1],
}

class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

class Run {
  constructor(name, { task = 'walk', seed = 1, evaluations = 2000, algorithm = 'map_elites', family = 'legged' }, state = 'evolving') {
    Object.assign(this, { name, task, seed, evaluations, algorithm, family, state, all: [], sockets: new Set(), asked: [] })
    this.roll = dice(seed * 7919 + name.length)
    this.elites = new Map()
  }

  born(genome, parents, operator) {
    const id = this.all.length
    const found = measured(genome, this.roll)
    const scored = this.roll() > 0.04
    const one = {
      id,
      generation: Math.floor(id / 100),
      operator,
      parents,
      fitness: scored ? found.fitness : 0,
      outcome: scored ? 'scored' : 'unviable',
      reason: scored ? null : 'part 3 and part 5 are inside each other',
      descriptors: found.descriptors,
      measures: found.measures,
      favourite: false,
      removed: false,
      genome,
      speed: found.speed,
    }
    this.all.push(one)
    if (scored) {
      const key = this.cell(one, 'parts', 'height').join()
      if (!(this.elites.get(key)?.fitness >= one.fitness)) this.elites.set(key, one)
    }
    return one
  }

  cell(one, ...names) {
    return names.map((name) => {
      const [low, high] = RANGES[name]
      return Math.min(7, Math.max(0, Math.floor(((one.descriptors[name] - low) / (high - low)) * 8)))
    })
  }

  next() {
    const asked = this.asked.shift()
    if (asked) return asked()
    const elites = [...this.elites.values()].filter((one) => !one.removed)
    if (this.all.length < 150 || elites.length === 0) return this.born(randomGenome(this.roll), [], 'random')
    const a = elites[Math.floor(this.roll() * elites.length)]
    if (this.roll() < 0.6) return this.born(mutate(a.genome, this.roll), [a.id], 'mutation')
    const b = elites[Math.floor(this.roll() * elites.length)]
    return this.born(cross(a.genome, b.genome, this.roll), [a.id, b.id], ['crossover', 'grafting', 'exchange'][Math.floor(this.roll() * 3)])
  }

  /** Some births; tells them to whoever listens. */
  go(births) {
    if (this.state !== 'evolving') return
    const news = []
    for (let i = 0; i < births && this.all.length < this.evaluations; i++) news.push(brief(this.next()))
    if (this.all.length >= this.evaluations) this.state = 'done'
    if (news.length) this.say({ say: 'born', individuals: news })
    this.say(this.progress())
  }

  progress() {
    const fits = this.all.map((one) => one.fitness).sort((a, b) => a - b)
    const per_second = this.state === 'evolving' ? 14.2 : 0
    return {
      say: 'progress',
      count: this.all.length,
      evaluations: this.evaluations,
      best: fits.at(-1) ?? null,
      median: fits[fits.length >> 1] ?? null,
      per_second,
      seconds_left: per_second ? (this.evaluations - this.all.length) / per_second : null,
      state: this.state,
    }
  }

  say(message) {
    for (const socket of this.sockets) socket.send(JSON.stringify(message))
  }

  get champion() {
    return this.all.reduce((best, one) => (!best || one.fitness > best.fitness ? one : best), null)
  }

  info(whole = false) {
    const { name, task, family, algorithm, seed, evaluations, state, champion } = this
    const info = {
      name,
      task,
      family,
      algorithm,
      seed,
      count: this.all.length,
      evaluations,
      best_fitness: champion?.fitness ?? null,
      best_body_lengths: champion?.fitness ?? null,
      champion: champion?.id ?? null,
      state,
    }
    if (!whole) return info
    return {
      ...info,
      config: `task = "${task}"\nseed = ${seed}\nevaluations = ${evaluations}\n\n[algorithm]\ntype = "${algorithm}"\n`,
      descriptors: DESCRIPTORS,
      measures: Object.keys(champion?.measures ?? {}),
      hash: state === 'evolving' ? null : 'b43031f3dc4181c1',
      creature_seconds: this.all.length * 10,
      faulty: 0,
    }
  }

  curve() {
    const generations = []
    for (let start = 0; start < this.all.length; start += 100) {
      const some = this.all.slice(start, start + 100)
      const fits = some
        .filter((one) => one.outcome === 'scored')
        .map((one) => one.fitness)
        .sort((a, b) => a - b)
      const at = (share) => fits[Math.floor(share * (fits.length - 1))] ?? null
      generations.push({
        generation: start / 100,
        born: some.length,
        scored: fits.length,
        best: at(1),
        upper_quartile: at(0.75),
        median: at(0.5),
        lower_quartile: at(0.25),
        diversity: 0.6 * Math.exp(-start / 1500) + 0.2 + 0.03 * Math.sin(start),
      })
    }
    return { generations }
  }

  map(x, y) {
    const cells = new Map()
    for (const one of this.all) {
      if (one.outcome !== 'scored' || one.removed) continue
      const cell = this.cell(one, x, y)
      const had = cells.get(cell.join())
      if (!had || had.fitness < one.fitness) cells.set(cell.join(), { cell, id: one.id, fitness: one.fitness })
    }
    return {
      dimensions: [x, y].map((d) => ({ descriptor: d, low: RANGES[d][0], high: RANGES[d][1], cells: 8 })),
      cells: [...cells.values()],
    }
  }

  list(query) {
    const sort = query.get('sort') ?? 'fitness'
    const value = (one) => (sort === 'fitness' || sort === 'id' ? one[sort] : (one.descriptors[sort] ?? one.measures[sort] ?? 0))
    const sign = query.get('order') === 'asc' ? 1 : -1
    const least = query.get('least')
    const found = this.all.filter(
      (one) =>
        (!query.get('operator') || one.operator === query.get('operator')) &&
        (query.get('favourites') !== '1' || one.favourite) &&
        (query.get('removed') !== '0' || !one.removed) &&
        (!least || one.fitness >= Number(least)),
    )
    found.sort((a, b) => sign * (value(a) - value(b)) || a.id - b.id)
    const offset = Number(query.get('offset') ?? 0)
    return { total: found.length, individuals: found.slice(offset, offset + Number(query.get('limit') ?? 60)).map(brief) }
  }

  lineage(id) {
    const wanted = new Set([id])
    const line = []
    for (let i = id; i >= 0; i--) {
      if (!wanted.has(i)) continue
      line.push(brief(this.all[i]))
      for (const parent of this.all[i].parents) wanted.add(parent)
    }
    return { individuals: line }
  }

  /** Whose turn is taken at one of the next births. */
  ask(make) {
    this.asked.push(make)
    return this.all.length + this.asked.length - 1
  }

  get(id) {
    const one = this.all[Number(id)]
    if (!one) throw new Refused(404, `${this.name} has no creature ${id}; it has ${this.all.length}, counted from 0.`)
    return one
  }
}

function brief({ genome, speed, ...rest }) {
  return rest
}

const runs = new Map()
function add(run) {
  runs.set(run.name, run)
  return run
}
function fill(run, births) {
  for (let i = 0; i < births; i++) run.next()
  return run
}
fill(add(new Run('walk-1', { evaluations: 3000 })), 700)
fill(add(new Run('walk-2', { seed: 2, algorithm: 'age_fitness' }, 'done')), 2000)
add(new Run('swim-1', { task: 'swim' }, 'paused'))

function found(name) {
  const run = runs.get(name)
  if (!run) throw new Refused(404, `There is no run called '${name}' in the folder of runs.`)
  return run
}

function individual(run, [id, what], query) {
  const one = run.get(id)
  if (!what)
    return {
      ...brief(one),
      seed: 1234 + one.id,
      family: run.family,
      parts: one.descriptors.parts,
      neurons: 12,
      children: run.all.filter((other) => other.parents.includes(one.id)).map((other) => other.id),
    }
  if (what === 'lineage') return run.lineage(one.id)
  if (what === 'brain') return brain(one.genome, dice(one.id))
  if (what === 'portrait.svg') return { type: 'image/svg+xml', body: portrait(one.genome) }
  if (what === 'export')
    return {
      type: 'application/json',
      body: JSON.stringify({
        format: 'burgess-creature',
        version: 1,
        name: `${run.name}-${one.id}`,
        to: query.get('to'),
        genome: one.genome,
      }),
    }
  if (what === 'clip') {
    const rate = Number(query.get('rate') ?? 30)
    const { appearance, frames, bodies, data } = clip(one.genome, one.speed, rate)
    let text = JSON.stringify({ appearance, rate, frames, bodies, fitness: one.fitness, outcome: one.outcome, hashes: [] })
    text = text.padEnd(Math.ceil((text.length + 4) / 4) * 4 - 4)
    const head = Buffer.alloc(4)
    head.writeUInt32LE(text.length)
    return { type: 'application/octet-stream', body: Buffer.concat([head, Buffer.from(text), Buffer.from(data.buffer)]) }
  }
  throw new Refused(404, 'There is nothing here.')
}

function change(run, what, body) {
  switch (what) {
    case 'pause':
      run.state = 'paused'
      run.say(run.progress())
      return run.info(true)
    case 'go-on':
      if (body.evaluations) run.evaluations = Math.max(body.evaluations, run.all.length)
      run.state = run.all.length < run.evaluations ? 'evolving' : 'done'
      run.say(run.progress())
      return run.info(true)
    case 'favourite':
      run.get(body.id).favourite = body.on
      return {}
    case 'remove':
      run.get(body.id).removed = true
      return {}
    case 'breed': {
      const [a, b] = body.parents.map((id) => run.get(id))
      return { child: run.ask(() => run.born(cross(a.genome, b.genome, run.roll), body.parents, 'crossover')) }
    }
    case 'merge': {
      const best = [...found(body.run).all].sort((a, b) => b.fitness - a.fitness).slice(0, body.most ?? 10)
      return { children: best.map((one) => run.ask(() => run.born(one.genome, [], 'immigrant'))) }
    }
    case 'inject':
      if (body.creature?.format !== 'burgess-creature') throw new Refused(400, "The creature file has no format 'burgess-creature'.")
      return { child: run.ask(() => run.born(randomGenome(run.roll), [], 'immigrant')) }
    default:
      throw new Refused(404, 'There is nothing here.')
  }
}

function answer(method, path, query, body) {
  const [, , kind, name, what, ...rest] = path.split('/')
  if (!kind) return { program: 'burgess', version: '0.1.0', folder: 'runs', page: true }
  if (kind === 'tasks')
    return ['walk', 'swim', 'climb', 'jump'].map((task) => ({ name: task, description: `To ${task} as far as possible.` }))
  if (kind === 'sessions' && method === 'POST') return { id: 's1', title: 'creature', kind: 'creature' }
  if (kind !== 'runs') return []
  if (!name && method === 'POST') {
    const run = new Run(`${body.task}-${body.seed ?? 1}`, body)
    if (runs.has(run.name)) throw new Refused(409, `There is already a run called '${run.name}'; choose another seed.`)
    return add(run).info()
  }
  if (!name) return [...runs.values()].map((run) => run.info())
  const run = found(name)
  if (method === 'POST') return change(run, what, body)
  switch (what) {
    case undefined:
      return run.info(true)
    case 'curve':
      return run.curve()
    case 'map':
      return run.map(query.get('x') ?? 'parts', query.get('y') ?? 'height')
    case 'individuals':
      return rest.length ? individual(run, rest, query) : run.list(query)
    default:
      throw new Refused(404, 'There is nothing here.')
  }
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' }

async function respond(request, response, folder) {
  const url = new URL(request.url, 'http://localhost')
  try {
    if (!url.pathname.startsWith('/api')) {
      const file = join(folder, normalize(url.pathname === '/' ? '/index.html' : url.pathname))
      const content = await readFile(file)
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content)
      return
    }
    let text = ''
    for await (const chunk of request) text += chunk
    const found = answer(request.method, url.pathname, url.searchParams, text ? JSON.parse(text) : {})
    if (found.body !== undefined) response.writeHead(200, { 'content-type': found.type }).end(found.body)
    else
      response
        .writeHead(request.method === 'POST' && /runs$|sessions$/.test(url.pathname) ? 201 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(found))
  } catch (error) {
    response
      .writeHead(error.status ?? (error.code === 'ENOENT' ? 404 : 500), { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: error.message }))
  }
}

/** Starts the server; ends with `close()`. */
export function serve(port, folder = 'dist', births = 3) {
  const server = createServer((request, response) => respond(request, response, folder))
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const [, , , name] = request.url.split('?')[0].split('/')
    const run = runs.get(name)
    if (!run) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (client) => {
      run.sockets.add(client)
      client.on('close', () => run.sockets.delete(client))
      client.send(JSON.stringify(run.progress()))
    })
  })
  const timer = setInterval(() => runs.forEach((run) => run.go(births)), 250)
  server.listen(port, '127.0.0.1')
  return {
    close: () => {
      clearInterval(timer)
      sockets.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  serve(Number(process.argv[2] ?? 7390), process.argv[3])
  console.log(`runs on http://127.0.0.1:${process.argv[2] ?? 7390}/`)
}
