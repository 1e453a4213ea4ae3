// The editor of scenes as text in a real browser: live preview, faults at their lines, and saving.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'

const TWO = `name = "two balls"

[[bodies]]
name = "a"
position = [0, 0, 3]
shapes = [{ type = "sphere", radius = 0.5 }]

[[bodies]]
name = "b"
position = [2, 0, 3]
shapes = [{ type = "sphere", radius = 0.25 }]
`

let server, browser
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Opens a scene with its editor. */
async function edit(source) {
  const { id } = await ask(server, 'sessions', { source, paused: true })
  const seen = await visit(browser, server, `#/stage/${id}`)
  await until(() => seen.page.evaluate(() => Boolean(window.burgess?.viewer.frame)), Boolean)
  await seen.page.getByTestId('edit-text').click()
  await seen.page.getByTestId('scene-text').waitFor()
  return { ...seen, id }
}

/** Replaces the whole text, as a paste does. */
async function write(page, text) {
  await page.getByTestId('scene-text').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

const state = (page) => page.getByTestId('text-state').innerText()
const bodies = (page) => page.evaluate(() => window.burgess.view.appearance?.bodies.length)

test('the stage shows a valid text, and keeps the last good one while there is a fault', async () => {
  const { page, faults, close, id } = await edit({ type: 'scene', name: 'stack' })
  const before = await bodies(page)
  assert.match(await page.getByTestId('scene-text').innerText(), /stack/)
  await write(page, TWO)
  await until(
    () => bodies(page),
    (count) => count === 2,
  )
  assert.notEqual(before, 2)
  await until(
    () => state(page),
    (text) => text === 'The stage shows this text.',
  )
  assert.equal(await page.locator('h1').first().innerText(), 'two balls')
  // A fault is marked at its line, and the world stays.
  await write(page, TWO.replace('radius = 0.25', 'radius = -0.25'))
  const fault = await until(
    () => state(page),
    (text) => text.includes('line'),
  )
  assert.match(fault, /line 11, bodies\[1\]\.shapes\[0\]\.radius/)
  assert.match(fault, /The stage shows the last good text/)
  await page.locator('.cm-lint-marker-error').waitFor()
  await page.locator('.cm-lintRange-error').waitFor()
  assert.equal(await bodies(page), 2)
  assert.equal(await page.getByTestId('save-scene').isDisabled(), true)
  // Syntax, too.
  await write(page, `${TWO}\n[[bodies\n`)
  await until(
    () => state(page),
    (text) => text.includes('line 13'),
  )
  await page.getByTestId('go-to-fault').click()
  // Typing does not use the shortcuts of the viewer.
  const { step } = await page.evaluate(() => window.burgess.viewer.frame)
  await page.keyboard.type(' t ')
  assert.equal((await ask(server, `sessions/${id}/take`)).events.length, 0)
  assert.equal((await page.evaluate(() => window.burgess.viewer.frame)).step, step)
  assert.deepEqual(faults, [])
  await close()
})

test('an edited scene plays, and returns to earlier steps with the same hash', async () => {
  const { page, faults, close, id } = await edit({ type: 'scene', name: 'stack' })
  await write(page, TWO)
  await until(
    () => bodies(page),
    (count) => count === 2,
  )
  await page.getByTestId('close-editor').click()
  await page.evaluate(() => window.burgess.viewer.seek(160))
  await until(
    () => page.evaluate(() => window.burgess.viewer.frame.step),
    (step) => step === 160,
  )
  await page.evaluate(() => window.burgess.viewer.seek(40))
  const status = await until(
    () => page.evaluate(() => window.burgess.viewer.status),
    (now) => now.step === 40 && now.exact.checked > 0,
  )
  assert.equal(status.exact.differing, 0)
  const take = await ask(server, `sessions/${id}/take`)
  assert.equal(take.source.text, TWO)
  const replay = await ask(server, 'sessions', { source: { type: 'take', take } })
  assert.equal(replay.title, 'two balls')
  assert.deepEqual(faults, [])
  await close()
})

test('a scene is saved as a file, which is not replaced without asking', async () => {
  const { page, faults, close } = await edit({ type: 'scene', name: 'pendulum' })
  await write(page, TWO)
  await until(
    () => state(page),
    (text) => text === 'The stage shows this text.',
  )
  const file = page.getByTestId('scene-file')
  assert.equal(await file.inputValue(), 'pendulum.toml')
  await file.fill('two')
  await page.getByTestId('save-scene').click()
  await page.getByTestId('saved').waitFor()
  const path = join(server.runs, 'two.toml')
  assert.equal(await readFile(path, 'utf8'), TWO)
  const changed = TWO.replace('two balls', 'other balls')
  await write(page, changed)
  await until(() => page.getByTestId('save-scene').isEnabled(), Boolean)
  await until(
    () => state(page),
    (text) => text === 'The stage shows this text.',
  )
  await page.getByTestId('save-scene').click()
  await page.getByTestId('keep-scene').click()
  assert.equal(await readFile(path, 'utf8'), TWO)
  await page.getByTestId('save-scene').click()
  await page.getByTestId('replace-scene').click()
  await until(
    () => readFile(path, 'utf8'),
    (text) => text === changed,
  )
  // A name outside of the folder is refused with a sentence.
  await file.fill('../out')
  await page.getByTestId('save-scene').click()
  await until(
    () => page.getByTestId('saved').innerText(),
    (text) => text.includes('is not the name of a file'),
  )
  assert.equal(existsSync(join(server.runs, '../out.toml')), false)
  await close()
  // The file is on the overview and opens.
  const overview = await visit(browser, server, '#/')
  await overview.page.getByTestId('scene-file-two.toml').click()
  await overview.page.waitForURL(/#\/stage\//)
  await until(
    () => overview.page.evaluate(() => window.burgess?.viewer.session?.title),
    (title) => title === 'other balls',
  )
  await overview.close()
  assert.deepEqual(faults, [])
})

test('creatures have no editor', async () => {
  const { id } = await ask(server, 'sessions', { source: { type: 'creature', name: 'quadruped' }, paused: true })
  const { page, close } = await visit(browser, server, `#/stage/${id}`)
  await until(() => page.evaluate(() => Boolean(window.burgess?.viewer.frame)), Boolean)
  assert.equal(await page.getByTestId('edit-text').count(), 0)
  await close()
})
