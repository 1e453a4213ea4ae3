// What the page says, in a real browser: restarts, values of panels, times, unknown addresses, errors of files.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'
import { openStage } from './stage.mjs'

let server, browser
before(async () => ([server, browser] = await Promise.all([serve(), browse()])))
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function openStack() {
  const session = await ask(server, 'sessions', { source: { type: 'scene', name: 'stack' }, paused: true })
  const seen = await visit(browser, server, `#/stage/${session.id}`)
  await until(() => seen.page.evaluate(() => Boolean(window.burgess?.viewer.frame)), Boolean)
  return { ...seen, session }
}

const stepOf = (page) => page.evaluate(() => window.burgess?.viewer.frame?.step ?? -1)

test('a restart asks whether to keep the changes, and panels show the values of the world', async () => {
  const { page, faults, close } = await openStack()
  await page.getByTestId('tab-world').click()
  const values = async () =>
    Promise.all(['gravity', 'friction'].map((name) => page.getByTestId(name).locator('xpath=..').innerText()))
  const [gravity] = await values()
  assert.match(gravity, /-9\.81 m/)
  await page.evaluate(() => window.burgess.viewer.stepBy(30))
  await until(
    () => stepOf(page),
    (step) => step === 30,
  )
  // Without changes there is nothing to ask.
  await page.getByTestId('restart').click()
  await until(
    () => stepOf(page),
    (step) => step === 0,
  )
  await page.evaluate(() => window.burgess.viewer.stepBy(30))
  await until(
    () => stepOf(page),
    (step) => step === 30,
  )
  await page.getByRole('button', { name: 'Moon' }).click()
  await page.evaluate(() => window.burgess.viewer.send({ do: 'change', friction: 0.25 }))
  await until(values, ([gravity, friction]) => gravity.includes('-1.62') && friction.includes('0.25'))
  await page.getByTestId('restart').click()
  await page.getByTestId('restart-changed').click()
  await until(
    () => stepOf(page),
    (step) => step === 0,
  )
  // Before the changes the world has its first values again.
  await until(values, ([gravity, friction]) => gravity.includes('-9.81') && friction.includes('from the scene'))
  const before = page.url()
  await page.getByTestId('restart').click()
  await page.getByTestId('restart-built').click()
  await until(
    () => page.url(),
    (url) => url !== before,
  )
  await until(
    () => page.evaluate(() => window.burgess?.viewer.edits.length),
    (edits) => edits === 0,
  )
  assert.equal((await ask(server, 'sessions')).length, 1)
  assert.deepEqual(faults, [])
  await close()
})

test('the time shows single steps', async () => {
  const { page, close, session } = await openStack()
  const time = () => page.getByTestId('time').innerText()
  await until(time, (text) => text.startsWith('0.000'))
  await page.getByTestId('step-forward').click()
  await until(time, (text) => text.startsWith(session.step.toFixed(3)))
  await close()
})

test('unknown addresses have a page', async () => {
  const { page, faults, close } = await visit(browser, server, '#/nonsense/1')
  await page.getByTestId('unknown-page').waitFor()
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await page.getByTestId('scene-stack').waitFor()
  assert.deepEqual(faults, [])
  await close()
})

test('an error of a file stays until it is closed', async () => {
  const { page, close } = await visit(browser, server)
  const file = { name: 'wrong.json', mimeType: 'application/json', buffer: Buffer.from('{"version": 1}') }
  await page.getByTestId('open-take').setInputFiles(file)
  const notice = page.getByTestId('notice')
  await notice.waitFor()
  assert.match(await notice.innerText(), /^wrong\.json must have an object as 'source', but it has none\./)
  // The lists are loaded again every three seconds, which must not remove the message.
  await page.waitForTimeout(4000)
  assert.ok(await notice.isVisible())
  await notice.getByRole('button').click()
  await notice.waitFor({ state: 'detached' })
  await close()
})

test('the space bar pauses after a click, and presses a button that the keyboard has reached', async () => {
  const { page, faults, close } = await openStage(browser, server, { source: { type: 'scene', name: 'stack' } })
  const playing = () => page.evaluate(() => window.burgess.viewer.playing)
  await page.getByTestId('tab-world').click()
  await page.getByTestId('throw').click()
  await until(
    () => page.evaluate(() => window.burgess.viewer.edits.length),
    (edits) => edits === 1,
  )
  await page.keyboard.press('Space')
  await until(playing, (now) => !now)
  assert.equal(await page.evaluate(() => window.burgess.viewer.edits.length), 1)
  await page.getByTestId('tab-view').focus()
  await page.keyboard.press('Space')
  await page.getByTestId('display-solid').waitFor()
  assert.equal(await playing(), false)
  assert.deepEqual(faults, [])
  await close()
})
