// Every page in a real browser, in both themes: no finding of axe (contrast, names, roles), and no text outside its place, also
// on a phone.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'

const axe = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

let server, browser, run, champion, contest
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
  contest = (await ask(server, 'runs', { task: 'sumo', seed: 1, evaluations: 40 })).name
  run = (await ask(server, 'runs', { task: 'walk', seed: 7, evaluations: 5000, algorithm: 'genetic' })).name
  const begun = await until(
    () => ask(server, `runs/${run}`),
    (now) => now.count >= 12 && now.champion !== null,
    300_000,
  )
  champion = begun.champion
  await ask(server, `runs/${run}/pause`, {})
  await until(
    () => ask(server, `runs/${contest}/contest`),
    ({ sides }) => sides.length > 0,
    300_000,
  )
  // A run that cannot be read and a world on stage are part of the overview.
  await writeFile(join(server.runs, 'broken.burgess'), 'this is not a run')
  await ask(server, 'sessions', { source: { type: 'scene', name: 'pendulum' }, paused: true })
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Pages of a run and others: address, test id to wait for. */
const pages = () => [
  ['overview', '#/', 'run-broken'],
  ['unknown', '#/nonsense', 'unknown-page'],
  ['lost', '#/stage/s999', 'lost'],
  ['space', '#/space/weeks', 'explanation'],
  ['run', `#/run/${run}`, 'curves'],
  ['gallery', `#/run/${run}/gallery`, 'card'],
  ['map', `#/run/${run}/map`, 'map'],
  ['family', `#/run/${run}/family/${champion}`, 'family-tree'],
  ['creature', `#/run/${run}/creature/${champion}`, 'creature'],
  ['compare', `#/run/${run}/compare/${champion}/0`, 'tab-compare'],
  ['contest', `#/run/${contest}/contest`, 'play-tournament'],
  ['moment', '#/world/scene/no-such-scene?step=1', 'moment-failure'],
  ['comparison', `#/compare/${run}`, 'group-median'],
  ['picker', '#/compare', 'kind'],
]

/** Rules of axe about colours, which differ between the themes. All others are tested with the light theme only. */
const COLOURS = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** Tests with axe what is on the page, in both themes; returns one line for each kind of finding. */
async function findings(page, name) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = []
  for (const [colorScheme, rules] of [
    ['dark', COLOURS],
    ['light', {}],
  ]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await page.evaluate(
      (rules) => window.axe.run({ resultTypes: ['violations'], ...rules }),
      rules,
    )
    for (const { id, nodes } of violations) {
      const [{ target, failureSummary }] = nodes
      const first = `${target.join(' ')}: ${failureSummary.split('\n')[1]?.trim()}`
      found.push(`${name}, ${colorScheme}: ${id}, ${nodes.length} times, first at ${first}`)
    }
  }
  return found
}

/** Returns the texts that reach out of the window, or out of a box that cuts them off without showing it. */
const cutTexts = (page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const cut = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      if (element.closest('.hidden-label, svg, script, style, option')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { left, right } = range.getBoundingClientRect()
      for (let box = element; box; box = box.parentElement) {
        const style = getComputedStyle(box)
        // A box that scrolls or shows dots is meant to be smaller than its text.
        if (['auto', 'scroll'].includes(style.overflowX) || style.textOverflow === 'ellipsis') break
        const edges = box.getBoundingClientRect()
        const cuts = style.overflowX !== 'visible' || box === document.documentElement
        if (cuts && (right > edges.right + 1 || left < edges.left - 1)) {
          cut.push(node.data.trim().slice(0, 60))
          break
        }
      }
    }
    return cut
  })

async function open(hash, waitFor, options) {
  const seen = await visit(browser, server, hash, { reducedMotion: 'reduce', ...options })
  await seen.page.getByTestId(waitFor).first().waitFor()
  return seen
}

/** Goes to another page without loading the program again. */
async function goTo(page, hash, waitFor) {
  // By an empty page, so that nothing of the last page is taken for the next.
  for (const [next, sign] of [
    ['#/nonsense', 'unknown-page'],
    [hash, waitFor],
  ]) {
    await page.goto(`${server.address}/${next}`)
    await page.getByTestId(sign).first().waitFor()
  }
}

/** Opens a world; returns its address. */
const world = async (source) => `#/stage/${(await ask(server, 'sessions', { source, paused: true })).id}`

test('axe finds nothing on any page', async () => {
  const found = []
  const { page, close } = await open('#/nonsense', 'unknown-page')
  for (const [name, hash, waitFor] of pages()) {
    await goTo(page, hash, waitFor)
    found.push(...(await findings(page, name)))
  }
  await close()
  assert.deepEqual(found, [])
})

test('axe finds nothing in the scatter plot and the editor', async () => {
  const found = []
  const gallery = await open(`#/run/${run}/gallery`, 'card')
  await gallery.page.getByTestId('view-scatter').click()
  await gallery.page.getByTestId('scatter-note').waitFor()
  found.push(...(await findings(gallery.page, 'scatter')))
  await gallery.close()
  const { page, close } = await open(await world({ type: 'scene', name: 'stack' }), 'edit-text')
  await page.getByTestId('edit-text').click()
  await page.getByTestId('scene-text').click()
  found.push(...(await findings(page, 'editor')))
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('# A comment\nname = "x"\ngravity = [0, 0, -9.81]\n[[bodies]]\nname = true\n')
  await page.getByTestId('go-to-fault').waitFor()
  found.push(...(await findings(page, 'fault')))
  await close()
  assert.deepEqual(found, [])
})

