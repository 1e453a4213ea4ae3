// Views of data in a real browser: several runs in one chart, a scatter plot linked to the gallery, pictures in the map, tables to
// download, and command lines.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { ask, browse, program, serve, until, visit } from './harness.mjs'

/** A name that a shell would take apart. */
const ODD = `odd $(name) 'it"s`

let server, browser
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
  for (const seed of [1, 2]) {
    await ask(server, 'runs', { task: 'walk', seed, evaluations: 60, algorithm: 'map_elites', family: 'legged' })
  }
  for (const name of ['walk-1', 'walk-2']) {
    await until(
      () => ask(server, `runs/${name}`),
      (now) => now.state === 'done',
      300_000,
    )
  }
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const number = (text) => Number(text.replaceAll(',', ''))

async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('several runs are compared by median and quartiles over seeds', async () => {
  const { page, faults, close } = await visit(browser, server, '#/')
  await page.getByTestId('compare').click()
  await page.getByTestId('kind').check()
  await page.waitForURL(/#\/compare\/walk-1\/walk-2$/)
  // The runs arrive one after the other.
  await page.getByTestId('group').filter({ hasText: 'seeds 1, 2' }).waitFor()
  assert.equal(await page.getByTestId('group').count(), 1)
  assert.match(await page.getByTestId('group').innerText(), /walk · MAP-Elites · legged bodies/)
  const ends = await Promise.all(['walk-1', 'walk-2'].map((name) => ask(server, `runs/${name}/history`)))
  const best = ends.map((run) => run.best.at(-1))
  const shown = number(await page.getByTestId('group-median').innerText())
  const expected = (best[0] + best[1]) / 2
  assert.ok(Math.abs(shown - expected) <= 0.006 * Math.abs(expected), `${shown} and ${expected}`)
  // The legend has the same number as the table.
  assert.ok(
    (await page.getByTestId('comparison-legend').innerText()).includes(
      await page.getByTestId('group-median').innerText(),
    ),
  )
  const file = await saved(page, () => page.getByTestId('comparison-csv').click())
  assert.equal(file.name, 'comparison-best.csv')
  const last = file.text.trim().split('\r\n').at(-1).split(',')
  assert.deepEqual([last[0], last[1], last[4], last[5]], ['walk', 'map_elites', '60', '2'])
  assert.ok(Math.abs(Number(last[7]) - expected) < 1e-9)
  await page.getByTestId('comparison-single').check({ force: true })
  await page.getByTestId('comparison-measure').selectOption('median')
  await page.getByTestId('pick-walk-2').uncheck()
  await until(
    async () => page.getByTestId('group').innerText(),
    (text) => /seeds 1\n/.test(`${text}\n`) && !text.includes('seeds 1, 2'),
  )
  // A run that is not there is named, and the others are shown.
  await page.goto(`${server.address}/#/compare/walk-1/none`)
  await page.getByTestId('comparison-failure').waitFor()
  assert.match(await page.getByTestId('comparison-failure').innerText(), /^none: /)
  await page.getByTestId('group-median').waitFor()
  assert.deepEqual(faults, [])
  await close()
})

test('a region of the scatter plot filters the gallery', async () => {
  const { page, faults, close } = await visit(browser, server, '#/run/walk-1/gallery')
  await page.getByTestId('card').first().waitFor()
  await page.getByTestId('view-scatter').click()
  await page.getByTestId('scatter-note').waitFor()
  const all = await ask(server, 'runs/walk-1/points?x=mass&y=fitness')
  // The upper half of the plot.
  const box = await page.getByTestId('scatter-canvas').boundingBox()
  await page.mouse.move(box.x + 57, box.y + 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + 150, { steps: 4 })
  await page.mouse.up()
  const low = await until(
    () => page.getByTestId('scatter-y-low').inputValue(),
    (value) => value !== '',
  )
  const expected = all.id.filter((_, k) => all.y[k] >= Number(low) * 0.9999)
  assert.ok(expected.length > 0 && expected.length < all.id.length, `${expected.length} of ${all.id.length}`)
  const ids = () => page.getByTestId('card').evaluateAll((cards) => cards.map((card) => Number(card.dataset.id)))
  const found = await until(ids, (now) => now.length <= expected.length)
  assert.deepEqual(new Set(found), new Set(expected.slice(0, 48).length === expected.length ? expected : found))
  // With the keyboard: the fields select a region, too.
  await page.getByTestId('scatter-clear').click()
  await until(ids, (now) => now.length > found.length)
  await page.getByTestId('scatter-x').selectOption('id')
  await page.getByTestId('scatter-x-low').fill('3')
  await page.getByTestId('scatter-x-high').fill('6')
  await page.getByTestId('scatter-x-high').press('Enter')
  const few = await until(ids, (now) => now.length <= 4)
  assert.ok(few.every((id) => id >= 3 && id <= 6) && few.length > 0, `${few}`)
  await page.getByTestId('view-scatter').click()
  await until(ids, (now) => now.length > 4)
  assert.deepEqual(faults, [])
  await close()
})

test('the cells of the map have pictures', async () => {
  const { page, faults, close } = await visit(browser, server, '#/run/walk-1/map')
  const pictures = page.getByTestId('map').locator('[role=gridcell] img')
  await pictures.first().waitFor()
  const { cells } = await ask(server, 'runs/walk-1/map')
  const drawn = () =>
    pictures.evaluateAll((images) => images.filter((image) => image.complete && image.naturalWidth > 0).length)
  const shown = await page.getByTestId('map').locator('[role=gridcell][data-id]').count()
  assert.ok(shown > 0 && shown <= cells.length)
  await until(drawn, (count) => count === shown)
  await page.getByTestId('map-pictures').uncheck({ force: true })
  assert.equal(await pictures.count(), 0)
  assert.deepEqual(faults, [])
  await close()
})

test('tables are downloaded as CSV and JSON', async () => {
  const { page, faults, close } = await visit(browser, server, '#/run/walk-1')
  await page.getByTestId('table-csv').waitFor()
  const csv = await saved(page, () => page.getByTestId('table-csv').click())
  const json = await saved(page, () => page.getByTestId('table-json').click())
  const { total } = await ask(server, 'runs/walk-1/individuals?limit=1')
  assert.equal(csv.text.trim().split('\r\n').length, total + 1)
  const rows = JSON.parse(json.text)
  assert.equal(rows.length, total)
  assert.deepEqual(Object.keys(rows[0]).sort(), csv.text.split('\r\n')[0].split(',').sort())
  const curve = await saved(page, () => page.getByTestId('curve-csv').click())
  const { generations } = await ask(server, 'runs/walk-1/curve')
  assert.equal(curve.text.trim().split('\r\n').length, generations.length + 1)
  assert.match(curve.text, /^generation,born,scored,best_so_far,best,/)
  assert.deepEqual(faults, [])
  await close()
})

test('command lines repeat what the page does, also for odd names', async () => {
  const { page, close } = await visit(browser, server, '#/run/walk-2', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const sh = (line) =>
    execFileSync('sh', ['-c', line.replace(/^burgess /, '"$BURGESS" ')], {
      encoding: 'utf8',
      cwd: join(server.runs, '..'),
      env: { ...process.env, BURGESS: program },
    })
  await page.getByTestId('repeat').waitFor()
  await page.getByTestId('repeat-copy').click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, await page.getByTestId('repeat').innerText())
  const { config } = await ask(server, 'runs/walk-2')
  assert.equal(sh(`${copied} --print-config`), config)
  // The form for new runs.
  await page.getByTestId('new-seed').fill('9')
  await page.getByTestId('new-algorithm').selectOption('age_fitness')
  await page.getByTestId('new-family').selectOption('graph')
  await page.getByTestId('new-evaluations').fill('70')
  const line = await page.getByTestId('new-command').innerText()
  assert.equal(line, 'burgess evolve walk --seed 9 --evaluations 70 --algorithm age-fitness --family graph')
  const wanted = { task: 'walk', seed: 9, evaluations: 70, algorithm: 'age_fitness', family: 'graph' }
  const started = await ask(server, 'runs', wanted)
  assert.equal(sh(`${line} --print-config`), (await ask(server, `runs/${started.name}`)).config)
  await close()
  // The file of a run with an odd name.
  await rename(join(server.runs, 'walk-2.burgess'), join(server.runs, `${ODD}.burgess`))
  const { page: odd, close: closeOdd } = await visit(browser, server, `#/run/${encodeURIComponent(ODD)}/creature/0`)
  // The name of the folder arrives after the page.
  const watch = await until(
    () => odd.getByTestId('watch-command').innerText(),
    (text) => text.includes(basename(server.runs)),
  )
  assert.match(sh(`${watch} --still`), /./)
  assert.match(sh(watch.replace('burgess watch', 'burgess lineage')), /0/)
  await closeOdd()
})
