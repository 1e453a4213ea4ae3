// Crowds in a real browser: figures are drawn, a person is sent somewhere, ways are blocked, gates are closed, people
// join and hurry, and all of it replays to the same hash. Networks and nets are shown with their present values.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until } from './harness.mjs'
import { goTo, openStage, placeOf } from './stage.mjs'

let server, browser
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Number of a section of frames. */
const FIGURES = 11
const CROWD = 12

/** Waits until the page knows about a number of edits. */
const edited = (page, count) =>
  until(
    () => page.evaluate(() => window.burgess.viewer.edits.length),
    (now) => now >= count,
  )

/** Looks straight down at a point of the floor, and returns its place on the screen, in pixels. */
async function floorPlace(page, point) {
  const place = () =>
    page.evaluate(([x, y]) => {
      const { view } = window.burgess
      const at = view.camera.position.clone().set(x, y, 0).project(view.camera)
      const box = document.querySelector('[data-testid=view]').getBoundingClientRect()
      return { x: box.left + ((1 + at.x) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height }
    }, point)
  return place()
}

async function lookDown(page) {
  await page.evaluate(() => {
    const { viewer } = window.burgess
    viewer.useCamera(viewer.contents.cameras.find(({ name }) => name === 'from above'))
  })
  // The camera of the scene is used in the next picture.
  const drawn = await page.evaluate(() => window.burgess.view.stats.frames)
  await until(
    () => page.evaluate(() => window.burgess.view.stats.frames),
    (now) => now > drawn,
  )
}

test('people have legs, are sent by clicks, and the take replays to the same hash', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'scene', name: 'crossing' },
    paused: true,
  })
  await goTo(page, 30)
  const figures = await until(
    () => page.evaluate((id) => window.burgess.viewer.frame.sections.get(id)?.length ?? 0, FIGURES),
    (floats) => floats > 0,
  )
  assert.equal(figures, 60 * 9)
  // Each of sixty people is drawn with at least two legs, as instances of one mesh.
  const limbs = () =>
    page.evaluate(() => Math.max(0, ...window.burgess.view.overlays.group.children.map((mark) => mark.count ?? 0)))
  await until(limbs, (count) => count >= 120)

  await page.getByTestId('tab-crowd').click()
  await lookDown(page)
  const person = await page.evaluate(() => window.burgess.viewer.bodies.findIndex(({ name }) => name === 'person 20'))
  await page.getByTestId('floor-send').check()
  const start = await placeOf(page, person)
  await page.mouse.click(start.x, start.y)
  await until(
    () => page.evaluate(() => window.burgess.viewer.pinned),
    (pinned) => pinned === person,
  )
  const goal = await floorPlace(page, [-12.5, 5.5])
  await page.mouse.click(goal.x, goal.y)
  await edited(page, 1)
  await page.getByTestId('floor-block').check()
  const block = await floorPlace(page, [-6, 5])
  await page.mouse.click(block.x, block.y)
  await edited(page, 2)
  await page.getByTestId('floor-add').check()
  const free = await floorPlace(page, [13, 5.5])
  await page.mouse.click(free.x, free.y)
  await edited(page, 3)
  await page.getByTestId('hurry').click()
  await edited(page, 4)
  const { events } = await ask(server, `sessions/${session.id}/take`)
  assert.deepEqual(
    events.map(({ step, deed }) => [step, deed.do]),
    ['guide', 'block', 'join', 'hurry'].map((name) => [30, name]),
  )
  assert.ok(Math.hypot(events[0].deed.to[0] + 12.5, events[0].deed.to[1] - 5.5) < 0.2, JSON.stringify(events[0]))

  await goTo(page, 500)
  const hash = await page.evaluate(() => window.burgess.viewer.frame.hash)
  const places = await page.evaluate(() => {
    const { frame, bodies } = window.burgess.viewer
    const place = (body) => [...frame.poses.slice(7 * body, 7 * body + 2)]
    return { sent: place(bodies.findIndex(({ name }) => name === 'person 20')), count: bodies.length }
  })
  assert.ok(Math.hypot(places.sent[0] + 12.5, places.sent[1] - 5.5) < 2.5, JSON.stringify(places))
  await goTo(page, 0)
  await goTo(page, 500)
  assert.equal(await page.evaluate(() => window.burgess.viewer.frame.hash), hash)
  assert.equal(await page.evaluate(() => window.burgess.viewer.status.exact.differing), 0)

  // The lights are one network, and every person has another one and a net.
  const state = page.getByTestId('network-lights').locator('.state.now')
  await until(
    () => state.count(),
    (count) => count === 1,
  )
  assert.equal(await page.getByTestId('network-strollers').locator('.state.now').count(), 1)
  await until(
    () => page.getByTestId('node-puddle').textContent(),
    (text) => /^[\d.]+ m, -?\d+°$/.test(text),
  )
  assert.deepEqual(faults, [])
  await close()
})

test('doors are closed and opened by switches', async () => {
  const { page, faults, close } = await openStage(browser, server, {
    source: { type: 'scene', name: 'evacuation' },
    paused: true,
  })
  await page.getByTestId('tab-crowd').click()
  const gates = () =>
    page.evaluate((id) => [...(window.burgess.viewer.frame.sections.get(id) ?? [])].slice(0, 4), CROWD)
  await until(gates, (open) => open.join() === '0,1,0,1')
  const door = page.getByTestId('gate-south east door')
  await door.uncheck({ force: true })
  await until(gates, (open) => open.join() === '0,0,0,1')
  await until(
    () => door.isChecked(),
    (checked) => !checked,
  )
  await door.check({ force: true })
  await until(gates, (open) => open.join() === '0,1,0,1')
  assert.deepEqual(faults, [])
  await close()
})

test('the park is among the scenes, and its dogs trot', async () => {
  const scenes = await ask(server, 'scenes')
  assert.ok(scenes.some(({ name }) => name === 'park'))
  const { page, faults, close } = await openStage(browser, server, {
    source: { type: 'scene', name: 'park' },
    paused: true,
  })
  const dogs = () =>
    page.evaluate(() => {
      const { contents, frame } = window.burgess.viewer
      return contents.creatures.map((body) => [...frame.poses.slice(7 * body, 7 * body + 2)])
    })
  const start = await dogs()
  assert.equal(start.length, 3)
  await goTo(page, 600)
  const end = await dogs()
  start.forEach(([x, y], index) => assert.ok(Math.hypot(end[index][0] - x, end[index][1] - y) > 0.1))
  assert.equal(await page.getByTestId('edit-text').count(), 0)
  assert.deepEqual(faults, [])
  await close()
})
