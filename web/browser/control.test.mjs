// Controls of a world in a real browser: actuators, keyframes, twists and pushes, the profile, slow worlds, named cameras.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit, watch } from './harness.mjs'
import { goTo, openStage, placeOf, ready } from './stage.mjs'

let server, browser, folder
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burgess-control-'))
  ;[server, browser] = await Promise.all([serve(), browse()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const value = (page, get) => page.evaluate(get)

test('a slider overrides the brain, is recorded, and replays to the same hash', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'creature', name: 'quadruped' },
    paused: true,
  })
  await goTo(page, 60 * session.steps_per_frame)
  await page.getByTestId('tab-world').click()
  await page.getByTestId('actuators-section').locator('summary').click()
  const slider = page.getByTestId('actuator-0')
  await slider.focus()
  await page.keyboard.press('Home')
  const low = await value(page, () => window.burgess.viewer.contents.actuators[0].range?.[0] ?? -1)
  const controls = () => value(page, () => [...(window.burgess.viewer.frame.sections.get(10) ?? [])].slice(0, 3))
  await until(controls, ([control, , held]) => Math.abs(control - low) < 1e-6 && held === 1)
  await goTo(page, 120 * session.steps_per_frame)
  const [control, , held] = await controls()
  assert.ok(Math.abs(control - low) < 1e-6 && held === 1, 'the brain changed the control')
  const hash = await value(page, () => window.burgess.viewer.frame.hash)
  await goTo(page, 0)
  await goTo(page, 120 * session.steps_per_frame)
  assert.equal(await value(page, () => window.burgess.viewer.frame.hash), hash)
  assert.equal(await value(page, () => window.burgess.viewer.status.exact.differing), 0)
  const { events } = await ask(server, `sessions/${session.id}/take`)
  assert.deepEqual([...new Set(events.map(({ deed }) => deed.do))], ['control'])
  await page.getByTestId('release-all').click()
  await until(controls, ([, , held]) => held === 0)
  assert.deepEqual(faults, [])
  await close()
})

test('a body is twisted with Ctrl, and pushed with a key', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'scene', name: 'spinning-cube' },
  })
  const { x, y } = await placeOf(page, 0)
  await page.keyboard.down('Control')
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 80, y, { steps: 6 })
  const take = () => ask(server, `sessions/${session.id}/take`)
  const kinds = async () => (await take()).events.map(({ deed }) => deed.do)
  await until(kinds, (all) => all.includes('twist'))
  await page.mouse.up()
  await page.keyboard.up('Control')
  await until(kinds, (all) => all.at(-1) === 'release')
  await page.keyboard.press('p')
  const { events } = await until(take, ({ events }) => events.at(-1)?.deed.do === 'push')
  const mass = await value(page, () => window.burgess.viewer.bodies[0].mass)
  assert.ok(Math.abs(Math.hypot(...events.at(-1).deed.impulse) - mass) < 1e-6 * mass)
  assert.deepEqual(faults, [])
  await close()
})

