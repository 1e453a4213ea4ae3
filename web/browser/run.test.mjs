// The pages of a run in a real browser: summary, gallery, breeding, family tree and map.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'

let server, browser, run
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
  run = (await ask(server, 'runs', { task: 'walk', seed: 7, evaluations: 500_000, algorithm: 'genetic' })).name
  await until(
    () => ask(server, `runs/${run}`),
    (now) => now.count >= 20,
  )
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

// While the run pauses its lists do not change, and the browser has the processor for itself.
const pause = () => ask(server, `runs/${run}/pause`, {})
const goOn = () => ask(server, `runs/${run}/go-on`, {})

test('a run shows its fitness plot, and the gallery plays clips', async () => {
  const { page, faults, close } = await visit(browser, server, `#/run/${run}`)
  await page.getByTestId('curves').waitFor()
  await pause()
  const [above, inCurve] = await Promise.all(
    ['best', 'legend-best_so_far'].map((name) => page.getByTestId(name).innerText()),
  )
  assert.equal(above, inCurve)
  await page.getByTestId('tab-gallery').click()
  const card = page.getByTestId('card').first()
  await card.waitFor()
  const canvas = card.locator('canvas')
  await canvas.waitFor()
  const first = (await card.screenshot()).toString('base64')
  await card.hover()
  await until(
    async () => (await card.screenshot()).toString('base64'),
    (now) => now !== first,
  )
  assert.deepEqual(faults, [])
  await close()
  await goOn()
})

test('a run offers what to do next', async () => {
  await pause()
  const { page, faults, close } = await visit(browser, server, `#/run/${run}`)
  await page.setViewportSize({ width: 1000, height: 400 })
  const next = page.getByTestId('what-next')
  const leadsTo = ['watch-command', 'card', 'family-tree', 'new-run-open']
  for (const [index, testId] of leadsTo.entries()) {
    const link = next.getByRole('link').nth(index)
    await link.scrollIntoViewIfNeeded()
    assert.ok(await page.evaluate(() => scrollY > 0))
    await link.click()
    await page.getByTestId(testId).first().waitFor()
    assert.equal(await page.evaluate(() => scrollY), 0, 'a page is shown from its top')
    await page.goBack()
    await next.waitFor()
  }
  assert.equal(await next.getByRole('link').count(), leadsTo.length)
  assert.match(await next.innerText(), new RegExp(`burgess verify \\S*${run}.burgess`))
  assert.deepEqual(faults, [])
  await close()
  await goOn()
})

test('the champion is shown with the spread of its fitness', async () => {
  await pause()
  const { page, faults, close } = await visit(browser, server, `#/run/${run}`)
  await page.getByTestId('champion-spread').waitFor()
  const { champion, best_spread: spread } = await ask(server, `runs/${run}`)
  const expected = spread.draws === 1 ? 'one evaluation' : `10 % quantile of ${spread.draws} evaluations`
  assert.ok((await page.getByTestId('champion-spread').innerText()).includes(expected))
  await page.goto(`${page.url().split('#')[0]}#/run/${run}/creature/${champion}`)
  await page.getByTestId('spread').waitFor()
  assert.ok((await page.getByTestId('spread').innerText()).includes(expected))
  assert.deepEqual(faults, [])
  await close()
  await goOn()
})

test('two selected creatures are bred, and the child is in the run', async () => {
  await pause()
  const { page, faults, close } = await visit(browser, server, `#/run/${run}/gallery`)
  const cards = page.getByTestId('card')
  await until(
    () => cards.count(),
    (count) => count >= 2,
  )
  const parents = []
  for (const index of [0, 1]) {
    parents.push(Number(await cards.nth(index).getAttribute('data-id')))
    await cards.nth(index).getByTestId('select').check()
  }
  await page.getByTestId('breed').click()
  const pending = page.getByTestId('pending').first()
  await pending.waitFor()
  const child = Number(await pending.getAttribute('data-id'))
  await goOn()
  const born = await until(() => ask(server, `runs/${run}/individuals/${child}`).catch(() => null), Boolean)
  assert.deepEqual(new Set(born.parents), new Set(parents))
  await page.getByTestId('child').first().click()
  await page.waitForURL(new RegExp(`creature/${child}`))
  await page.getByTestId('creature').waitFor()
  assert.deepEqual(faults, [])
  await close()
})

test('a family tree shows founders, and one opens in the viewer', async () => {
  const { individuals } = await ask(server, `runs/${run}/individuals?limit=3`)
  const [best, second, third] = individuals.map((one) => one.id)
  const breed = async (parents) => {
    const { child } = await ask(server, `runs/${run}/breed`, { parents })
    return until(() => ask(server, `runs/${run}/individuals/${child}`).catch(() => null), Boolean)
  }
  const child = await breed([best, second])
  const youngest = child.outcome === 'scored' ? (await breed([child.id, third])).id : child.id
  await pause()
  const { page, faults, close } = await visit(browser, server, `#/run/${run}/family/${youngest}`)
  await page.getByTestId('family-tree').waitFor()
  const lineage = (await ask(server, `runs/${run}/individuals/${youngest}/lineage`)).individuals
  assert.ok(lineage.length > 1)
  const founder = lineage.at(-1).id
  const relative = page.locator(`[data-testid=relative][data-id="${founder}"]`)
  await relative.waitFor()
  await relative.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`creature/${founder}$`))
  await page.getByTestId('watch').click()
  await page.waitForURL(/#\/stage\//)
  await until(
    () => page.evaluate(() => window.burgess?.stats?.frames ?? 0),
    (frames) => frames > 0,
  )
  const before = (await page.getByTestId('view').screenshot()).toString('base64')
  await until(
    async () => (await page.getByTestId('view').screenshot()).toString('base64'),
    (now) => now !== before,
  )
  assert.deepEqual(faults, [])
  await close()
  await goOn()
})

test('the map is shown, and the run pauses and continues', async () => {
  const { page, faults, close } = await visit(browser, server, `#/run/${run}/map`)
  await page.getByTestId('map').waitFor()
  await page.getByTestId('pause').click()
  await until(
    () => ask(server, `runs/${run}`),
    (now) => now.state === 'paused',
  )
  await page.getByTestId('continue').click()
  await until(
    () => ask(server, `runs/${run}`),
    (now) => now.state === 'evolving',
  )
  assert.deepEqual(faults, [])
  await close()
})
