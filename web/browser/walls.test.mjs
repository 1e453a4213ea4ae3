// Walls in a real browser: one frame on all walls, pictures that fit together, hands, menus, stereo, and refusals.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, test } from 'node:test'
import { ask, browse, until, visit } from './harness.mjs'
import { compareLogs, logOf, openWall, SEAM, send, serveCave, shows, worldOf } from './walls.mjs'

let browser, server
before(async () => {
  ;[server, browser] = await Promise.all([serveCave(SEAM), browse()])
})
// A wall that a failed test left open would refuse the window of the next test.
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Returns the pixels of a wall, as the browser decodes its screenshot, without the marks over it. */
async function pixels(page) {
  await page.addStyleTag({ content: 'main p { display: none !important }' })
  const picture = (await page.screenshot()).toString('base64')
  const { width, height, text } = await page.evaluate(async (picture) => {
    const image = new Image()
    image.src = `data:image/png;base64,${picture}`
    await image.decode()
    const { width, height } = image
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    let text = ''
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192))
    return { width, height, text }
  }, picture)
  return { width, height, data: Buffer.from(text, 'latin1') }
}

const at = ({ width, data }, x, y) => data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)
/** Differences up to this many of 256 levels are noise that hides bands in the sky. */
const NOISE = 6
const differs = (a, b) => a.some((level, channel) => Math.abs(level - b[channel]) > NOISE)

/** Returns the share of pixels of two pictures that differ. */
function difference(a, b) {
  let count = 0
  for (let y = 0; y < a.height; y++) for (let x = 0; x < a.width; x++) if (differs(at(a, x, y), at(b, x, y))) count++
  return count / (a.width * a.height)
}

/** Returns the place in a window, in pixels, where the ray from the eye meets a ball that no menu hides, and its name. */
const findBall = (page) =>
  until(
    () =>
      page.evaluate(() => {
        const { view } = window.burgessWall
        for (let y = 0; y < 1; y += 0.02)
          for (let x = 0; x < 1; x += 0.01) {
            const hit = view.world.pick(view.ray(x, y))
            if (hit)
              return { x: x * innerWidth, y: (1 - y) * innerHeight, name: view.world.appearance.bodies[hit.body].name }
          }
        return null
      }),
    (found) => found !== null,
  )

/** Returns the place of an item of the menu in a window, in pixels, `share` of its width to the right of its middle. */
const placeOfItem = (page, id, share = 0) =>
  page.evaluate(
    ([id, share]) => {
      const { view } = window.burgessWall
      const { place, size } = view.panel.layout.items.find((item) => item.id === id)
      const group = view.panel.group
      group.updateMatrixWorld(true)
      const point = group.localToWorld(group.position.clone().set(place[0] + share * size[0], place[1], 0))
      point.project(view.camera)
      return { x: ((point.x + 1) / 2) * innerWidth, y: ((1 - point.y) / 2) * innerHeight }
    },
    [id, share],
  )

const distance = (a, b) => Math.hypot(...a.map((part, axis) => part - b[axis]))