test('the profile shows the modules of a step while its section is open', async () => {
  const { page, faults, close } = await openStage(browser, server, { source: { type: 'scene', name: 'stack' } })
  await page.getByTestId('tab-world').click()
  await page.getByTestId('profile-section').locator('summary').click()
  const text = await until(
    () => page.getByTestId('profile').textContent(),
    (text) => /collision detection.*µs/.test(text),
  )
  assert.match(text, /contact forces/)
  await page.getByTestId('profile-section').locator('summary').click()
  await until(
    () => value(page, () => window.burgess.viewer.pace.profile),
    (profile) => profile === null,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('a slow world says why and offers what helps', async () => {
  const { page, faults, close } = await openStage(browser, server, {
    source: { type: 'scene', name: 'stack' },
    step: 0.00001,
  })
  await page.getByTestId('slow').waitFor()
  const badge = page.getByTestId('slow').getByRole('button').first()
  await badge.click()
  await until(
    () => page.getByTestId('slow-reason').textContent(),
    (text) => /A step of 0\.010 ms takes .* ms, \d+ % of it for .* \(\d+ contacts\)\./.test(text),
  )
  await until(
    async () => {
      const text = await page.getByTestId('slow-reason').textContent()
      // Other work on the machine can hide what helps; opened again, the badge measures again.
      const isMeasured = text.includes('No other step') || (await page.getByTestId('slow-offer').count()) > 0
      if (isMeasured && !text.includes('Steps of')) {
        await badge.click()
        await badge.click()
      }
      return text
    },
    (text) => text.includes('Steps of'),
  )
  const before = await value(page, () => window.burgess.viewer.stepLength)
  await page.locator('li', { hasText: 'Steps of' }).getByTestId('slow-offer').click()
  await until(
    () => value(page, () => window.burgess.viewer.stepLength),
    (step) => Math.abs(step - 2 * before) < 1e-9,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('a paradigm that would crawl is confirmed, and another is used at once', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'scene', name: 'stack' },
    step: 0.00001,
    paused: true,
  })
  await page.getByTestId('tab-world').click()
  await page.getByTestId('paradigm').selectOption('analytical')
  await page.getByTestId('crawl').waitFor()
  assert.match(
    await page.getByTestId('crawl').textContent(),
    /real time,\s+measured\s+on a copy|failed with analytical/,
  )
  assert.deepEqual((await ask(server, `sessions/${session.id}/take`)).events, [])
  await page.getByTestId('crawl-keep').click()
  assert.equal(await page.getByTestId('paradigm').inputValue(), 'time-stepping')
  await close()
  const fast = await openStage(browser, server, { source: { type: 'scene', name: 'pendulum' }, paused: true })
  await fast.page.getByTestId('tab-world').click()
  await fast.page.getByTestId('paradigm').selectOption('impulse')
  await until(
    () => value(fast.page, () => window.burgess.viewer.status.paradigm),
    (paradigm) => paradigm === 'impulse',
  )
  assert.equal(await fast.page.getByTestId('crawl').count(), 0)
  assert.deepEqual([...faults, ...fast.faults], [])
  await fast.close()
})

const SCENE = `
name = "keys"

[[bodies]]
name = "ground"
fixed = true
shapes = [{ type = "half_space" }]

[[bodies]]
name = "ball"
position = [0, 0, 1]
shapes = [{ type = "sphere", radius = 0.2 }]

[[keyframes]]
name = "high"
bodies.ball = { position = [0, 0, 5] }

[[display.cameras]]
name = "side"
position = [0, -6, 2]
target = [0, 0, 2]
field_of_view_degrees = 60

[[display.cameras]]
name = "with the ball"
position = [3, 0, 1]
target = [0, 0, 1]
follow = "ball"
`

test('a scene file opens with its first camera, and has a menu of keyframes', async () => {
  const file = join(folder, 'keys.toml')
  await writeFile(file, SCENE)
  const own = await watch(file)
  try {
    const [session] = await ask(own, 'sessions')
    const { page, faults, close } = await visit(browser, own, `#/stage/${session.id}`)
    await ready(page)
    const camera = () =>
      value(page, () => {
        const { camera } = window.burgess.view
        return { at: camera.position.toArray(), fov: camera.fov }
      })
    const near = (found, expected) => found.every((number, axis) => Math.abs(number - expected[axis]) < 1e-3)
    await until(camera, ({ at, fov }) => near(at, [0, -6, 2]) && fov === 60)
    await page.getByTestId('named-camera').filter({ hasText: 'with the ball' }).click()
    // The camera keeps its distance from the ball, which falls.
    const height = () => value(page, () => window.burgess.viewer.frame.poses[2])
    await until(
      async () => [(await camera()).at, await height()],
      ([at, z]) => near(at, [3, 0, z]) || z > 0.9,
    )
    await page.getByTestId('play').click()
    await page.getByTestId('tab-world').click()
    await page.getByTestId('keyframe').selectOption('high')
    await until(height, (z) => Math.abs(z - 5) < 1e-6)
    await until(camera, ({ at }) => near(at, [3, 0, 5]))
    assert.deepEqual(faults, [])
    await close()
  } finally {
    await own.stop()
  }
})
