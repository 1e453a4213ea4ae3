// Plots of any value over time, and marks on the time slider, in a real browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { browse, serve, until } from './harness.mjs'
import { goTo, openStage, placeOf } from './stage.mjs'

let server, browser
before(async () => ([server, browser] = await Promise.all([serve(), browse()])))
after(async () => {
  await browser?.close()
  await server?.stop()
})

const samples = (page) =>
  page.evaluate(() => {
    const { samples, signals } = window.burgess.viewer.plots
    return { steps: samples.steps.length, last: samples.steps.at(-1), values: samples.values, signals: signals.length }
  })

test('the height of a creature is plotted in two clicks, with the time before, and a click goes to a time', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'creature', name: 'quadruped' },
    paused: true,
  })
  await goTo(page, 60 * session.steps_per_frame)
  await page.getByTestId('plots-button').click()
  await page.getByTestId('suggestion').filter({ hasText: 'Height' }).click()
  const whole = await until(
    () => samples(page),
    (now) => now.steps === 61,
  )
  // The values are the heights in the frames.
  const heights = []
  for (const frame of [0, 30, 60]) {
    await goTo(page, frame * session.steps_per_frame)
    heights.push(
      await page.evaluate(() => {
        const { viewer, view } = window.burgess
        return viewer.frame.poses[7 * view.appearance.followed + 2]
      }),
    )
  }
  heights.forEach((height, index) => assert.ok(Math.abs(height - whole.values[0][30 * index]) < 1e-6))
  // A click in the middle of the plot goes to the middle of the time.
  const box = await page.locator('[data-testid=chart] .u-over').boundingBox()
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  const there = await until(
    () => page.evaluate(() => window.burgess.viewer.step),
    (step) => step < 60 * session.steps_per_frame,
  )
  assert.ok(Math.abs(there - 30 * session.steps_per_frame) <= session.steps_per_frame, `went to step ${there}`)
  // Hovering shows the value.
  await page.mouse.move(box.x + 2, box.y + box.height / 2)
  const first = whole.values[0][0]
  await until(
    () => page.getByTestId('plot-value').first().textContent(),
    (text) => Math.abs(Number.parseFloat(text) - first) < 0.01 * Math.abs(first),
  )
  assert.deepEqual(faults, [])
  await close()
})

test('plots grow while a world plays, zoom, and are saved as CSV', async () => {
  const { page, faults, close } = await openStage(browser, server, {
    source: { type: 'scene', name: 'bouncing-balls' },
    paused: true,
  })
  await page.keyboard.press('v')
  await page.getByTestId('suggestion').filter({ hasText: 'Energy' }).click()
  await page.getByTestId('suggestion').filter({ hasText: 'Speed' }).click()
  // Joule and metres per second have a chart each.
  await until(
    () => page.getByTestId('chart').count(),
    (count) => count === 2,
  )
  await page.getByTestId('play').click()
  const now = await until(
    () => samples(page),
    (now) => now.signals === 4 && now.steps > 40,
  )
  await until(
    () => samples(page),
    (later) => later.last > now.last,
  )
  await page.getByTestId('play').click()
  const box = await page.locator('[data-testid=chart] .u-over').first().boundingBox()
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 24, { steps: 4 })
  await page.mouse.up()
  const [from, to] = await until(() => page.evaluate(() => window.burgess.viewer.plots.range), Boolean)
  const end = await page.evaluate(() => window.burgess.viewer.plots.samples.times.at(-1))
  assert.ok(Math.abs(from / end - 0.25) < 0.05 && Math.abs(to / end - 0.5) < 0.05, `${from} to ${to} of ${end} s`)
  await page.getByTestId('plot-all').click()
  const waiting = page.waitForEvent('download')
  await page.getByTestId('plot-csv').click()
  const lines = (await readFile(await (await waiting).path(), 'utf8')).trim().split('\n')
  assert.match(
    lines[0],
    /^step,time \(s\),kinetic energy \(J\),potential energy \(J\),total energy \(J\),.*speed \(m\/s\)$/,
  )
  const [, , kinetic, potential, total] = lines.at(-1).split(',').map(Number)
  assert.ok(Math.abs(kinetic + potential - total) < 1e-3 * Math.abs(total))
  const { steps } = await samples(page)
  assert.equal(lines.length, steps + 1)
  assert.deepEqual(faults, [])
  await close()
})