test('what one wall does happens on all: grab, push, throw, shoot and the menu', async () => {
  // A world that has not started yet is the same on slow and fast machines.
  const source = { type: 'scene', name: 'billiards' }
  const { id: session } = await ask(server, 'sessions', { source, paused: true })
  await ask(server, 'cave/session', { session })
  const size = { width: 320, height: 180 }
  const walls = await Promise.all([
    openWall(browser, server, 'left', size),
    openWall(browser, server, 'right', size),
    openWall(browser, server, 'wide', { width: 640, height: 180 }),
  ])
  const pages = walls.map(({ page }) => page)
  const [left, , wide] = pages
  const kinds = async () => (await ask(server, `sessions/${session}/take`)).events.map(({ deed }) => deed.do)
  const onAll = (accept) =>
    until(
      () => Promise.all(pages.map(worldOf)),
      (worlds) => worlds.every(accept),
    )
  let [{ step, bodies }] = await onAll((world) => Object.keys(world.bodies).length > 0)
  /** Makes some steps, and returns the places of bodies, which must be the same on all walls. */
  const advance = async (steps) => {
    step += steps
    await send(left, { do: 'step', steps })
    const [first, ...others] = await onAll((world) => world.step === step && Object.keys(world.bodies).length > 0)
    for (const other of others) assert.deepEqual(other, first)
    return first.bodies
  }

  // Grab and pull.
  const ball = await findBall(wide)
  await wide.mouse.move(ball.x, ball.y)
  await wide.mouse.down()
  await wide.mouse.move(ball.x - 60, ball.y - 40, { steps: 4 })
  await until(kinds, (all) => all.includes('grab') && all.at(-1) === 'drag')
  let next = await advance(120)
  assert.ok(distance(next[ball.name], bodies[ball.name]) > 0.05, 'the grabbed ball did not move')
  await wide.mouse.up()
  await until(kinds, (all) => all.at(-1) === 'release')
  bodies = await advance(120)

  // Push.
  const pushed = await findBall(wide)
  await wide.keyboard.down('Shift')
  await wide.mouse.click(pushed.x, pushed.y)
  await wide.keyboard.up('Shift')
  await until(kinds, (all) => all.at(-1) === 'push')
  next = await advance(60)
  assert.ok(distance(next[pushed.name], bodies[pushed.name]) > 0.02, 'the pushed ball did not move')

  // The menu: the mode of the hand and gravity are set with the mouse, and all walls show the menu.
  const menus = (accept) =>
    until(
      () => Promise.all(pages.map((page) => page.evaluate(() => window.burgessWall.view.menu))),
      (menus) => menus.every(accept),
    )
  await shows(wide, 2)
  const plain = await pixels(wide)
  await wide.keyboard.press('m')
  await menus(({ open }) => open)
  await shows(wide, 2)
  assert.ok(difference(plain, await pixels(wide)) > 0.1, 'the menu is not in the picture')
  const click = async (id, share) => {
    const { x, y } = await placeOfItem(wide, id, share)
    await wide.mouse.click(x, y)
  }
  await click('hand-throw')
  await menus(({ hand, pointed }) => hand === 'throw' && pointed.some(({ item }) => item === 'hand-throw'))
  await click('gravity', -0.25)
  await until(kinds, (all) => all.at(-1) === 'change')
  await menus(({ gravity }) => Math.abs(gravity - 0.5) < 0.02)
  await click('close')
  await menus(({ open }) => !open)

  // Throw: the ball that is let go flies away from the user.
  bodies = await advance(2)
  const thrown = await findBall(wide)
  await wide.mouse.move(thrown.x, thrown.y)
  await wide.mouse.down()
  await until(kinds, (all) => all.at(-1) === 'grab')
  await wide.mouse.up()
  await until(kinds, (all) => all.at(-1) === 'push')
  // A throw adds 5 m/s along the ray, most of it forward, for a fiftieth of a second.
  next = await advance(10)
  assert.ok(next[thrown.name][1] > bodies[thrown.name][1] + 0.05, 'the ball was not thrown')

  // Shoot.
  await wide.mouse.click(320, 40, { button: 'right' })
  await until(kinds, (all) => all.at(-1) === 'throw')
  await onAll((world) => 'thrown-1' in world.bodies)
  await advance(10)

  // The two narrow walls show what the wide one shows, and locked walls never differ by more than a frame.
  for (const page of pages) await shows(page, 2)
  const { largest } = compareLogs(await Promise.all(pages.map(logOf)))
  assert.ok(largest <= 1, `walls differ by ${largest} frames`)
  const [a, b, both] = await Promise.all(pages.map(pixels))
  let count = 0
  for (let y = 0; y < 180; y++)
    for (let x = 0; x < 640; x++) if (differs(x < 320 ? at(a, x, y) : at(b, x - 320, y), at(both, x, y))) count++
  assert.ok(count <= 0.001 * 640 * 180, `${count} of ${640 * 180} pixels differ`)
  const colours = new Set(Array.from({ length: 4000 }, (_, i) => at(both, (i * 37) % 640, (i * 11) % 180).join()))
  assert.ok(colours.size > 50, `${colours.size} colours`)

  // Walking moves the room on the server.
  const room = () => wide.evaluate(() => window.burgessWall.view.camera.position.toArray())
  const start = await room()
  await wide.keyboard.down('w')
  await until(room, (now) => now[1] > start[1] + 0.3)
  await wide.keyboard.up('w')
  assert.deepEqual(
    walls.flatMap(({ faults }) => faults),
    [],
  )
})

