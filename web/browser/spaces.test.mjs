// Curved spaces in a real browser: opening, walking through faces, stereo, explanations, deformation and covers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, browse, serve, until, visit } from './harness.mjs'

let server, browser
before(async () => ([server, browser] = await Promise.all([serve(), browse()])))
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Opens a space and waits for its first picture. */
async function open(name, options = { viewport: { width: 700, height: 420 } }) {
  const visitor = await visit(browser, server, `#/space/${name}`, options)
  await until(() => visitor.page.evaluate(() => (window.burgessSpace?.view.stats.frames ?? 0) > 0), Boolean)
  return visitor
}

/** Defines `picture()` in the page: draws, and returns the pixels. */
function withPicture(page) {
  return page.evaluate(() => {
    window.picture = () => {
      const { view } = window.burgessSpace
      view.draw()
      const gl = view.renderer.getContext()
      const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight)
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
      return { pixels, width: gl.drawingBufferWidth, height: gl.drawingBufferHeight }
    }
  })
}

test('every space opens, stays within its budget and comes back after a walk through its faces', async () => {
  for (const { name } of await ask(server, 'spaces')) {
    const { page, faults, close } = await open(name)
    await withPicture(page)
    const found = await page.evaluate(() => {
      const { view, page } = window.burgessSpace
      const first = window.picture()
      const colours = new Set()
      for (let i = 0; i < first.pixels.length; i += 40) colours.add(first.pixels.slice(i, i + 3).join())
      const walks = page.space.faces.slice(0, 3).map((face, index) => {
        const start = view.observer.frame.slice()
        // Straight to the centre of the face and as far again, in the observer's axes.
        const target = [0, 1, 2, 3].map((row) =>
          [0, 1, 2, 3].reduce((sum, column) => sum + view.observer.view[4 * column + row] * face.centre[column], 0),
        )
        const sine = Math.hypot(target[0], target[1], target[2])
        const distance = { spherical: Math.atan2(sine, target[3]), flat: sine, hyperbolic: Math.asinh(sine) }
        const step = (1.3 * distance[page.space.geometry]) / sine
        const drift = target.slice(0, 3).map((x) => x * step)
        const crossed = view.observer.step(drift)
        const away = window.picture()
        view.observer.step(drift.map((x) => -x))
        const back = window.picture()
        let differing = 0
        for (let i = 0; i < back.pixels.length; i++) if (Math.abs(back.pixels[i] - first.pixels[i]) > 8) differing++
        let moved = 0
        for (let i = 0; i < back.pixels.length; i++) if (Math.abs(away.pixels[i] - first.pixels[i]) > 8) moved++
        view.observer.frame = start
        const share = (count) => count / back.pixels.length
        return { index, crossed: crossed.length, differing: share(differing), moved: share(moved) }
      })
      return { colours: colours.size, walks, stats: { ...view.stats } }
    })
    assert.ok(found.colours > 20, `${name}: ${found.colours} colours`)
    assert.ok(
      found.stats.triangles > 0 && found.stats.triangles <= 700_000,
      `${name}: ${found.stats.triangles} triangles`,
    )
    assert.ok(found.stats.drawCalls <= 12, `${name}: ${found.stats.drawCalls} draw calls`)
    for (const walk of found.walks) {
      assert.ok(walk.crossed >= 1, `${name}: face ${walk.index} was not crossed`)
      assert.ok(walk.moved > 0.02, `${name}: the picture beyond face ${walk.index} is the same`)
      // Rounding moves single pixels on the edges of beams.
      assert.ok(walk.differing < 0.002, `${name}: ${walk.differing} of the picture differs after face ${walk.index}`)
    }
    assert.deepEqual(faults, [], name)
    await close()
  }
})

test('the eyes are moved by isometries: parallax is horizontal, also when the head is rolled', async () => {
  for (const name of ['3-torus', 'seifert-weber', 'poincare']) {
    const { page, faults, close } = await open(name, { viewport: { width: 1130, height: 500 } })
    await withPicture(page)
    await page.getByTestId('stereo').setChecked(true, { force: true })
    const found = await page.evaluate(() => {
      const { view, page } = window.burgessSpace
      // One earth alone: no other copies, panes, beams or figures, and no fog.
      view.show({ ...page.space, copies: page.space.copies.slice(0, 16), layers: [0], sheets: [0] })
      view.options = { ...view.options, stereo: true, panes: false, beams: false, figure: false, fog: 0 }
      const radius = Math.min(page.space.in_radius, 1)
      const centres = (roll) => {
        view.observer.frame = new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        view.observer.step([0, 0, 0.85 * radius])
        view.observer.step([0, 0, 0], [0, 0, roll])
        const { pixels, width, height } = window.picture()
        const background = [...pixels.slice(0, 3)]
        return [0, 1].map((eye) => {
          let [x, y, n] = [0, 0, 0]
          for (let row = 0; row < height; row++)
            for (let column = 0; column < width / 2; column++) {
              const at = 4 * (row * width + column + (eye * width) / 2)
              if (Math.abs(pixels[at] - background[0]) + Math.abs(pixels[at + 2] - background[2]) < 12) continue
              ;[x, y, n] = [x + column, y + row, n + 1]
            }
          return { x: x / n, y: y / n, n, height }
        })
      }
      return { rolls: [0, Math.PI / 2, 0.7].map(centres), radius, geometry: page.space.geometry }
    })
    // The earth is straight ahead of the point between the eyes. In the right triangle with the legs h (half the distance
    // of the eyes) and d (the distance of the earth), the angle at the middle eye is a right one, and the earth is seen from
    // an eye in a direction whose tangent is sin h / tan d, generalised.
    const { radius, geometry } = found
    const half = (0.06 * radius) / 2
    const distance = 0.85 * radius
    const tangents = {
      flat: half / distance,
      spherical: Math.sin(half) / Math.tan(distance),
      hyperbolic: Math.sinh(half) / Math.tanh(distance),
    }
    for (const [left, right] of found.rolls) {
      assert.ok(left.n > 200 && right.n > 200, `${name}: the earth is not seen`)
      const scale = left.height / 2 / Math.tan((75 * Math.PI) / 360)
      const expected = 2 * scale * tangents[geometry]
      assert.ok(Math.abs(left.x - right.x - expected) < 0.06 * expected + 1, `${name}: ${left.x - right.x} ${expected}`)
      assert.ok(Math.abs(left.y - right.y) < 1, `${name}: vertical parallax ${left.y - right.y}`)
    }
    assert.deepEqual(faults, [])
    await close()
  }
})

