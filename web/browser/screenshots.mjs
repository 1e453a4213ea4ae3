// Takes the pictures of the main views in docs/pictures: `npm --prefix web run screenshots [RUN FILE]`.
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, browse, serve, until, visit } from './harness.mjs'

const pictures = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures')
const [given] = process.argv.slice(2)

const server = await serve()
const browser = await browse()
try {
  await mkdir(pictures, { recursive: true })
  // Shows the given run file, or a short run evolved now.
  const run = given ? 'walk-1' : (await ask(server, 'runs', { task: 'walk', seed: 1, evaluations: 600 })).name
  if (given) await copyFile(given, join(server.runs, `${run}.burgess`))
  await until(
    () => ask(server, `runs/${run}`),
    (now) => now.state === 'done',
    1_800_000,
  )
  const { champion } = await ask(server, `runs/${run}`)

  const openSession = async (source) => `#/stage/${(await ask(server, 'sessions', { source, paused: true })).id}`
  const creature = { type: 'individual', run }
  const farther = Array(5).fill('e')
  const views = [
    ['overview', '#/', {}],
    ['stage', await openSession(creature), { seconds: 3, keys: ['2', 'c', ...farther] }],
    ['bounce', await openSession({ type: 'bounce', objects: 60 }), { seconds: 1, keys: ['b', 'h'] }],
    ['run', `#/run/${run}`, { wait: 4 }],
    ['gallery', `#/run/${run}/gallery`, { wait: 12 }],
    ['map', `#/run/${run}/map`, { wait: 4 }],
    ['family', `#/run/${run}/family/${champion}`, { wait: 2 }],
  ]
  for (const [name, path, { seconds, keys = [], wait = 0, ...options }] of views) {
    const { page, close } = await visit(browser, server, path, options)
    if (seconds) {
      // Play up to that time, then pause.
      await until(
        () => page.evaluate(() => Boolean(window.burgess?.viewer.frame && window.burgess.viewer.status)),
        Boolean,
      )
      for (const key of [...keys, 'Space']) await page.keyboard.press(key)
      await until(
        () => page.evaluate(() => window.burgess.viewer.frame.time),
        (time) => time >= seconds,
      )
      await page.keyboard.press('Space')
      await until(() => page.evaluate(() => window.burgess.stats.settled), Boolean)
    }
    await page.waitForTimeout(1000 * (1 + wait))
    await page.screenshot({ path: join(pictures, `${name}.png`) })
    console.log(`docs/pictures/${name}.png`)
    await close()
  }
} finally {
  await browser.close()
  await server.stop()
}
