// Opening worlds in a real browser: the first picture.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { browse, serve, until, visit } from './harness.mjs'

let server, browser
before(async () => ([server, browser] = await Promise.all([serve(), browse()])))
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('the first picture of a world that opens from the overview already shows the world', async () => {
  const { page, faults, close } = await visit(browser, server)
  await page.evaluate(() => {
    window.pictures = []
    let held
    Object.defineProperty(window, 'burgess', {
      configurable: true,
      get: () => held,
      set(value) {
        held = value
        value.view.onDraw = () => {
          const { view } = value
          const marks = view.overlays.group.children.filter((mark) => mark.isInstancedMesh && mark.visible)
          window.pictures.push({ known: Boolean(view.appearance && view.frame), marks: marks.length })
        }
      },
    })
  })
  await page.getByTestId('scene-stack').click()
  const pictures = await until(
    () => page.evaluate(() => window.pictures),
    (pictures) => pictures.length >= 3,
  )
  for (const picture of pictures) assert.deepEqual(picture, { known: true, marks: 0 })
  assert.deepEqual(faults, [])
  await close()
})
