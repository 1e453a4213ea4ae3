// Takes the pictures of the gallery, docs/pictures/gallery: `npm --prefix web run gallery [NAME...]`.
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browse, serve, until } from './harness.mjs'
import { goTo, openStage } from './stage.mjs'

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures/gallery')
const asked = process.argv.slice(2)
const SIZE = { width: 900, height: 520 }

const scene = (name) => ({ type: 'scene', name })
const creature = (name) => ({ type: 'creature', name })
/** Name of the picture, what it shows, the time in s, and how: factor of the distance, keys, another paradigm. */
const PICTURES = [
  ['walker', creature('walker'), 3],
  ['hexapod', creature('hexapod'), 3],
  ['centipede', creature('centipede'), 3],
  ['swimmer', creature('swimmer'), 4],
  ['tree', creature('tree'), 2],
  ['marble-machine', scene('marble-machine'), 6],
  ['demolition', scene('demolition-chain'), 1.4, { distance: 0.7 }],
  ['dominoes', scene('dominoes'), 5, { distance: 0.6 }],
  ['car-track', scene('car-track'), 3.7, { distance: 3 }],
  ...['time-stepping', 'impulse', 'analytical', 'penalty', 'hybrid'].map((paradigm) => [
    paradigm,
    scene('stack'),
    1,
    { distance: 0.8, keys: ['c'], paradigm },
  ]),
  ['flock', scene('flock'), 12, { distance: 0.5 }],
  ['crossing', scene('crossing'), 25, { distance: 0.4 }],
  ['evacuation', scene('evacuation'), 12, { distance: 0.5 }],
  ['park', scene('park'), 8, { distance: 0.5 }],
]

const wanted = PICTURES.filter(([name]) => asked.length === 0 || asked.includes(name))
const server = await serve()
const browser = await browse()
try {
  await mkdir(folder, { recursive: true })
  for (const [name, source, seconds, { distance = 1, keys = [], paradigm } = {}] of wanted) {
    const options = { viewport: SIZE, colorScheme: 'light' }
    const { page, close, session } = await openStage(browser, server, { source, paused: true }, options)
    const step = await page.evaluate(() => window.burgess.viewer.stepLength)
    if (paradigm) {
      await page.evaluate((paradigm) => window.burgess.viewer.send({ do: 'simulate', paradigm }), paradigm)
      await until(
        () => page.evaluate(() => window.burgess.viewer.status.paradigm),
        (now) => now === paradigm,
      )
    }
    for (const key of keys) await page.keyboard.press(key)
    await goTo(page, Math.round(seconds / step / session.steps_per_frame) * session.steps_per_frame)
    // Only the world: no title, buttons or panels.
    await page.addStyleTag({ content: 'body * { visibility: hidden } [data-testid=view] { visibility: visible }' })
    await page.evaluate((distance) => {
      const { view } = window.burgess
      view.cameras.zoom(distance)
      view.requestDraw()
    }, distance)
    await page.waitForTimeout(1000)
    await until(() => page.evaluate(() => window.burgess.stats.settled), Boolean)
    await page.getByTestId('view').screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 82 })
    console.log(`docs/pictures/gallery/${name}.jpg`)
    await close()
  }
} finally {
  await browser.close()
  await server.stop()
}
