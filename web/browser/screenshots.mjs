// Pictures of the main views for docs/pictures, of the program as it is: `npm --prefix web run screenshots`.
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, browse, serve, until, visit } from './harness.mjs'

const pictures = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures')
const [given] = process.argv.slice(2)
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }

const server = await serve()
const browser = await browse()
try {
  await mkdir(pictures, { recursive: true })
  // A run that was made before is shown if one is named; a short one is made otherwise.
  const run = given ? 'walk-1' : (await ask(server, 'runs', { task: 'walk', seed: 1, evaluations: 600 })).name
  if (given) await copyFile(given, join(server.runs, `${run}.burgess`))
  await until(() => ask(server, `runs/${run}`), (now) => now.state === 'done', 1_800_000)
  const { champion } = await ask(server, `runs/${run}`)

  const creature = await ask(server, 'sessions', { source: { type: 'individual', run } })
  const scene = await ask(server, 'sessions', { source: { type: 'scene', name: 'bowling' } })
  const bounce = await ask(server, 'sessions', { source: { type: 'bounce', objects: 60 } })
  const views = [
    ['overview', '#/', {}],
    ['stage', `#/stage/${creature.id}`, { seconds: 3, keys: ['2', 'c'] }],
    ['stage-dark', `#/stage/${creature.id}`, { seconds: 3, keys: ['5'], colorScheme: 'dark' }],
    ['stage-phone', `#/stage/${creature.id}`, { seconds: 3, ...phone }],
    ['scene', `#/stage/${scene.id}`, { seconds: 2, keys: ['c'] }],
    ['bounce', `#/stage/${bounce.id}`, { seconds: 1, keys: ['b', 'h'] }],
    ['run', `#/run/${run}`, {}],
    ['gallery', `#/run/${run}/gallery`, { wait: 8 }],
    ['gallery-phone', `#/run/${run}/gallery`, { wait: 8, ...phone }],
    ['map', `#/run/${run}/map`, { wait: 2 }],
    ['family', `#/run/${run}/family/${champion}`, { wait: 2 }],
    ['creature', `#/run/${run}/creature/${champion}`, { wait: 5, colorScheme: 'dark' }],
  ]
  for (const [name, path, { seconds, keys = [], wait = 0, ...options }] of views) {
    const { page, close } = await visit(browser, server, path, options)
    if (seconds) {
      // Played until then, and stopped there.
      await until(() => page.evaluate(() => window.burgess?.viewer.shown?.time ?? 0), (time) => time >= seconds)
      await page.keyboard.press('Space')
      for (const key of keys) await page.keyboard.press(key)
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
