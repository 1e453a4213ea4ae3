// The tree of what is in a world, in a real browser: search, selection on the stage and back, hide, isolate, follow.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { browse, serve, until } from './harness.mjs'
import { goTo, openStage, placeOf } from './stage.mjs'

let server, browser
before(async () => ([server, browser] = await Promise.all([serve(), browse()])))
after(async () => {
  await browser?.close()
  await server?.stop()
})

const selected = (page) =>
  page.evaluate(() => {
    const { viewer, view } = window.burgess
    return { pinned: viewer.pinned, outlined: view.selection.body, lines: view.selection.outline.group.children.length }
  })

test('a search finds parts, actuators and contacts, and a row outlines its body', async () => {
  const { page, faults, close, session } = await openStage(browser, server, {
    source: { type: 'creature', name: 'quadruped' },
    paused: true,
  })
  await goTo(page, 60 * session.steps_per_frame)
  await page.getByTestId('tab-probe').click()
  await page.getByTestId('tree-creature').first().waitFor()
  const actuators = await page.evaluate(() => window.burgess.viewer.contents.actuators)
  await page.getByTestId('tree-search').fill(actuators[1].name)
  await page.getByTestId('tree-actuator').first().click()
  await until(
    () => selected(page),
    ({ pinned, outlined, lines }) => pinned === actuators[1].body && outlined === pinned && lines > 0,
  )
  await page.getByTestId('signals').getByTestId('plot-button').first().click()
  await until(
    () => page.evaluate(() => window.burgess.viewer.plots.signals[0]),
    (signal) => signal?.of === 'actuator' && signal.actuator === 1,
  )
  await page.getByTestId('tree-search').fill('contact')
  await page.getByTestId('tree-contact').first().waitFor()
  await page.getByTestId('tree-search').fill('no such thing')
  await until(
    () => page.getByTestId('tree-body').count(),
    (count) => count === 0,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('a click on the stage selects the row of the body, and bodies are hidden, isolated and followed', async () => {
  const { page, faults, close } = await openStage(browser, server, {
    source: { type: 'scene', name: 'stack' },
    paused: true,
  })
  const bodies = await page.evaluate(() => window.burgess.viewer.bodies.map(({ name }) => name))
  const { x, y } = await placeOf(page, 1)
  await page.mouse.click(x, y)
  const { pinned } = await until(
    () => selected(page),
    ({ pinned, outlined }) => pinned !== null && outlined === pinned,
  )
  const row = page.locator('[data-testid=tree-body][aria-selected=true]')
  assert.match(await row.textContent(), new RegExp(bodies[pinned]))
  const pickAt = () => page.evaluate(([x, y]) => window.burgess.view.pick(x, y)?.body ?? null, [x, y])
  assert.equal(await pickAt(), pinned)
  await page.getByTestId('hide').click()
  await until(pickAt, (body) => body !== pinned)
  await page.getByTestId('show-all').click()
  await until(pickAt, (body) => body === pinned)
  await page.getByTestId('isolate').click()
  assert.equal(await page.evaluate(() => window.burgess.viewer.inspection.hidden.size), bodies.length - 1)
  await page.getByTestId('show-all').click()
  await page.getByTestId('follow').click()
  assert.equal(await page.evaluate(() => window.burgess.view.cameras.followed), pinned)
  await page.keyboard.press('Escape')
  await until(
    () => selected(page),
    ({ outlined }) => outlined === null,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('the arrow keys move through the tree', async () => {
  const { page, faults, close } = await openStage(browser, server, {
    source: { type: 'creature', name: 'quadruped' },
    paused: true,
  })
  await page.getByTestId('tab-probe').click()
  const first = page.locator('[role=treeitem]').first()
  await first.focus()
  const rows = () => page.locator('[role=treeitem]').count()
  await page.keyboard.press('ArrowDown')
  const before = await rows()
  await page.keyboard.press('ArrowRight')
  await until(rows, (now) => now > before)
  await page.keyboard.press('Enter')
  await until(
    () => selected(page),
    ({ pinned }) => pinned !== null,
  )
  assert.equal(await page.evaluate(() => window.burgess.viewer.step), 0)
  assert.deepEqual(faults, [])
  await close()
})
