// Walls in a real browser: one frame on all walls, pictures that fit together, stereo, hands, and refusals.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'
import { caveFile, compareLogs, logOf, openWall, SEAM, shows, STEREO } from './walls.mjs'

let browser
before(async () => (browser = await browse()))
after(async () => browser?.close())

/** Runs a test with a server for a cave, and stops it. */
async function withCave(text, work) {
  const file = await caveFile(text)
  const server = await serve('--cave', file)
  try {
    await work(server, file)
  } finally {
    await server.stop()
  }
}

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

test('walls fit together, and what one does happens on all', async () => {
  await withCave(SEAM, async (server) => {
    const { session } = await ask(server, 'cave')
    const size = { width: 320, height: 180 }
    const walls = await Promise.all([
      openWall(browser, server, 'left', size),
      openWall(browser, server, 'right', size),
      openWall(browser, server, 'wide', { width: 640, height: 180 }),
    ])
    const pages = walls.map(({ page }) => page)
    const send = (page, command) => page.evaluate((command) => window.burgessWall.client.send(command), command)
    await send(pages[0], { do: 'pause' })
    await send(pages[1], { do: 'throw', from: [0.1, 0, 1.7], velocity: [0, 0, 0], radius: 0.2, density: 500 })
    const { events } = await until(
      () => ask(server, `sessions/${session}/take`),
      ({ events }) => events.length > 0,
    )
    assert.equal(events[0].deed.do, 'throw')
    // All walls show the ball, and the step at which the world was paused.
    const seen = (page) =>
      page.evaluate(() => {
        const { appearance, frame } = window.burgessWall.view.world
        return { bodies: appearance.bodies.map(({ name }) => name), step: frame.step, epoch: frame.epoch }
      })
    for (const page of pages)
      await until(
        () => seen(page),
        ({ bodies }) => bodies.includes('thrown-1'),
      )
    for (const page of pages) await shows(page, 2)
    const [left, right, wide] = await Promise.all(pages.map(seen))
    assert.deepEqual([left, right], [wide, wide])
    const { largest } = compareLogs(await Promise.all(pages.map(logOf)))
    assert.ok(largest <= 1, `walls differ by ${largest} frames`)
    const [a, b, both] = await Promise.all(pages.map(pixels))
    let count = 0
    for (let y = 0; y < 180; y++)
      for (let x = 0; x < 640; x++) if (differs(x < 320 ? at(a, x, y) : at(b, x - 320, y), at(both, x, y))) count++
    assert.ok(count <= 0.001 * 640 * 180, `${count} of ${640 * 180} pixels differ`)
    // The picture shows something: many colours.
    const colours = new Set(Array.from({ length: 4000 }, (_, i) => at(both, (i * 37) % 640, (i * 11) % 180).join()))
    assert.ok(colours.size > 50, `${colours.size} colours`)
    assert.deepEqual(
      walls.flatMap(({ faults }) => faults),
      [],
    )
    for (const { close } of walls) await close()
  })
})

test('a body is grabbed, pulled, released and pushed with the mouse of a wall', async () => {
  await withCave(SEAM, async (server) => {
    const { session } = await ask(server, 'cave')
    const wall = await openWall(browser, server, 'wide', { width: 640, height: 180 })
    const { page } = wall
    // A stopped world takes edits, too, and its bodies stay where they are.
    await page.evaluate(() => window.burgessWall.client.send({ do: 'pause' }))
    await until(
      () => page.evaluate(() => window.burgessWall.view.world.frame.playing),
      (playing) => !playing,
    )
    // The place of a ball in the window, from the ray that hits it.
    const place = await until(
      () =>
        page.evaluate(() => {
          const { view } = window.burgessWall
          for (let y = 0; y < 1; y += 0.02)
            for (let x = 0; x < 1; x += 0.01) {
              const hit = view.world.pick(view.ray(x, y))
              if (hit) return { x, y, body: hit.body }
            }
          return null
        }),
      (found) => found !== null,
    )
    await page.mouse.move(640 * place.x, 180 * (1 - place.y))
    await page.mouse.down()
    await page.mouse.move(640 * place.x - 60, 180 * (1 - place.y) - 60, { steps: 5 })
    await page.mouse.up()
    const kinds = async () => (await ask(server, `sessions/${session}/take`)).events.map(({ deed }) => deed.do)
    const found = await until(kinds, (all) => all.includes('release'))
    assert.equal(found[0], 'grab')
    assert.ok(found.includes('drag'), `${found}`)
    await page.keyboard.down('Shift')
    await page.mouse.click(640 * place.x, 180 * (1 - place.y))
    await page.keyboard.up('Shift')
    await until(kinds, (all) => all.includes('push'))
    await page.mouse.click(320, 40, { button: 'right' })
    await until(kinds, (all) => all.includes('throw'))
    // Walking moves the room on the server.
    const room = () => page.evaluate(() => window.burgessWall.view.camera.position.toArray())
    const before = await room()
    await page.keyboard.down('w')
    await until(room, (now) => now[1] > before[1] + 0.3)
    await page.keyboard.up('w')
    assert.deepEqual(wall.faults, [])
    await wall.close()
  })
})

