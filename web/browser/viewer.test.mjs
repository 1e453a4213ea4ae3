// The viewer in a real browser: pictures change, going back in time gives the same pixels, bodies are grabbed, films play.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readFile } from 'node:fs/promises'
import { ask, browse, serve, until, visit } from './harness.mjs'
import { placeOf } from './stage.mjs'

let server, browser
before(async () => ([server, browser] = await Promise.all([serve(), browse()])))
after(async () => {
  await browser?.close()
  await server?.stop()
})

const stats = (page) => page.evaluate(() => ({ ...window.burgess?.stats }))
/** Screenshot of the canvas. */
const pixels = async (page) => (await page.getByTestId('view').screenshot()).toString('base64')

/** Opens a session and its page, and waits for the first frame. */
async function openViewer(request, options) {
  const session = await ask(server, 'sessions', request)
  const seen = await visit(browser, server, `#/stage/${session.id}`, options)
  await until(
    () => seen.page.evaluate(() => Boolean(window.burgess?.viewer.frame && window.burgess.viewer.status)),
    Boolean,
  )
  return { ...seen, session }
}

async function slideTo(page, step) {
  await page.getByTestId('slider').evaluate((slider, step) => {
    slider.value = step
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    slider.dispatchEvent(new Event('change', { bubbles: true }))
  }, step)
  await until(
    () => stats(page),
    (now) => now.step === step,
  )
}

/** Takes screenshots until two in a row are equal: detail rises when the picture stands still. */
async function settled(page) {
  let last
  return until(async () => {
    const now = await pixels(page)
    const same = now === last
    last = now
    return same && now
  }, Boolean)
}

test('a scene moves, and going back and forth in time gives the same pixels and hashes', async () => {
  const { page, faults, close, session } = await openViewer({
    source: { type: 'scene', name: 'dominoes' },
    paused: true,
  })
  const first = await settled(page)
  await page.getByTestId('play').click()
  await until(
    () => stats(page),
    (now) => now.step > 40 * session.steps_per_frame,
  )
  await page.getByTestId('play').click()
  const [early, late] = [10, 30].map((frame) => frame * session.steps_per_frame)
  await slideTo(page, late)
  const there = await settled(page)
  await slideTo(page, early)
  const before = await settled(page)
  await slideTo(page, late)
  assert.equal(await settled(page), there)
  await slideTo(page, early)
  assert.equal(await settled(page), before)
  assert.notEqual(first, there)
  assert.notEqual(before, there)
  // The hashes of replayed frames equal those of the first time.
  await page.getByTestId('restart').click()
  await page.getByTestId('play').click()
  const { exact } = await until(
    () => page.evaluate(() => window.burgess.viewer.status),
    (status) => status.exact.checked >= 3,
  )
  assert.equal(exact.differing, 0)
  assert.match(await page.getByTestId('exact').textContent(), /hashes equal/)
  assert.deepEqual(faults, [])
  await close()
})

test('single steps go forward and backward', async () => {
  const { page, faults, close } = await openViewer({ source: { type: 'scene', name: 'pendulum' }, paused: true })
  for (const [control, step] of [
    ['step-forward', 1],
    ['step-forward', 2],
    ['step-back', 1],
  ]) {
    await page.getByTestId(control).click()
    await until(
      () => stats(page),
      (now) => now.step === step,
    )
  }
  assert.deepEqual(faults, [])
  await close()
})