test('the panel explains the space', async () => {
  const { page, faults, close } = await visit(browser, server)
  await page.getByTestId('space-weeks').click()
  const panel = page.getByTestId('explanation')
  await panel.waitFor()
  const text = await panel.innerText()
  for (const part of ['smallest volume', 'hyperbolic', '0.9427073628', '18 faces', 'homology', 'Why do I see my back?'])
    assert.ok(text.includes(part), `${part} is not in: ${text}`)
  assert.equal(await page.getByTestId('domain-picture').locator('polygon').count(), 18)
  const copies = await until(
    () => page.getByTestId('copies').innerText(),
    (now) => !now.startsWith('0;'),
  )
  assert.match(copies, /^[\d,]+; known are [\d,]+ in \d+ layers/)
  assert.deepEqual(faults, [])
  await close()
})

test('the domain is deformed, its base point moved, and covers are coloured', async () => {
  const { page, faults, close } = await open('3-torus', {})
  const set = async (id, value) => {
    await page.getByTestId(id).fill(String(value))
    await page.getByTestId(id).dispatchEvent('change')
  }
  const volume = (expected) =>
    until(
      async () => Number(await page.getByTestId('volume').innerText()),
      (now) => Math.abs(now - expected) < 1e-9,
    )
  await volume(1)
  await set('parameter-width', 2)
  await volume(2)
  await set('parameter-x_of_depth', 0.5)
  await until(
    () => page.getByTestId('domain-picture').locator('polygon').count(),
    (count) => count === 8,
  )
  await set('sheets', 2)
  await until(
    () => page.getByTestId('covers').innerText(),
    (text) => text.includes('7 classes of subgroups of index 2'),
  )
  const colours = await page.evaluate(() => new Set(window.burgessSpace.page.space.sheets).size)
  assert.equal(colours, 2)
  await set('layers', 2)
  await until(
    () => page.evaluate(() => Math.max(...window.burgessSpace.page.space.layers)),
    (deepest) => deepest === 2,
  )
  assert.deepEqual(faults, [])
  await close()
})

test('the pointer rotates, drifts or flies, and the creature comes into the domain', async () => {
  const { page, faults, close } = await open('3-torus')
  const frame = () => page.evaluate(() => [...window.burgessSpace.view.observer.frame])
  const distance = (a, b) => Math.hypot(...[12, 13, 14].map((i) => a[i] - b[i]))
  const turned = (a, b) => Math.hypot(...[0, 1, 2, 4, 5, 6].map((i) => a[i] - b[i]))
  const box = await page.getByTestId('space-view').boundingBox()
  const drag = async () => {
    await page.mouse.move(box.x + 100, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x + 160, box.y + 120, { steps: 4 })
    await page.waitForTimeout(300)
    await page.mouse.up()
  }
  const start = await frame()
  await drag()
  const rotated = await frame()
  assert.ok(turned(rotated, start) > 0.1 && distance(rotated, start) < 1e-9)
  await page.getByTestId('mode-drifting').check({ force: true })
  await drag()
  const drifted = await frame()
  assert.ok(turned(drifted, rotated) < 1e-9 && distance(drifted, rotated) > 0.05)
  await page.getByTestId('mode-mixed').check({ force: true })
  await drag()
  const flown = await frame()
  assert.ok(turned(flown, drifted) > 0.01 && distance(flown, drifted) > 0.001)
  await page.getByTestId('show-creature').check({ force: true })
  const before = await page.evaluate(() => window.burgessSpace.view.stats.drawCalls)
  await until(
    () => page.evaluate(() => window.burgessSpace.view.stats.drawCalls),
    (calls) => calls > before,
  )
  assert.deepEqual(await ask(server, 'sessions'), [])
  assert.deepEqual(faults, [])
  await close()
})
