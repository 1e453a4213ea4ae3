// The page for headsets with an emulated headset: entry, both eyes, and a controller that grabs.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import { ask, browse, serve, TIMEOUT, until } from './harness.mjs'

const emulator = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/iwer/build/iwer.min.js')

let server, browser
before(async () => {
  ;[server, browser] = await Promise.all([serve(), browse()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Opens the page of a session with an emulated headset. */
async function openXr(session) {
  const context = await browser.newContext({ viewport: { width: 640, height: 320 } })
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT)
  const faults = []
  page.on('pageerror', (error) => faults.push(`${error.stack ?? error}`))
  await page.addInitScript({ path: emulator })
  await page.addInitScript(() => {
    const device = new window.IWER.XRDevice(window.IWER.metaQuest3)
    device.installRuntime({ forceInstall: true })
    device.stereoEnabled = true
    window.headset = device
  })
  await page.goto(`${server.address}/#/xr/${session}`)
  return { page, faults, close: () => context.close() }
}

/** Returns the share of pixels that differ between the halves of a picture, and its number of colours. */
async function halves(page) {
  const picture = (await page.screenshot()).toString('base64')
  return page.evaluate(async (picture) => {
    const image = new Image()
    image.src = `data:image/png;base64,${picture}`
    await image.decode()
    const { width, height } = image
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const colours = [new Set(), new Set()]
    let differing = 0
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width / 2; x++) {
        const [left, right] = [4 * (y * width + x), 4 * (y * width + x + width / 2)]
        colours[0].add(data.subarray(left, left + 3).join())
        colours[1].add(data.subarray(right, right + 3).join())
        if ([0, 1, 2].some((channel) => Math.abs(data[left + channel] - data[right + channel]) > 8)) differing++
      }
    return { differing: differing / (width * height * 0.5), colours: colours.map((set) => set.size) }
  }, picture)
}

test('a headset shows both eyes, and its controller grabs and shoots', async () => {
  const { id } = await ask(server, 'sessions', { source: { type: 'scene', name: 'billiards' } })
  const { page, faults, close } = await openXr(id)
  await until(
    () => page.evaluate(() => window.burgessXr?.world.frame?.step ?? null),
    (step) => step !== null,
  )
  await page.getByTestId('xr-enter').click()
  await until(
    () => page.evaluate(() => window.burgessXr.frames),
    (frames) => frames > 3,
  )
  await page.evaluate(() => window.headset.position.set(0, 1.5, -0.4))
  await page.addStyleTag({ content: 'main div { display: none !important }' })
  const frames = await page.evaluate(() => window.burgessXr.frames)
  await until(
    () => page.evaluate(() => window.burgessXr.frames),
    (now) => now > frames + 2,
  )
  const { differing, colours } = await halves(page)
  assert.ok(differing > 0.01, `${differing} of the pixels differ between the eyes`)
  assert.ok(Math.min(...colours) > 50, `${colours} colours`)
  // Point the right controller at a ball from 15 cm, close it, lift the ball, and open it.
  const aim = () =>
    page.evaluate(() => {
      const { world, rig } = window.burgessXr
      const [x, y, z] = world.frame.poses.subarray(0, 3)
      const { right } = window.headset.controllers
      right.position.set(x - rig.position.x, z - rig.position.z, -(y - rig.position.y) + 0.15)
      right.quaternion.set(0, 0, 0, 1)
    })
  const press = (button, value) =>
    page.evaluate(
      ([button, value]) => window.headset.controllers.right.updateButtonValue(button, value),
      [button, value],
    )
  const kinds = async () => (await ask(server, `sessions/${id}/take`)).events.map(({ deed }) => deed.do)
  const next = async () => {
    const now = await page.evaluate(() => window.burgessXr.frames)
    await until(
      () => page.evaluate(() => window.burgessXr.frames),
      (frames) => frames > now + 1,
    )
  }
  for (let attempt = 0; attempt < 5 && !(await kinds()).includes('grab'); attempt++) {
    await press('trigger', 0)
    await aim()
    await next()
    await press('trigger', 1)
    await next()
  }
  await page.evaluate(() => (window.headset.controllers.right.position.y += 0.3))
  await until(kinds, (all) => all.includes('drag'))
  await press('trigger', 0)
  await until(kinds, (all) => all.includes('release'))
  await press('squeeze', 1)
  const found = await until(kinds, (all) => all.includes('throw'))
  assert.equal(found[0], 'grab')
  // The session with the headset replays to the same hashes.
  const take = await ask(server, `sessions/${id}/take`)
  const replay = await ask(server, 'sessions', { source: { type: 'take', take }, paused: true })
  const exact = await page.evaluate(
    ([id, last]) =>
      new Promise((found) => {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/sessions/${id}/socket`)
        socket.onopen = () => socket.send(JSON.stringify({ do: 'seek', step: last }))
        socket.onmessage = ({ data }) => {
          const message = typeof data === 'string' ? JSON.parse(data) : {}
          if (message.say === 'status' && message.step === last) found(message.exact)
        }
      }),
    [replay.id, take.latest],
  )
  assert.ok(exact.checked > 0 && exact.differing === 0, JSON.stringify(exact))
  assert.deepEqual(faults, [])
  await close()
})