test('stereo pictures differ between the eyes, and change sides when the head rolls', async () => {
  const [wall, anaglyph] = await Promise.all([
    openWall(browser, server, 'side-by-side', { width: 480, height: 135 }),
    openWall(browser, server, 'anaglyph', { width: 240, height: 135 }),
  ])
  /** Waits until both walls have drawn a head with an orientation. */
  const look = async (orientation) => {
    await ask(server, 'cave/tracking', { head: { position: [0, 0, 1.6], orientation } })
    await Promise.all([wall, anaglyph].map(({ page }) => shows(page, 4)))
  }
  const halves = async () => {
    const { width, height, data } = await pixels(wall.page)
    const row = (y, start) => data.subarray(4 * (y * width + start), 4 * (y * width + start + width / 2))
    const rows = (start) => Buffer.concat(Array.from({ length: height }, (_, y) => row(y, start)))
    const half = (start) => ({ width: width / 2, height, data: rows(start) })
    return [half(0), half(width / 2)]
  }
  await look([0, 0, 0, 1])
  const [left, right] = await halves()
  assert.ok(difference(left, right) > 0.01, 'both eyes see the same')
  const red = await pixels(anaglyph.page)
  const isFrom = (eye, channel) => {
    let count = 0
    for (let y = 0; y < 135; y++)
      for (let x = 0; x < 240; x++) if (Math.abs(at(red, x, y)[channel] - at(eye, x, y)[channel]) > NOISE) count++
    return count / (240 * 135)
  }
  // Red is the left eye's picture, blue the right eye's; edges of objects may differ by the rasters' sizes.
  assert.ok(isFrom(left, 0) < 0.02 && isFrom(right, 2) < 0.02, `${isFrom(left, 0)} ${isFrom(right, 2)}`)
  assert.ok(isFrom(right, 0) > isFrom(left, 0))
  // Upside down, each eye is where the other was.
  await look([0, 1, 0, 0])
  const [rolledLeft, rolledRight] = await halves()
  assert.ok(difference(rolledLeft, right) < 0.002 && difference(rolledRight, left) < 0.002, 'the eyes did not swap')
})

test('the control page names windows, warps pictures, and aligns a tracker', async () => {
  const [first, control] = await Promise.all([openWall(browser, server, 'left'), visit(browser, server, '#/cave')])
  const second = await visit(browser, server, '#/wall/left')
  const notice = (page) => page.getByTestId('wall-notice').textContent()
  assert.match(await notice(second.page), /another window of this machine shows the wall 'left'/)
  await second.page.goto(`${server.address}/#/wall/ceiling`)
  await until(
    () => notice(second.page),
    (text) => /the cave 'seam' has no wall 'ceiling'; it has left, right, wide/.test(text),
  )
  await second.close()
  const { page } = control
  await until(
    () => page.getByTestId('wall-left').textContent(),
    (text) => /locked|late/.test(text),
  )
  await page.getByTestId('cave-setup').click({ force: true })
  assert.match(await first.page.getByTestId('wall-number').textContent(), /1\s*left/)
  await first.page.getByTestId('corner-2').focus()
  await first.page.keyboard.press('ArrowLeft')
  const saved = (text) =>
    until(
      () => readFile(server.file, 'utf8'),
      (found) => found.includes(text),
    )
  await saved('[0.998, 1.0]')
  // A tracker whose x axis is the room's y axis, and which is 0.5 m to the right of the room's origin.
  const places = [
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
  ]
  for (const [index, [x, y, z]] of places.entries()) {
    const head = { position: [y, 0.5 - x, z], orientation: [0, 0, 0, 1] }
    await ask(server, 'cave/tracking', { head })
    const expected = head.position.map((part) => part.toFixed(3)).join(', ')
    await until(
      () => page.getByTestId('tracker-now').textContent(),
      (text) => text.includes(expected),
    )
    await page.getByTestId(`tracker-take-${index}`).click()
  }
  await page.getByTestId('tracker-align').click()
  await until(
    () => page.getByTestId('tracker-message').textContent(),
    (text) => /The tracker is aligned/.test(text),
  )
  await saved('tracker = [[0.0, -1.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]')
  assert.deepEqual([...first.faults, ...control.faults], [])
})
