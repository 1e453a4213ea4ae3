// Measures the overview with many runs and open worlds: 1,000 copies of a run and 50 sessions. Prints one JSON object per
// line: the time and the size of the answers, then the requests, bytes and script time of a visit. `bench/viewer` runs it.
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask, browse, restart, serve, until, visit } from './harness.mjs'

const RUNS = 1000
const WORLDS = 50
const REPEATS = 30

const server = await serve()
const browser = await browse()
try {
  const { name } = await ask(server, 'runs', { task: 'walk', seed: 1, evaluations: 100, algorithm: 'genetic' })
  await until(
    () => ask(server, `runs/${name}`),
    ({ state }) => state === 'done',
    600_000,
  )
  const file = (run) => join(server.runs, `${run}.burgess`)
  for (let index = 1; index < RUNS; index++) await copyFile(file(name), file(`copy-${index}`))
  // A server that has read none of the files.
  await server.halt()
  await restart(server)
  const started = performance.now()
  const first = await timed('run-page')
  const partial = JSON.parse(first.text)
  await until(
    () => ask(server, 'run-page'),
    ({ unread, total }) => unread === 0 && total === RUNS,
    600_000,
  )
  const reading = performance.now() - started
  const scenes = await ask(server, 'scenes')
  for (let index = 0; index < WORLDS; index++) {
    const source = { type: 'scene', name: scenes[index % scenes.length].name }
    await ask(server, 'sessions', { source, paused: true })
  }
  report({
    what: 'first answer after a start',
    ms: first.ms,
    bytes: first.bytes,
    unread: partial.unread,
    all_read_ms: round(reading),
  })
  for (const path of ['versions', 'run-page', 'run-page?search=copy-7&sort=fitness', 'runs', 'sessions']) {
    const all = []
    for (let index = 0; index < REPEATS; index++) all.push(await timed(path))
    const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
    report({ what: path, median_ms: times[REPEATS / 2], max_ms: times.at(-1), bytes: all[0].bytes })
  }
  await measureVisits()
} finally {
  await browser.close()
  await server.stop()
}

function report(line) {
  console.log(JSON.stringify(line))
}

function round(ms) {
  return Math.round(10 * ms) / 10
}

async function timed(path) {
  const start = performance.now()
  const answer = await fetch(`${server.program}/api/${path}`)
  const text = await answer.text()
  return { ms: round(performance.now() - start), bytes: text.length, text }
}

/** Measures a first visit, ten seconds without a change, and coming back from another page. */
async function measureVisits() {
  const { page, close } = await visit(browser, server, '#/nonsense')
  await page.getByTestId('unknown-page').waitFor()
  const metrics = await page.context().newCDPSession(page)
  await metrics.send('Performance.enable')
  await metrics.send('Network.enable')
  let [requests, bytes] = [0, 0]
  metrics.on('Network.requestWillBeSent', () => requests++)
  metrics.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  const script = async () => {
    const { metrics: all } = await metrics.send('Performance.getMetrics')
    return 1000 * all.find(({ name }) => name === 'ScriptDuration').value
  }
  const measure = async (what, act) => {
    ;[requests, bytes] = [0, 0]
    const before = await script()
    await act()
    report({ visit: what, requests, bytes, script_ms: round((await script()) - before) })
  }
  const shown = async () => {
    await page.getByTestId('run-range').waitFor()
    await page.getByTestId('scene-stack').waitFor()
    const loaded = () =>
      page.evaluate(() =>
        [...document.images].every((image) => {
          const { top, left } = image.getBoundingClientRect()
          return image.complete || top > innerHeight || left > innerWidth
        }),
      )
    await until(loaded, Boolean)
    await page.waitForTimeout(500)
  }
  await measure('first', async () => {
    await page.evaluate(() => (location.hash = '#/'))
    await shown()
  })
  await measure('10 s without a change', () => page.waitForTimeout(10_000))
  await page.evaluate(() => (location.hash = '#/nonsense'))
  await page.getByTestId('unknown-page').waitFor()
  await measure('again', async () => {
    await page.evaluate(() => (location.hash = '#/'))
    await shown()
  })
  await close()
}
