// A world that is gone, in a real browser: the page says why, and opens it again at the same time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, browse, restart, serve, until, visit } from './harness.mjs'

let server, browser
before(async () => ([server, browser] = await Promise.all([serve(), browse()])))
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function openAt(step) {
  const session = await ask(server, 'sessions', { source: { type: 'scene', name: 'pendulum' }, paused: true })
  const seen = await visit(browser, server, `#/stage/${session.id}`)
  await until(() => seen.page.evaluate(() => Boolean(window.burgess?.viewer.frame)), Boolean)
  await seen.page.evaluate((steps) => window.burgess.viewer.stepBy(steps), step)
  await until(
    () => seen.page.evaluate(() => window.burgess.viewer.step),
    (now) => now === step,
  )
  return { ...seen, session }
}

const stepOf = (page) => page.evaluate(() => window.burgess?.viewer.frame?.step ?? -1)

async function openAgain(page, step) {
  const before = page.url()
  await page.getByTestId('open-again').click()
  await until(
    () => page.url(),
    (url) => url !== before,
  )
  await until(
    () => stepOf(page),
    (now) => now === step,
  )
}

test('a world that was closed can be opened again at the same time', async () => {
  const { page, faults, close, session } = await openAt(50)
  await fetch(`${server.address}/api/sessions/${session.id}`, { method: 'DELETE' })
  const lost = page.getByTestId('lost')
  await lost.waitFor()
  assert.equal(await lost.getAttribute('data-reason'), 'ended')
  assert.doesNotMatch(await page.innerText('body'), /does not (answer|respond)/)
  await openAgain(page, 50)
  assert.deepEqual(faults, [])
  await close()
})

test('a restart of the server is told, and the world can be opened again, also after loading the page again', async () => {
  const { page, faults, close } = await openAt(60)
  const url = page.url()
  await server.halt()
  await page.getByTestId('connection').waitFor()
  await restart(server)
  const lost = page.getByTestId('lost')
  await lost.waitFor()
  assert.equal(await lost.getAttribute('data-reason'), 'restarted')
  await page.goto('about:blank')
  await page.goto(url)
  await lost.waitFor()
  assert.equal(await lost.getAttribute('data-reason'), 'restarted')
  await page.getByTestId('open-again').click()
  await until(
    () => stepOf(page),
    (now) => now === 60,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('a world that gets the id of the lost one is shown', async () => {
  await server.halt()
  await restart(server)
  const { page, faults, close, session } = await openAt(40)
  await server.halt()
  await restart(server)
  await page.getByTestId('open-again').click()
  await page.getByTestId('lost').waitFor({ state: 'detached' })
  await until(
    () => stepOf(page),
    (now) => now === 40,
  )
  assert.ok(page.url().endsWith(`/${session.id}`))
  assert.deepEqual(faults, [])
  await close()
})
