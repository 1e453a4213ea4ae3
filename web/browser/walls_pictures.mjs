// Takes the pictures of walls in docs/pictures: `npm --prefix web run walls`.
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, browse, until, visit } from './harness.mjs'
import { openWall, serveCave, shows } from './walls.mjs'

const pictures = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures')

/** Starts the program with a built-in cave and a period that software rendering can hold. */
async function slowCave(name) {
  const preset = new URL(`../../crates/walls/caves/${name}.toml`, import.meta.url)
  return serveCave((await readFile(preset, 'utf8')).replace(/period = .*/, 'period = 1'))
}

/** Puts the pictures of windows side by side. */
async function montage(browser, windows, name) {
  const images = windows.map((bytes) => `<img src="data:image/png;base64,${bytes.toString('base64')}">`).join('')
  const page = await browser.newPage({ viewport: { width: 1300, height: 800 } })
  await page.setContent(`<body style="margin:0;display:inline-flex;gap:6px;background:#222;padding:6px">${images}`)
  await page.locator('body').screenshot({ path: join(pictures, name) })
  await page.close()
  console.log(`docs/pictures/${name}`)
}

/** Opens all walls of a built-in cave, waits, and returns their pictures. */
async function windows(browser, server, names, size) {
  const walls = await Promise.all(names.map((name) => openWall(browser, server, name, size)))
  await walls[0].page.evaluate(() => window.burgessWall.client.send({ do: 'pause' }))
  await Promise.all(walls.map(({ page }) => shows(page, 3)))
  for (const { page } of walls) await page.addStyleTag({ content: '.late { display: none }' })
  const taken = []
  for (const { page } of walls) taken.push(await page.screenshot())
  return { walls, taken }
}

const browser = await browse()
try {
  const two = await slowCave('two')
  const { walls, taken } = await windows(browser, two, ['left', 'right'], { width: 640, height: 360 })
  await montage(browser, taken, 'walls-two.png')
  const control = await visit(browser, two, '#/cave', { viewport: { width: 1000, height: 1000 } })
  // A tracker reports the head where the cave has it.
  await ask(two, 'cave/tracking', { head: { position: [0, 0, 1.6], orientation: [0, 0, 0, 1] } })
  for (const wall of ['left', 'right'])
    await until(
      () => control.page.getByTestId(`wall-${wall}`).textContent(),
      (text) => text.includes('locked'),
    )
  await control.page.getByTestId('tracker-now').waitFor()
  await control.page.screenshot({ path: join(pictures, 'walls-control.png') })
  console.log('docs/pictures/walls-control.png')
  await walls[0].page.keyboard.press('m')
  await until(
    () => walls[0].page.evaluate(() => window.burgessWall.view.menu.open),
    (open) => open,
  )
  await shows(walls[0].page, 3)
  await walls[0].page.screenshot({ path: join(pictures, 'walls-menu.png') })
  console.log('docs/pictures/walls-menu.png')
  await walls[0].page.keyboard.press('m')
  await ask(two, 'cave/setup', { on: true })
  await shows(walls[0].page, 2)
  await walls[0].page.screenshot({ path: join(pictures, 'walls-setup.png') })
  console.log('docs/pictures/walls-setup.png')
  await Promise.all([control, ...walls].map(({ close }) => close()))
  await two.stop()
  const cube = await slowCave('cube')
  const names = ['left', 'front', 'right', 'floor']
  const sides = await windows(browser, cube, names, { width: 300, height: 300 })
  await montage(browser, sides.taken, 'walls-cube.png')
  await cube.stop()
} finally {
  await browser.close()
}
