// Takes a picture of every built-in space for docs/spaces.md, and prints what drawing each costs:
// `npm --prefix web run spaces [NAME...]`.
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, browse, serve, until, visit } from './harness.mjs'

const pictures = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures/spaces')
const chosen = process.argv.slice(2)

const server = await serve()
const browser = await browse()
try {
  await mkdir(pictures, { recursive: true })
  const spaces = (await ask(server, 'spaces'))
    .map(({ name }) => name)
    .filter((name) => !chosen.length || chosen.includes(name))
  console.log('| space | copies drawn | triangles | draw calls | script time, ms |\n|---|---|---|---|---|')
  for (const name of spaces) {
    // The panel beside the picture is 330 pixels wide, and the header 57 high.
    const { page, close } = await visit(browser, server, `#/space/${name}`, {
      viewport: { width: 330 + 720, height: 537 },
      colorScheme: 'dark',
    })
    await until(() => page.evaluate(() => (window.burgessSpace?.view.stats.frames ?? 0) > 0), Boolean)
    const stats = await page.evaluate(() => {
      const { view } = window.burgessSpace
      // The shortest of several frames: the first one also compiles the shader, and other programs may disturb.
      const frames = [...Array(20)].map(() => {
        view.draw()
        return view.stats.script
      })
      return { ...view.stats, script: Math.min(...frames) }
    })
    await page.getByTestId('space-view').screenshot({ path: join(pictures, `${name}.jpg`), type: 'jpeg', quality: 82 })
    console.log(`| ${name} | ${stats.copies} | ${stats.triangles} | ${stats.drawCalls} | ${stats.script.toFixed(1)} |`)
    await close()
  }
} finally {
  await browser.close()
  await server.stop()
}
