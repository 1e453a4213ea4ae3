// Sharing in a real browser: a page that plays a world from a file without a server, and a link to a moment.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { ask, browse, program, serve, TIMEOUT, until, visit } from './harness.mjs'

const run = promisify(execFile)
const MAX_BYTES = 5_000_000

let server, browser, folder
before(async () => {
  ;[server, browser, folder] = await Promise.all([serve(), browse(), mkdtemp(join(tmpdir(), 'burgess-share-'))])
})
after(async () => {
  await browser?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Opens a file in a browser without a network; requests and errors are collected in `faults`. */
async function openFile(file) {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 }, offline: true })
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT)
  const faults = []
  page.on('pageerror', (error) => faults.push(`error in the page: ${error.stack ?? error}`))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`request: ${request.url()}`)
  })
  await page.goto(`file://${file}`)
  await until(() => page.evaluate(() => Boolean(window.burgess?.stats.frames)), Boolean)
  return { page, faults, close: () => context.close() }
}

/** Draws the current frame with fixed size, colours and camera; returns the pixels and the poses. */
const draw = (page) =>
  page.evaluate(async () => {
    const { view } = window.burgess
    view.setTheme(false)
    view.setFixedSize({ width: 480, height: 320 })
    Object.assign(view.cameras, { kind: 'static', auto: false, azimuth: -1, elevation: 0.4, distance: 5 })
    view.cameras.target.set(0, 0, 0.5)
    return new Promise((done) =>
      requestAnimationFrame(() => {
        view.drawFull()
        done({ pixels: view.canvas.toDataURL(), poses: [...view.frame.poses], time: view.frame.time })
      }),
    )
  })

async function stage(source) {
  const session = await ask(server, 'sessions', { source, paused: true })
  const seen = await visit(browser, server, `#/stage/${session.id}`)
  await until(() => seen.page.evaluate(() => Boolean(window.burgess?.viewer.frame)), Boolean)
  return { ...seen, session }
}

async function goTo(page, step) {
  await page.evaluate((to) => window.burgess.viewer.stepBy(to - window.burgess.viewer.step), step)
  await until(
    () => page.evaluate(() => window.burgess.viewer.step),
    (now) => now === step,
  )
}

test('a shared page opens from a file without a server and plays to the same picture', async () => {
  const { page, faults, close, session } = await stage({ type: 'creature', name: 'quadruped' })
  await page.getByTestId('share').click()
  await page.getByTestId('share-seconds').fill('3')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('share-page').click()])
  const file = join(folder, 'shared.html')
  await download.saveAs(file)
  assert.match(download.suggestedFilename(), /^quadruped.*\.html$/)
  const { size } = await stat(file)
  assert.ok(size < MAX_BYTES, `${size} bytes`)
  assert.match(await readFile(file, 'utf8'), /## three - [0-9.]+ \(MIT\)/)
  await page.keyboard.press('Escape')

  const shared = await openFile(file)
  assert.match(await shared.page.title(), /quadruped/)
  const clock = () => shared.page.evaluate(() => window.burgess.playback.time)
  const begun = await clock()
  await until(clock, (now) => now !== begun)
  for (const frame of [0, 45, 170]) {
    await goTo(page, frame * session.steps_per_frame)
    const time = await page.evaluate(() => window.burgess.viewer.frame.time)
    await shared.page.evaluate((to) => window.burgess.playback.seek(to), time)
    await until(
      () => shared.page.evaluate(() => window.burgess.view.frame.step),
      (now) => now === frame,
    )
    const [there, here] = [await draw(page), await draw(shared.page)]
    assert.deepEqual(here.poses, there.poses)
    assert.equal(here.pixels, there.pixels, `the pictures of frame ${frame} are the same`)
  }
  await shared.close()
  assert.deepEqual([...faults, ...shared.faults], [])
  await close()
})

test('the command line makes the same page', async () => {
  const file = join(folder, 'pendulum.html')
  const { stdout } = await run(program, ['export', 'pendulum', '--to', 'html', '--seconds', '2', '-o', file])
  assert.match(stdout, /frames in 2/)
  const text = await readFile(file, 'utf8')
  assert.ok(text.length < MAX_BYTES)
  assert.doesNotMatch(text, /<(script|link|img)[^>]+(src|href)="?https?:/)
  const { page, faults, close } = await openFile(file)
  assert.equal(await page.evaluate(() => window.burgess.playback.end.toFixed(2)), '2.00')
  await page.getByTestId('clip-play').click()
  const box = await page.getByTestId('view').boundingBox()
  await page.mouse.move(box.x + 100, box.y + 300)
  await page.mouse.down()
  const before = await page.evaluate(() => window.burgess.view.cameras.azimuth)
  await page.mouse.move(box.x + 200, box.y + 300)
  await page.mouse.up()
  assert.notEqual(await page.evaluate(() => window.burgess.view.cameras.azimuth), before, 'dragging turns the view')
  assert.deepEqual(faults, [])
  await close()
})

test('a link opens the world at its step, and the way back does not lead there again', async () => {
  const { page, faults, close } = await stage({ type: 'scene', name: 'pendulum' })
  await goTo(page, 120)
  await page.getByTestId('share').click()
  const field = page.getByTestId('moment-link')
  const link = await until(() => field.inputValue(), Boolean)
  assert.match(link, /#\/world\/scene\/pendulum\?step=120$/)
  const there = await page.evaluate(() => [...window.burgess.viewer.frame.poses])
  await page.getByTestId('share-dialog').getByRole('button', { name: 'Close' }).click()

  await page.goto(`${server.address}/#/`)
  await page.getByTestId('scene-stack').waitFor()
  await page.goto(link)
  await until(
    () => page.evaluate(() => window.burgess?.viewer.frame?.step ?? -1),
    (now) => now === 120,
  )
  assert.deepEqual(await page.evaluate(() => [...window.burgess.viewer.frame.poses]), there)
  assert.equal(await page.evaluate(() => window.burgess.viewer.playing), false)
  await page.goBack()
  await page.getByTestId('scene-stack').waitFor()
  assert.deepEqual(faults, [])
  await close()
})

test('a link contains the changes of a world, and a wrong one says what is wrong', async () => {
  const { page, faults, close } = await stage({ type: 'scene', name: 'pendulum' })
  await page.evaluate(() => window.burgess.viewer.send({ do: 'change', gravity: [0, 0, -3] }))
  await goTo(page, 90)
  await page.getByTestId('share').click()
  const link = await until(() => page.getByTestId('moment-link').inputValue(), Boolean)
  const there = await page.evaluate(() => [...window.burgess.viewer.frame.poses])
  await page.goto('about:blank')
  await page.goto(link)
  await until(
    () => page.evaluate(() => window.burgess?.viewer.frame?.step ?? -1),
    (now) => now === 90,
  )
  assert.deepEqual(await page.evaluate(() => [...window.burgess.viewer.frame.poses]), there)
  await page.goto('about:blank')
  await page.goto(`${server.address}/#/world/scene/no-such-scene?step=5`)
  await page.getByTestId('moment-failure').waitFor()
  assert.match(await page.getByTestId('moment-failure').innerText(), /no-such-scene/)
  assert.deepEqual(faults, [])
  await close()
})
