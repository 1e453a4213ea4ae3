// Starts the program and a browser for tests, and stops both at the end. With PAGE=source the page comes from these
// sources instead of from the program, so that a change of the page needs no build.
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const here = dirname(fileURLToPath(import.meta.url))
const target = process.env.CARGO_TARGET_DIR ?? join(here, '../../target')
/** Path of the program. */
export const program = resolve(here, process.env.BURGESS ?? join(target, 'debug/burgess'))
const browsers = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

// Without a graphics card, WebGL needs the software renderer, which must be enabled.
const flags = ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader', '--disable-dev-shm-usage']

/** Time limit, in ms, long enough for a busy machine with two cores. */
export const TIMEOUT = 60_000

/** Starts `burgess serve` on a free port with an empty folder of runs, and further arguments. */
export async function serve(...more) {
  const runs = join(await mkdtemp(join(tmpdir(), 'burgess-page-')), 'runs')
  await mkdir(runs)
  return start(['serve', '--runs', runs, ...more], runs)
}

/** Starts `burgess watch` with a scene file. */
export async function watch(file) {
  return start(['watch', file])
}

/** Starts `burgess flow watch` with a file of vortex tubes, and further arguments. */
export async function flowWatch(file, ...more) {
  return start(['flow', 'watch', file, ...more])
}

/** Starts the program again at the address of a server that was stopped with `server.halt()`. */
export async function restart(server) {
  const { child, halt } = await start(['serve', '--runs', server.runs], server.runs, new URL(server.program).host)
  Object.assign(server, { child, halt })
}

async function start(command, runs, host = '127.0.0.1:0') {
  const child = spawn(program, [...command, '--listen', host, '--no-browser'])
  const ended = new Promise((done) => child.once('exit', done))
  const address = await new Promise((found, failed) => {
    let output = ''
    const read = (bytes) => {
      output += bytes
      const match = output.match(/https?:\/\/127\.0\.0\.1:\d+/)
      if (match) found(match[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', failed)
    ended.then((code) => failed(new Error(`${program} exited with ${code}: ${output}`)))
  })
  const halt = async () => {
    child.kill('SIGINT')
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(late)
  }
  const page = process.env.PAGE === 'source' && host.endsWith(':0') ? await servePage(address) : null
  const server = { address: page?.address ?? address, program: address, runs, child, halt }
  server.stop = async () => {
    await page?.close()
    await server.halt()
    if (runs) await rm(dirname(runs), { recursive: true, force: true })
  }
  return server
}

/** Starts the development server of the page in front of a program. */
async function servePage(target) {
  const { createServer } = await import('vite')
  const proxy = { '/api': { target, ws: true, changeOrigin: true, rewriteWsOrigin: true, headers: { origin: target } } }
  const server = await createServer({
    root: join(here, '..'),
    logLevel: 'error',
    server: { port: 0, proxy, hmr: false, watch: null },
  })
  await server.listen()
  const address = `http://127.0.0.1:${server.httpServer.address().port}`
  return { address, close: () => server.close() }
}

/** Starts a browser. */
export async function browse() {
  const executablePath = browsers.find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('Chromium was not found. Install it, or set CHROMIUM to its path.')
  return chromium.launch({ executablePath, args: flags })
}

/** Opens a page. Errors in the page and requests to other machines are collected in `faults`. */
export async function visit(browser, server, path = '', options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // Software rendering takes most of the time of tests; a quarter of the pixels is enough for them.
    deviceScaleFactor: process.env.NODE_TEST_CONTEXT ? 0.5 : 1,
    acceptDownloads: true,
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT)
  const faults = []
  page.on('pageerror', (error) => faults.push(`error in the page: ${error.stack ?? error}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    const inside = ['blob:', 'data:'].includes(url.protocol) || url.origin === server.address
    if (!inside) faults.push(`request to another machine: ${request.url()}`)
  })
  await page.goto(`${server.address}/${path}`)
  return { page, faults, close: () => context.close() }
}

/** Requests a route of the server and returns the JSON. */
export async function ask(server, path, body) {
  const options = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const answer = await fetch(`${server.address}/api/${path}`, options)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text ? JSON.parse(text) : undefined
}

/** Calls `get` until its result satisfies `accept`, and returns it. */
export async function until(get, accept, timeout = TIMEOUT) {
  const end = Date.now() + timeout
  for (;;) {
    const found = await get()
    if (accept(found)) return found
    if (Date.now() > end)
      throw new Error(`condition not met in time; last value: ${JSON.stringify(found)?.slice(0, 500)}`)
    await new Promise((done) => setTimeout(done, 40))
  }
}