test('stereo pictures differ between the eyes, and change sides when the head rolls', async () => {
  await withCave(STEREO, async (server) => {
    const { session } = await ask(server, 'cave')
    const wall = await openWall(browser, server, 'side-by-side', { width: 480, height: 135 })
    await wall.page.evaluate(() => window.burgessWall.client.send({ do: 'pause' }))
    const settle = () => shows(wall.page, 4)
    await settle()
    const halves = async () => {
      const { width, height, data } = await pixels(wall.page)
      const row = (y, start) => data.subarray(4 * (y * width + start), 4 * (y * width + start + width / 2))
      const rows = (start) => Buffer.concat(Array.from({ length: height }, (_, y) => row(y, start)))
      const half = (start) => ({ width: width / 2, height, data: rows(start) })
      return [half(0), half(width / 2)]
    }
    const [left, right] = await halves()
    assert.ok(difference(left, right) > 0.01, 'both eyes see the same')
    // Upside down, each eye is where the other was.
    await ask(server, 'cave/tracking', { head: { position: [0, 0, 1.6], orientation: [0, 1, 0, 0] } })
    await settle()
    const [rolledLeft, rolledRight] = await halves()
    assert.ok(difference(rolledLeft, right) < 0.002 && difference(rolledRight, left) < 0.002, 'the eyes did not swap')
    assert.ok((await ask(server, `sessions/${session}`)).id === session)
    await wall.close()
    const anaglyph = await openWall(browser, server, 'anaglyph', { width: 240, height: 135 })
    await ask(server, 'cave/tracking', { head: { position: [0, 0, 1.6], orientation: [0, 0, 0, 1] } })
    await shows(anaglyph.page, 4)
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
    await anaglyph.close()
  })
})

test('a window is refused in words, and corners are saved in the file', async () => {
  await withCave(SEAM, async (server, file) => {
    const first = await openWall(browser, server, 'left')
    const second = await visit(browser, server, '#/wall/left')
    const notice = (page) => page.getByTestId('wall-notice').textContent()
    assert.match(await notice(second.page), /another window of this machine shows the wall 'left'/)
    await second.close()
    const third = await visit(browser, server, '#/wall/ceiling')
    assert.match(await notice(third.page), /the cave 'seam' has no wall 'ceiling'; it has left, right, wide/)
    await third.close()
    const control = await visit(browser, server, '#/cave')
    await until(
      () => control.page.getByTestId('wall-left').textContent(),
      (text) => /locked|late/.test(text),
    )
    await control.page.getByTestId('cave-setup').click({ force: true })
    assert.match(await first.page.getByTestId('wall-number').textContent(), /1\s*left/)
    await first.page.getByTestId('corner-2').focus()
    await first.page.keyboard.press('ArrowLeft')
    await until(
      () => readFile(file, 'utf8'),
      (text) => text.includes('[0.998, 1.0]'),
    )
    assert.deepEqual([...first.faults, ...control.faults], [])
    await first.close()
    await control.close()
  })
})
