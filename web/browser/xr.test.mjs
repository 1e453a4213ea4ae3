// The page for headsets with an emulated headset: entry, both eyes, a controller that grabs and uses the menu, and the same
// hash with a headset, with a wall and with neither.
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import { ask, browse, TIMEOUT, until } from './harness.mjs'
import { openWall, SEAM, send, serveCave } from './walls.mjs'

const emulator = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/iwer/build/iwer.min.js')

let server, browser
before(async () => {
  ;[server, browser] = await Promise.all([serveCave(SEAM), browse()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Opens the page of a session with an emulated headset. */
async function openXr(session) {
  const context = await browser.newContext({ viewport: { width: 480, height: 240 } })
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

/** Waits until the headset has drawn some more frames. */
async function draws(page, count = 2) {
  const frames = () => page.evaluate(() => window.burgessXr?.frames ?? 0)
  const before = await frames()
  await until(frames, (now) => now >= before + count)
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

/** Opens a socket of a session in a page. `frame` returns the step and the hash of the newest frame. */
async function watch(page, id) {
  await page.evaluate(
    (id) =>
      new Promise((opened) => {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/sessions/${id}/socket`)
        socket.binaryType = 'arraybuffer'
        window.watched = { ...window.watched, [id]: { socket, step: null, exact: null } }
        socket.onopen = opened
        socket.onmessage = ({ data }) => {
          const watched = window.watched[id]
          if (typeof data === 'string') {
            const message = JSON.parse(data)
            if (message.say === 'status') Object.assign(watched, { exact: message.exact, status: message.step })
            return
          }
          const view = new DataView(data)
          watched.step = Number(view.getBigUint64(16, true))
          watched.hash = view.getBigUint64(40, true).toString(16)
        }
      }),
    id,
  )
  return {
    frame: () =>
      page.evaluate((id) => {
        const { step, hash, exact, status } = window.watched[id]
        return { step, hash, exact, status }
      }, id),
    send: (command) =>
      page.evaluate(([id, command]) => window.watched[id].socket.send(JSON.stringify(command)), [id, command]),
  }
}

const LAST = 800
/** What a user does, and at which steps. */
const INPUTS = [
  [200, { do: 'grab', body: 0, point: [0, 0, 0.01], to: [0, 0, 1.2] }],
  [240, { do: 'drag', to: [0.3, 0.2, 1.1] }],
  [320, { do: 'release', velocity: [0, 2, 0] }],
  [400, { do: 'body', foot: [0.2, -0.4, 0], height: 1.8, radius: 0.25 }],
  [480, { do: 'throw', from: [0.5, -2, 1], velocity: [0, 6, 0], radius: 0.1, density: 800 }],
  [520, { do: 'push', body: 1, impulse: [0.1, 0, 0.2] }],
  [600, { do: 'change', gravity: [0, 0, -4] }],
]

let headset

test('the same inputs give the same hash with a wall, with a headset, and with neither', async () => {
  const source = { type: 'scene', name: 'billiards' }
  const open = async () => (await ask(server, 'sessions', { source, paused: true })).id
  const ids = { wall: await open(), headset: await open(), neither: await open() }
  await ask(server, 'cave/session', { session: ids.wall })
  const [wall, opened] = await Promise.all([openWall(browser, server, 'left'), openXr(ids.headset)])
  headset = { ...opened, id: ids.headset }
  const { page } = headset
  /** Makes the inputs in a session with `act`, and returns the hash at the end. */
  const play = async (id, act) => {
    const session = await watch(wall.page, id)
    act ??= session.send
    const events = async () => (await ask(server, `sessions/${id}/take`)).events.length
    const seek = async (step) => {
      await act({ do: 'seek', step })
      return until(session.frame, (frame) => frame.step === step)
    }
    let expected = 0
    for (const [step, input] of INPUTS) {
      await seek(step)
      await act(input)
      // A throw of what is held is two edits: a release and a push.
      expected += input.do === 'release' ? 2 : 1
      await until(events, (count) => count >= expected)
    }
    assert.equal(await events(), expected)
    return (await seek(LAST)).hash
  }
  const inHeadset = async () => {
    await until(
      () => page.evaluate(() => window.burgessXr?.world.frame?.step ?? null),
      (step) => step !== null,
    )
    await page.getByTestId('xr-enter').click()
    await draws(page)
    return play(ids.headset, (command) => page.evaluate((command) => window.burgessXr.send(0, command), command))
  }
  const [onWall, neither, worn] = await Promise.all([
    play(ids.wall, (command) => send(wall.page, command)),
    play(ids.neither),
    inHeadset(),
  ])
  const hashes = { wall: onWall, headset: worn, neither }
  assert.notEqual(hashes.neither, '0')
  assert.deepEqual(hashes, { wall: hashes.neither, headset: hashes.neither, neither: hashes.neither })
  assert.deepEqual(wall.faults, [])
  await wall.close()
})

test('a headset shows both eyes, and its controller grabs, shoots and uses the menu', async () => {
  const { page, faults, id, close } = headset
  await page.evaluate(() => window.headset.position.set(0, 1.5, -0.4))
  await page.addStyleTag({ content: 'main div { display: none !important }' })
  await draws(page, 3)
  const { differing, colours } = await halves(page)
  assert.ok(differing > 0.01, `${differing} of the pixels differ between the eyes`)
  assert.ok(Math.min(...colours) > 50, `${colours} colours`)

  const kinds = async () => (await ask(server, `sessions/${id}/take`)).events.map(({ deed }) => deed.do)
  const before = (await kinds()).length
  const since = async () => (await kinds()).slice(before)
  /** Points the right controller from a place of the world, which is given in the page, along y. */
  const aim = (from) =>
    page.evaluate(([x, y, z]) => {
      const { rig } = window.burgessXr
      const { right } = window.headset.controllers
      right.position.set(x - rig.position.x, z - rig.position.z, -(y - rig.position.y))
      right.quaternion.set(0, 0, 0, 1)
    }, from)
  const press = (button, value) =>
    page.evaluate(
      ([button, value]) => window.headset.controllers.right.updateButtonValue(button, value),
      [button, value],
    )
  // From 15 cm before a ball.
  const ball = await page.evaluate(() => Array.from(window.burgessXr.world.frame.poses.subarray(0, 3)))
  await aim([ball[0], ball[1] - 0.15, ball[2]])
  await draws(page)
  await press('trigger', 1)
  await until(since, (all) => all.includes('grab'))
  await page.evaluate(() => (window.headset.controllers.right.position.y += 0.3))
  await until(since, (all) => all.includes('drag'))
  await press('trigger', 0)
  await until(since, (all) => all.includes('release'))
  await press('squeeze', 1)
  await until(since, (all) => all.includes('throw'))
  await press('squeeze', 0)

  // The menu opens in front of the user; the controller presses its items.
  const menu = () => page.evaluate(() => window.burgessXr.menu)
  await press('a-button', 1)
  await until(menu, ({ open }) => open)
  await press('a-button', 0)
  const pressItem = async (item) => {
    const place = await page.evaluate((item) => {
      const { panel } = window.burgessXr
      const { place } = panel.layout.items.find(({ id }) => id === item)
      panel.group.updateMatrixWorld(true)
      return panel.group.localToWorld(panel.group.position.clone().set(...place, 0)).toArray()
    }, item)
    await aim([place[0], place[1] - 0.3, place[2]])
    await until(menu, ({ pointed }) => pointed.some((pointed) => pointed.item === item))
    await press('trigger', 1)
    await draws(page)
    await press('trigger', 0)
  }
  await pressItem('hand-push')
  await until(menu, ({ hand }) => hand === 'push')
  await pressItem('gravity')
  await until(since, (all) => all.at(-1) === 'change')
  await pressItem('body')
  await until(since, (all) => all.includes('body'))
  assert.equal((await since())[0], 'grab')

  // The session with the headset replays to the same hashes.
  const take = await ask(server, `sessions/${id}/take`)
  const replay = await ask(server, 'sessions', { source: { type: 'take', take }, paused: true })
  const session = await watch(page, replay.id)
  await session.send({ do: 'seek', step: take.latest })
  const { exact } = await until(session.frame, ({ status }) => status === take.latest)
  assert.ok(exact.checked > 0 && exact.differing === 0, JSON.stringify(exact))
  assert.deepEqual(faults, [])
  await close()
})
