// Starts the program with its page, and a browser that looks at it. Everything that is started is ended.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const here = dirname(fileURLToPath(import.meta.url))
const target = process.env.CARGO_TARGET_DIR ?? join(here, '../../target')
const program = resolve(here, process.env.BURGESS ?? join(target, 'debug/burgess'))
const browsers = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

// Without a graphics card WebGL is drawn by the processor, which must be allowed by name.
const flags = ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader', '--disable-dev-shm-usage']

/** Long enough for a busy machine with two cores; nothing waits that long unless it fails. */
export const PATIENCE = 60_000

/** The program on a free port of this machine, with a folder of runs of its own. */
export async function serve() {
  const runs = await mkdtemp(join(tmpdir(), 'burgess-page-'))
  return start(['serve', '--runs', runs], runs)
}

/** A scene file on stage. */
export async function watch(file) {
  return start(['watch', file])
}

async function start(order, runs) {
  const child = spawn(program, [...order, '--listen', '127.0.0.1:0', '--no-browser'])
  const ended = new Promise((done) => child.once('exit', done))
  const address = await new Promise((found, failed) => {
    let said = ''
    const hear = (bytes) => {
      said += bytes
      const match = said.match(/https?:\/\/127\.0\.0\.1:\d+/)
      if (match) found(match[0])
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', failed)
    ended.then((code) => failed(new Error(`${program} ended with ${code}: ${said}`)))
  })
  const stop = async () => {
    child.kill('SIGINT')
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(late)
    if (runs) await rm(runs, { recursive: true, force: true })
  }
  return { address, runs, child, stop }
}

/** A browser; tests open contexts of it. */
export async function browse() {
  const executablePath = browsers.find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('there is no chromium; install it, or say where it is with CHROMIUM=...')
  return chromium.launch({ executablePath, args: flags })
}

/** A page of it that fails its test on errors in the page and on requests that leave the machine. */
export async function visit(browser, server, path = '', options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE)
  const faults = []
  page.on('pageerror', (error) => faults.push(`error in the page: ${error.stack ?? error}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    const inside = ['blob:', 'data:'].includes(url.protocol) || url.origin === server.address
    if (!inside) faults.push(`a request leaves the machine: ${request.url()}`)
  })
  await page.goto(`${server.address}/${path}`)
  return { page, faults, close: () => context.close() }
}

/** An answer of the server, as JSON. */
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

/** Asks again until it is as wanted. */
export async function until(what, is, patience = PATIENCE) {
  const end = Date.now() + patience
  for (;;) {
    const found = await what()
    if (is(found)) return found
    if (Date.now() > end) throw new Error(`it never came about; last: ${JSON.stringify(found)?.slice(0, 500)}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}