test('any value of the probe is plotted, and an edit in the past discards what came after it', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'scene', name: 'stack' },
    paused: true,
  })
  await goTo(page, 20 * session.steps_per_frame)
  const { x, y } = await placeOf(page, 0)
  await page.mouse.click(x, y)
  await page.getByTestId('probe').waitFor()
  await page.getByTestId('plot-contact_force').click()
  await page.getByTestId('plot-button').first().click()
  await until(
    () => samples(page),
    (now) => now.signals === 4 && now.last === 20 * session.steps_per_frame && now.values.length === 4,
  )
  await goTo(page, 10 * session.steps_per_frame)
  await page.keyboard.press('p')
  await until(
    () => page.evaluate(() => window.burgess.viewer.latest),
    (latest) => latest === 10 * session.steps_per_frame,
  )
  await goTo(page, 12 * session.steps_per_frame)
  await until(
    () => samples(page),
    (now) => now.last === 12 * session.steps_per_frame && now.steps === 13,
  )
  await page.getByTestId('plot-remove').first().click()
  await until(
    () => samples(page),
    (now) => now.signals === 3 && now.values.length === 3,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('the time slider has marks for edits and contacts, and keys go from mark to mark', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'scene', name: 'bouncing-balls' },
    paused: true,
  })
  await goTo(page, 120 * session.steps_per_frame)
  await page.keyboard.press('t')
  const marks = await until(
    () => page.evaluate(() => window.burgess.viewer.marks),
    (marks) => marks.some(({ text }) => text === 'throw') && marks.some(({ kind }) => kind === 'contact'),
  )
  assert.ok((await page.locator('[data-testid=marks] i').count()) >= 2)
  assert.match(await page.locator('#marks').textContent(), /^Marks: 1 edit, \d+ contacts?/)
  await goTo(page, 0)
  await page.keyboard.press(']')
  await until(
    () => page.evaluate(() => window.burgess.viewer.step),
    (step) => step === marks[0].step,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('the outputs of a brain are plotted', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'creature', name: 'quadruped' },
    paused: true,
  })
  await until(() => page.evaluate(() => Boolean(window.burgess.viewer.brain)), Boolean)
  await page.evaluate(() => {
    const { plots, brain } = window.burgess.viewer
    plots.add(brain.neurons.slice(-4).map((_, index) => ({ of: 'neuron', neuron: brain.neurons.length - 4 + index })))
  })
  await goTo(page, 150 * session.steps_per_frame)
  const { values } = await until(
    () => samples(page),
    (now) => now.steps === 151,
  )
  assert.ok(values.some((list) => new Set(list).size > 5))
  assert.deepEqual(faults, [])
  await close()
})

test('plots are there again when the page is opened again, and show the last seconds on request', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'scene', name: 'pendulum' },
    paused: true,
  })
  await goTo(page, 800 * session.steps_per_frame)
  await page.getByTestId('plots-button').click()
  await page.getByTestId('suggestion').first().click()
  await page.getByTestId('plot-recent').click()
  const shown = () => page.evaluate(() => window.burgess.viewer.plots.recent)
  await until(shown, (recent) => recent)
  await page.getByTestId('plot-all').click()
  await until(shown, (recent) => !recent)
  await page.reload()
  await page.getByTestId('chart').waitFor()
  assert.equal((await samples(page)).signals, 1)
  assert.deepEqual(faults, [])
  await close()
})
