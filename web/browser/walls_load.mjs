// Measures four browser walls on a cube, and prints one JSON object: node walls_load.mjs [SECONDS [PERIOD]]. At the end the
// world is stopped, and all walls must show the same frame number.
import { browse, until } from './harness.mjs'
import { compareLogs, cube, logOf, openWall, serveCave, shows } from './walls.mjs'

const [seconds, period] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 0.25)]
const browser = await browse()
const server = await serveCave(cube(period))
const size = { width: 160, height: 160 }
const walls = await Promise.all(
  ['left', 'front', 'right', 'floor'].map((name) => openWall(browser, server, name, size)),
)
const pages = walls.map(({ page }) => page)
await new Promise((done) => setTimeout(done, 1000 * seconds))
const logs = await Promise.all(pages.map(logOf))
await pages[0].evaluate(() => window.burgessWall.client.send({ do: 'pause' }))
for (const page of pages) await shows(page, 3)
const step = (page) => page.evaluate(() => window.burgessWall.view.world.frame.step)
const steps = await until(
  () => Promise.all(pages.map(step)),
  (steps) => new Set(steps).size === 1,
)
// One window is closed and opened again: times from the start of loading until it shows a frame and until it is locked.
await pages[0].reload()
const log = await until(
  () => pages[0].evaluate(() => window.burgessWall?.client.log ?? []),
  (log) => log.some(({ locked }) => locked),
)
const start = await pages[0].evaluate(() => performance.timeOrigin)
const reopened = [log[0], log.find(({ locked }) => locked)].map(({ time }) => Math.round(time - start))
if (process.env.PICTURES)
  for (const [index, page] of pages.entries())
    await page.screenshot({ path: `${process.env.PICTURES}/wall-${index}.png` })
const late = logs.map((log) => log.filter(({ locked }) => !locked).length)
const { largest, share, seconds: together, frames } = compareLogs(logs)
const result = {
  bench: 'browser walls',
  walls: 4,
  seconds,
  period_ms: 1000 * period,
  frames,
  largest_difference: largest,
}
console.log(
  JSON.stringify({
    ...result,
    share_differing: share,
    seconds_all_locked: together,
    late_frames: late,
    stopped_at: steps,
    reopened_to_frame_ms: reopened[0],
    reopened_to_lock_ms: reopened[1],
  }),
)
await browser.close()
await server.stop()
