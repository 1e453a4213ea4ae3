// The page of a flow in a real browser: constant triangles, any step at once, the probe, styles, following a tube.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { browse, flowWatch, program, until, visit } from './harness.mjs'
import { openWall, SEAM, send, shows } from './walls.mjs'

let folder, tubes, server, browser
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burgess-flow-'))
  const fields = join(folder, 'leapfrog.flow')
  tubes = join(folder, 'leapfrog.tubes')
  execFileSync(program, ['flow', 'make', 'leapfrog', '--size', '40', '--steps', '8', '-o', fields])
  execFileSync(program, ['flow', 'extract', fields, '-o', tubes])
  ;[server, browser] = await Promise.all([flowWatch(tubes), browse()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a flow plays, seeks, is probed and followed, with the same number of triangles at every step', async () => {
  const { page, faults, close } = await visit(browser, server, '#/flow/f1')
  await until(
    () => page.evaluate(() => window.burgessFlow?.flow.loaded),
    (loaded) => loaded === 8,
  )
  const measured = await page.evaluate(async () => {
    const { flow, view } = window.burgessFlow
    const triangles = []
    for (const step of [0, 7, 3, 5, 1]) {
      await flow.seek(step)
      view.draw()
      triangles.push([flow.step, view.stats.tube_triangles, view.stats.triangles])
    }
    return triangles
  })
  assert.deepEqual(
    measured.map(([step]) => step),
    [0, 7, 3, 5, 1],
  )
  assert.equal(new Set(measured.map(([, tubes]) => tubes)).size, 1)
  const all = measured.map(([, , triangles]) => triangles)
  assert.ok(Math.max(...all) <= 1.01 * Math.min(...all), `triangles of the picture: ${all}`)

  const box = await page.locator('canvas').first().boundingBox()
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.getByTestId('flow-probe').waitFor()
  const shown = await page.getByTestId('flow-probe-circulation').textContent()
  assert.ok(Number(shown) > 0.3 && Number(shown) < 1.1, `circulation ${shown}`)
  await page.getByTestId('flow-follow').click()
  await page.getByTestId('flow-time').fill('6')
  await until(
    () => page.getByTestId('flow-step').textContent(),
    (text) => text.startsWith('6 '),
  )

  for (const style of ['wire', 'lines', 'surface']) {
    await page.getByTestId(`flow-style-${style}`).check({ force: true })
    const drawn = await page.evaluate(() => {
      window.burgessFlow.view.draw()
      return window.burgessFlow.view.stats.tube_triangles
    })
    assert.ok(drawn > 0, style)
  }
  await page.getByTestId('flow-play').click()
  await until(
    () => page.evaluate(() => window.burgessFlow.flow.step),
    (step) => step === 7,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('an unknown flow says so', async () => {
  const { page, close } = await visit(browser, server, '#/flow/f99')
  await page.getByTestId('flow-failure').waitFor()
  assert.match(await page.getByTestId('flow-failure').textContent(), /no flow 'f99'/)
  await close()
})

test('all walls of a cave show the tubes of the same step', async () => {
  const cave = join(folder, 'cave.toml')
  await writeFile(cave, SEAM)
  const walls = await flowWatch(tubes, '--cave', cave)
  try {
    const opened = await Promise.all(['left', 'right'].map((name) => openWall(browser, walls, name)))
    const pages = opened.map(({ page }) => page)
    await send(pages[0], { do: 'menu', open: true })
    const menu = () => pages[0].evaluate(() => window.burgessWall.view.menu)
    await until(menu, ({ open }) => open)
    const play = (pressed) => send(pages[0], { do: 'point', place: playPlace, pressed })
    const playPlace = await pages[0].evaluate(
      () => window.burgessWall.view.panel.layout.items.find(({ id }) => id === 'play').place,
    )
    await play(true)
    await play(false)
    await until(menu, ({ playing }) => !playing)
    await Promise.all(pages.map((page) => shows(page, 3)))
    // The corners of the triangles are those of the same tubes.
    const corners = (page) =>
      page.evaluate(() => {
        const { geometry } = window.burgessWall.view.world.tubes.mesh.mesh
        return {
          triangles: geometry.drawRange.count / 3,
          corners: Array.from(geometry.getAttribute('position').array.subarray(0, 300)),
        }
      })
    const [left, right] = await Promise.all(pages.map(corners))
    assert.ok(left.triangles > 1000, `${left.triangles} triangles`)
    assert.deepEqual(right, left)
    assert.deepEqual(
      opened.flatMap(({ faults }) => faults),
      [],
    )
    await Promise.all(opened.map(({ close }) => close()))
  } finally {
    await walls.stop()
  }
})