test('axe finds nothing in the viewer', async () => {
  const found = []
  const hash = await world({ type: 'creature', name: 'quadruped' })
  const { page, close } = await open(hash, 'play')
  await until(() => page.evaluate(() => Boolean(window.burgess?.viewer.frame)), Boolean)
  for (const tab of ['view', 'probe', 'world', 'film', 'brain']) {
    if (tab !== 'view') await page.getByTestId(`tab-${tab}`).click()
    found.push(...(await findings(page, tab)))
  }
  await page.keyboard.press('?')
  await page.getByTestId('help').waitFor()
  found.push(...(await findings(page, 'keys')))
  await page.keyboard.press('Escape')
  await page.getByTestId('share').click()
  await until(() => page.getByTestId('moment-link').inputValue(), Boolean)
  found.push(...(await findings(page, 'share')))
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.burgess.viewer.send({ do: 'change', gravity: [0, 0, -3] }))
  await until(() => page.evaluate(() => window.burgess.viewer.edits.length), Boolean)
  await page.evaluate(() => window.burgess.viewer.restart.ask())
  await page.getByTestId('restart-dialog').waitFor()
  found.push(...(await findings(page, 'restart')))
  await close()
  assert.deepEqual(found, [])
})

test('axe finds nothing in the panel of bounce and on a shared page', async () => {
  const found = []
  const hash = await world({ type: 'bounce', objects: 10 })
  const { page, close } = await open(hash, 'play')
  await until(() => page.evaluate(() => Boolean(window.burgess?.viewer.frame)), Boolean)
  await page.getByTestId('tab-world').click()
  await page.getByTestId('objects').waitFor()
  found.push(...(await findings(page, 'bounce')))
  await close()
  const id = hash.split('/').at(-1)
  const shared = join(server.runs, 'shared.html')
  const answer = await fetch(`${server.address}/api/sessions/${id}/export?to=html&seconds=1`)
  await writeFile(shared, await answer.text())
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const file = await context.newPage()
  await file.goto(`file://${shared}`)
  await file.getByTestId('clip-play').waitFor()
  found.push(...(await findings(file, 'shared page')))
  await context.close()
  assert.deepEqual(found, [])
})

test('axe finds nothing with plots, tree, actuators and profile open', async () => {
  const found = []
  const hash = await world({ type: 'creature', name: 'quadruped' })
  const { page, close } = await open(hash, 'play')
  await until(() => page.evaluate(() => Boolean(window.burgess?.viewer.contents)), Boolean)
  await page.getByTestId('plots-button').click()
  found.push(...(await findings(page, 'no plots')))
  for (const name of ['Height', 'Energy']) await page.getByTestId('suggestion').filter({ hasText: name }).click()
  await page.getByTestId('chart').nth(1).waitFor()
  await page.getByTestId('tab-probe').click()
  await page.getByTestId('tree-search').fill('part')
  await page.getByTestId('tree-body').first().click()
  await page.getByTestId('probe').waitFor()
  found.push(...(await findings(page, 'plots and tree')))
  await page.getByTestId('tab-world').click()
  for (const section of ['actuators-section', 'profile-section']) {
    await page.getByTestId(section).locator('summary').click()
  }
  await page.evaluate(() => {
    const { pace } = window.burgess.viewer
    // The world stands still, which is not slow.
    pace.judge = () => {}
    pace.slow = true
  })
  await page.getByTestId('slow').getByRole('button').first().click()
  await page.getByTestId('slow-reason').waitFor()
  found.push(...(await findings(page, 'actuators, profile and badge')))
  await close()
  assert.deepEqual(found, [])
})

test('no text is cut off, on a desktop and on a phone', async () => {
  const found = []
  const views = [...pages(), ['viewer', await world({ type: 'scene', name: 'demolition-chain-two-walls' }), 'play']]
  for (const [size, options] of [
    ['desktop', {}],
    ['phone', PHONE],
  ]) {
    const { page, close } = await open('#/nonsense', 'unknown-page', options)
    for (const [name, hash, waitFor] of views) {
      await goTo(page, hash, waitFor)
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (width > 0) found.push(`${name}, ${size}: the page is ${width} px too wide`)
      found.push(...(await cutTexts(page)).map((text) => `${name}, ${size}: '${text}' is cut off`))
    }
    await close()
  }
  assert.deepEqual(found, [])
})

test('the canvas fills its place on a phone, with the panel open and closed', async () => {
  const { page, close } = await open(await world({ type: 'scene', name: 'stack' }), 'play', PHONE)
  await until(() => page.evaluate(() => Boolean(window.burgess?.stats.frames)), Boolean)
  const sizes = () =>
    page.evaluate(() => {
      const canvas = document.querySelector('[data-testid=view]')
      const place = canvas.parentElement.getBoundingClientRect()
      const { width, height } = canvas.getBoundingClientRect()
      return { place: [place.width, place.height], shown: [width, height], ratio: canvas.width / canvas.height }
    })
  const check = async () => {
    const now = await until(sizes, ({ place, ratio }) => Math.abs(ratio - place[0] / place[1]) < 0.02)
    assert.deepEqual(now.shown, now.place)
    assert.equal(now.place[0], 390)
    assert.ok(now.place[1] > 250, `the view is ${now.place[1]} px high`)
  }
  await check()
  await page.getByTestId('tab-view').click()
  await check()
  await close()
})