test('a body is grabbed with the mouse, and balls are thrown', async () => {
  const { page, faults, close, session } = await openViewer({ source: { type: 'scene', name: 'stack' } })
  const height = (body) => page.evaluate((body) => window.burgess.viewer.frame.poses[7 * body + 2], body)
  const topmost = await page.evaluate(() => {
    const { poses } = window.burgess.viewer.frame
    const bodies = [...Array(poses.length / 7).keys()]
    return bodies.reduce((top, each) => (poses[7 * each + 2] > poses[7 * top + 2] ? each : top))
  })
  const before = await height(topmost)
  const place = await placeOf(page, topmost)
  await page.mouse.move(place.x, place.y)
  await page.mouse.down()
  await page.mouse.move(place.x + 40, place.y - 160, { steps: 8 })
  const pulled = await until(
    () => ask(server, `sessions/${session.id}/take`),
    (take) => take.events.some(({ deed }) => deed.do === 'drag'),
  )
  assert.equal(pulled.events.find(({ deed }) => deed.do === 'grab').deed.body, topmost)
  await until(
    () => height(topmost),
    (now) => now > before + 0.05,
  )
  await page.mouse.up()
  const bodies = (await ask(server, `sessions/${session.id}/appearance`)).bodies.length
  await page.keyboard.press('t')
  const now = await until(
    () => ask(server, `sessions/${session.id}/appearance`),
    (now) => now.bodies.length > bodies,
  )
  assert.equal(now.epoch, 1)
  // The take contains the edits, and its replay has the same hashes.
  const take = await until(
    () => ask(server, `sessions/${session.id}/take`),
    (take) => Object.keys(take.hashes).length > 3,
  )
  const again = await ask(server, 'sessions', { source: { type: 'take', take } })
  const replay = await visit(browser, server, `#/stage/${again.id}`)
  const { exact } = await until(
    () => replay.page.evaluate(() => window.burgess?.viewer.status),
    (status) => status?.exact.checked >= 3,
  )
  assert.equal(exact.differing, 0)
  assert.deepEqual([...faults, ...replay.faults], [])
  await replay.close()
  await close()
})

test('a film of two seconds plays in the browser', async () => {
  const { page, faults, close } = await openViewer({ source: { type: 'scene', name: 'spinning-cube' }, paused: true })
  await page.getByTestId('tab-film').click()
  await page.getByTestId('film-size').selectOption('640 × 360')
  await page.getByTestId('film-rate').selectOption('20')
  await page.getByTestId('film-seconds').fill('2')
  const waiting = page.waitForEvent('download')
  await page.getByTestId('film').click()
  const download = await waiting
  assert.match(download.suggestedFilename(), /\.webm$/)
  const film = await readFile(await download.path())
  const played = await page.evaluate(async (base64) => {
    const video = document.createElement('video')
    video.muted = true
    video.src = URL.createObjectURL(await (await fetch(`data:video/webm;base64,${base64}`)).blob())
    await new Promise((done, failed) => {
      video.onloadeddata = done
      video.onerror = () => failed(new Error(video.error.message))
    })
    const look = () => {
      const canvas = new OffscreenCanvas(64, 36)
      const paper = canvas.getContext('2d')
      paper.drawImage(video, 0, 0, 64, 36)
      return [...paper.getImageData(0, 0, 64, 36).data]
    }
    const seek = (time) => new Promise((done) => ((video.onseeked = done), (video.currentTime = time)))
    await seek(0.1)
    const early = look()
    await seek(1.1)
    // On a busy machine the picture of a time comes after the event that the time was reached.
    const changed = () => look().some((value, index) => value !== early[index])
    for (let k = 0; k < 100 && !changed(); k++) await new Promise((done) => setTimeout(done, 100))
    return { duration: video.duration, width: video.videoWidth, changed: changed() }
  }, film.toString('base64'))
  assert.equal(played.width, 640)
  // Encoders round times to milliseconds.
  assert.ok(Math.abs(played.duration - 2) < 0.06, `the film lasts ${played.duration} s`)
  assert.ok(played.changed, 'both pictures are the same')
  assert.deepEqual(faults, [])
  await close()
})

test('the keyboard reaches all controls, and the page fits on a phone', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const { page, faults, close } = await openViewer({ source: { type: 'scene', name: 'stack' }, paused: true }, phone)
  await page.keyboard.press('Space')
  await until(
    () => stats(page),
    (now) => now.step > 0,
  )
  await page.keyboard.press('Space')
  const names = new Set()
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press('Tab')
    names.add(await page.evaluate(() => document.activeElement?.getAttribute('data-testid')))
  }
  for (const name of ['play', 'step-back', 'step-forward', 'slider', 'speed'])
    assert.ok(names.has(name), `Tab never reaches ${name}`)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 390, `the page is ${width} px wide`)
  assert.deepEqual(faults, [])
  await close()
})
