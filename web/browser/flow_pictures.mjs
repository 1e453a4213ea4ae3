// Makes the pictures and the film of docs/flow.md, in docs/pictures: `npm --prefix web run flows [TUBES]`.
// TUBES is a file of the flow 'leapfrog'; without it the flow is made and extracted first.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browse, flowWatch, program, until, visit } from './harness.mjs'

const pictures = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures')
const folder = await mkdtemp(join(tmpdir(), 'burgess-flow-'))
let [tubes] = process.argv.slice(2)
if (!tubes) {
  const burgess = (...words) => execFileSync(program, ['flow', ...words], { stdio: 'inherit' })
  tubes = join(folder, 'leapfrog.tubes')
  burgess('make', 'leapfrog', '-o', join(folder, 'leapfrog.flow'))
  burgess('extract', join(folder, 'leapfrog.flow'), '-o', tubes)
}

const server = await flowWatch(tubes)
const browser = await browse()
try {
  const { page, close } = await visit(browser, server, '#/flow/f1')
  const isLoaded = () =>
    page.evaluate(() => {
      const flow = window.burgessFlow?.flow
      return Boolean(flow) && flow.loaded === flow.detail.steps.length
    })
  await until(isLoaded, Boolean, 300_000)
  const show = (share) =>
    page.evaluate(async (share) => {
      const { flow, view } = window.burgessFlow
      flow.setQuantity(2)
      view.orbit = { azimuth: -0.9, elevation: 0.16, zoom: 0.95 }
      await flow.seek(Math.round(share * (flow.detail.steps.length - 1)))
      view.draw()
    }, share)
  await show(0.3)
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(pictures, 'flow-leapfrog.png') })
  console.log('docs/pictures/flow-leapfrog.png')

  const box = await page.locator('canvas').first().boundingBox()
  await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.45 * box.height)
  await page.getByTestId('flow-probe').waitFor()
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(pictures, 'flow-probe.png') })
  console.log('docs/pictures/flow-probe.png')

  const waiting = page.waitForEvent('download', { timeout: 600_000 })
  await page.getByTestId('flow-film').click()
  await (await waiting).saveAs(join(pictures, 'flow-leapfrog.webm'))
  console.log('docs/pictures/flow-leapfrog.webm')
  await close()
} finally {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true })
}
