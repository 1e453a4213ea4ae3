// The cameras of all built-in scenes and creatures in a real browser: what moves is in the picture for the whole duration.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'

/** Number of times at which a picture is checked, evenly spaced over the duration. */
const TIMES = 2
/** Longest duration that is checked, in s, so that large worlds do not take minutes. */
const LONGEST = 4

let server, browser, seen
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
  seen = await visit(browser, server, '', { viewport: { width: 640, height: 480 } })
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Returns how far the subject reaches in the picture, where 1 is the edge, and its share of the picture. */
const look = (page) =>
  page.evaluate(() => {
    const { view } = window.burgess
    view.drawFull()
    const { camera, instances } = view
    const { min, max } = view.autoCamera.framing.current(instances.pieces, instances.worlds)
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
      const corner = min.clone().set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z)
      return corner.project(camera).toArray()
    })
    const [across, up] = [0, 1].map((axis) => corners.map((corner) => corner[axis]))
    const size = (values) => 0.5 * (Math.max(...values) - Math.min(...values))
    return {
      edge: Math.max(...across.map(Math.abs), ...up.map(Math.abs)),
      size: Math.max(size(across), size(up)),
      step: view.frame.step,
    }
  })

async function check(source, duration) {
  const session = await ask(server, 'sessions', { source, paused: true })
  const { page } = seen
  const faults = []
  // The same page goes from world to world, which takes half the time of opening it for each.
  await page.goto(`${server.address}/#/stage/${session.id}`)
  await until(
    () => page.evaluate((id) => window.burgess?.viewer.id === id && Boolean(window.burgess.viewer.frame), session.id),
    Boolean,
  )
  for (let k = 0; k <= TIMES; k++) {
    const step = Math.round((k * Math.min(duration ?? session.duration ?? LONGEST, LONGEST)) / TIMES / session.step)
    await page.evaluate((step) => window.burgess.viewer.stepBy(step - window.burgess.viewer.step), step)
    await until(
      () => page.evaluate(() => window.burgess.viewer.step),
      (now) => now >= step,
    )
    const { edge, size } = await look(page)
    if (!(edge < 1)) faults.push(`step ${step}: the subject reaches ${edge.toFixed(2)} of the picture`)
    if (k === 0 && !(size > 0.05)) faults.push(`the subject takes only ${size.toFixed(3)} of the picture`)
  }
  await fetch(`${server.address}/api/sessions/${session.id}`, { method: 'DELETE' })
  return [...faults, ...seen.faults.splice(0)].map((fault) => `${source.name}: ${fault}`)
}

test('the subject of every scene is in the picture for its whole duration', async () => {
  const faults = []
  for (const { name, duration } of await ask(server, 'scenes'))
    faults.push(...(await check({ type: 'scene', name }, duration)))
  assert.deepEqual(faults, [])
})

test('every creature is in the picture for its whole duration', async () => {
  const faults = []
  for (const { name } of await ask(server, 'creatures')) faults.push(...(await check({ type: 'creature', name })))
  assert.deepEqual(faults, [])
})
