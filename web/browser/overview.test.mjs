// The overview in a real browser: pictures that move, open worlds in a row, and many runs in pages.
import assert from 'node:assert/strict'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'

const COPIES = 40

let server, browser, run
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
  run = (await ask(server, 'runs', { task: 'walk', seed: 3, evaluations: 12, algorithm: 'genetic' })).name
  await until(
    () => ask(server, `runs/${run}`),
    (now) => now.state === 'done' && now.champion !== null,
    300_000,
  )
  for (let index = 0; index < COPIES; index++) await copyFile(fileOf(run), fileOf(`copy-${index}`))
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const fileOf = (name) => join(server.runs, `${name}.burgess`)
const cards = (page) => page.getByTestId(/^run-(copy|walk|broken|long)/)
const texts = (locator) => locator.allInnerTexts()

/** Opens the overview and waits until all runs are listed. */
async function overview(runs, options) {
  const seen = await visit(browser, server, '', options)
  await seen.page.getByTestId('scene-stack').waitFor()
  await until(
    () => seen.page.getByTestId('run-range').innerText(),
    (text) => text.endsWith(`of ${runs}`),
  )
  return seen
}

test('the page links the licences of the packages in it', async () => {
  const { page, faults, close } = await overview(COPIES + 1)
  const address = await page.getByRole('link', { name: /licences/ }).evaluate((link) => link.href)
  const answer = await page.request.get(address)
  assert.match(answer.headers()['content-type'], /^text\/plain/)
  assert.match(await answer.text(), /## three - [0-9.]+ \(MIT\)/)
  assert.deepEqual(faults, [])
  await close()
})

test('many runs come in pages, are found by words and sorted', async () => {
  const { page, faults, close } = await overview(COPIES + 1)
  assert.equal(await cards(page).count(), 24)
  assert.equal(await page.getByTestId('run-range').innerText(), `1 to 24 of ${COPIES + 1}`)
  await page.getByTestId('runs-after').click()
  await until(
    () => cards(page).count(),
    (count) => count === COPIES + 1 - 24,
  )
  await page.getByTestId('run-sort').selectOption('name')
  await until(
    () => texts(cards(page)),
    (names) => names[0] === 'copy-0' && names[2] === 'copy-2' && names[10] === 'copy-10',
  )
  await page.getByTestId('run-search').fill('copy-3 walk')
  await until(
    () => texts(cards(page)),
    (names) => names.length === 11 && names[0] === 'copy-3' && names[1] === 'copy-30',
  )
  await page.getByTestId('run-search').fill('no such run')
  await page.getByTestId('no-run').waitFor()
  assert.deepEqual(faults, [])
  await close()
})

test('a list that has not changed is not requested again, and a change is shown', async () => {
  const { page, faults, close } = await overview(COPIES + 1)
  const asked = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const polledTwice = async () => {
    asked.length = 0
    await until(
      () => asked.filter((path) => path === '/api/versions').length,
      (count) => count >= 2,
    )
  }
  // Files that were written a moment ago are read twice.
  await until(async () => {
    const [{ unread, version }, { runs }] = [await ask(server, 'run-page'), await ask(server, 'versions')]
    return unread === 0 && version === runs
  }, Boolean)
  await polledTwice()
  await polledTwice()
  const lists = (paths) =>
    paths.filter((path) => /^\/api\/(runs|run-page|sessions|scenes|creatures|recordings)$/.test(path))
  assert.deepEqual(lists(asked), [])
  await copyFile(fileOf(run), fileOf('later'))
  await until(
    () => page.getByTestId('run-range').innerText(),
    (text) => text.endsWith(`of ${COPIES + 2}`),
  )
  await rm(fileOf('later'))
  await until(
    () => page.getByTestId('run-range').innerText(),
    (text) => text.endsWith(`of ${COPIES + 1}`),
  )
  // Another page and back: the lists are still there.
  asked.length = 0
  await page.goto(`${server.address}/#/nonsense`)
  await page.getByTestId('unknown-page').waitFor()
  await page.goto(`${server.address}/#/`)
  await page.getByTestId('run-range').waitFor()
  await until(
    () => asked.length,
    (count) => count > 0,
  )
  assert.deepEqual(lists(asked), [])
  assert.deepEqual(faults, [])
  await close()
})

test('a run that cannot be read is listed with its reason, in a group of its own', async () => {
  const long = `long-${'x'.repeat(180)}`
  await writeFile(fileOf('broken'), 'this is not a run')
  await writeFile(fileOf('broken-<img src=x onerror=alert(1)>'), 'this is not a run either')
  await copyFile(fileOf(run), fileOf(long))
  await writeFile(join(server.runs, 'notes.txt'), 'other files do not disturb')
  const { page, faults, close } = await overview(COPIES + 4)
  await page.getByTestId('task-unreadable').click()
  const card = page.getByTestId('picture-card').filter({ has: page.getByTestId('run-broken') })
  await card.waitFor()
  assert.equal(await page.getByTestId('run-range').count(), 0)
  assert.match(await card.innerText(), /broken[^]*(not a|database|run)/i)
  assert.doesNotMatch(await card.innerText(), new RegExp(server.runs))
  await page.getByTestId('run-search').fill('long-')
  await page.getByRole('button', { name: /^All/ }).click()
  await page.getByTestId(`run-${long}`).waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(width <= 0, `the page is ${width} px too wide`)
  for (const name of ['broken', 'broken-<img src=x onerror=alert(1)>', long]) await rm(fileOf(name))
  assert.deepEqual(faults, [])
  await close()
})

test('scenes, creatures and champions have pictures, which move under the pointer', async () => {
  const { page, faults, close } = await overview(COPIES + 1)
  for (const id of ['scene-pendulum', 'creature-walker', 'bounce', `run-${run}`]) {
    if (id === `run-${run}`) await page.getByTestId('run-search').fill(run)
    const card = page.getByTestId('picture-card').filter({ has: page.getByTestId(id) })
    await card.scrollIntoViewIfNeeded()
    const picture = card.locator('.picture > img')
    await until(() => picture.evaluate((image) => image.complete && image.naturalWidth > 0), Boolean)
    assert.equal(await card.getByTestId('moving').count(), 0)
    await card.hover()
    const canvas = card.locator('canvas')
    const pixels = () => canvas.evaluate((each) => (each.width > 1 ? each.toDataURL() : ''))
    const shown = new Set()
    await until(
      async () => shown.add(await pixels()).size,
      (size) => size >= 4,
    )
    await page.mouse.move(0, 0)
    await card.getByTestId('moving').waitFor({ state: 'detached' })
  }
  assert.deepEqual(faults, [])
  await close()
})

test('worlds on stage are in one row with picture, age and a button that ends all', async () => {
  for (const source of [
    { type: 'scene', name: 'pendulum' },
    { type: 'creature', name: 'walker' },
    { type: 'bounce', objects: 12 },
    { type: 'individual', run },
  ])
    await ask(server, 'sessions', { source, paused: true })
  const { page, faults, close } = await overview(COPIES + 1)
  const worlds = page.getByTestId('stage-world')
  // The page asks for worlds and runs separately.
  await until(
    () => worlds.count(),
    (count) => count === 4,
  )
  for (let index = 0; index < 4; index++) {
    const picture = worlds.nth(index).locator('img')
    await picture.scrollIntoViewIfNeeded()
    await until(() => picture.evaluate((image) => image.complete && image.naturalWidth > 0), Boolean)
  }
  assert.match(await page.getByTestId('stage-age').first().innerText(), /^\d+ (s|min)$/)
  const tops = await worlds.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
  assert.equal(new Set(tops).size, 1, 'one row')
  await page.getByTestId('stage-row').locator('summary').click()
  assert.equal(await worlds.first().isVisible(), false)
  // The browser reports the change after it shows it.
  await until(
    () => page.evaluate(() => localStorage.getItem('burgess-stage-row')),
    (state) => state === 'closed',
  )
  await page.reload()
  await page.getByTestId('stage-count').waitFor()
  assert.equal(await worlds.first().isVisible(), false, 'the row stays closed')
  await page.getByTestId('stage-row').locator('summary').click()
  await worlds.first().getByRole('button', { name: 'End pendulum' }).click()
  await until(
    () => worlds.count(),
    (count) => count === 3,
  )
  await page.getByTestId('end-all').click()
  await page.getByTestId('end-all-yes').click()
  await page.getByTestId('stage-row').waitFor({ state: 'detached' })
  assert.deepEqual(await ask(server, 'sessions'), [])
  assert.deepEqual(faults, [])
  await close()
})
