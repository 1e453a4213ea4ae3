// Measures the cost of drawing large worlds: 500 creatures of 10 parts, and 10,000 bodies. Prints one JSON object per line.
// Software rendering says nothing about frame rates on a graphics card, so it counts draw calls, triangles and script time.
// `bench/viewer` runs it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, browse, until, visit, watch } from './harness.mjs'

const ground = '[[bodies]]\nname = "ground"\nfixed = true\nshapes = [{ type = "half_space" }]\n'

/** A trunk with three legs of three parts. */
function creature(index) {
  const [x, y] = [2 * (index % 25), 2 * Math.floor(index / 25)]
  let text = `[[bodies]]\nname = "trunk-${index}"\nposition = [${x}, ${y}, 0.8]\nshapes = [{ type = "box", size = [0.6, 0.3, 0.2] }]\n`
  for (const leg of [0, 1, 2]) {
    let [parent, place] = [`trunk-${index}`, [0.25 * (leg - 1), leg === 1 ? 0.2 : -0.2, 0]]
    for (const part of [0, 1, 2]) {
      const name = `leg-${index}-${leg}-${part}`
      text += `[[bodies]]\nname = "${name}"\nshapes = [{ type = "capsule", radius = 0.04, length = 0.15, position = [0, 0, -0.1] }]\n`
      text += `joint = { type = "revolute", parent = "${parent}", in_parent = { position = [${place}] }, axis = [0, 1, 0], damping = 0.5 }\n`
      ;[parent, place] = [name, [0, 0, -0.2]]
    }
  }
  return text
}

function body(index) {
  const [x, y, z] = [index % 50, Math.floor(index / 50) % 50, Math.floor(index / 2500)].map((n) => 0.4 * n)
  const shape = [
    '{ type = "box", size = [0.2, 0.2, 0.2] }',
    '{ type = "sphere", radius = 0.1 }',
    '{ type = "capsule", radius = 0.06, length = 0.1 }',
  ][index % 3]
  return `[[bodies]]\nname = "b${index}"\nposition = [${x}, ${y}, ${z + 0.3}]\nshapes = [${shape}]\n`
}

const worlds = [
  ['500 creatures of 10 parts', 5000, ground + [...Array(500).keys()].map(creature).join('')],
  ['10,000 bodies', 10_000, ground + [...Array(10_000).keys()].map(body).join('')],
]

const folder = await mkdtemp(join(tmpdir(), 'burgess-load-'))
const browser = await browse()
try {
  for (const [name, bodies, text] of worlds) {
    const file = join(folder, 'world.toml')
    await writeFile(file, text)
    const server = await watch(file)
    const [session] = await ask(server, 'sessions')
    const { page, close } = await visit(browser, server, `#/stage/${session.id}`)
    const stats = () => page.evaluate(() => ({ ...window.burgess?.stats }))
    // Wait until the frame budget has found its level.
    await until(stats, (now) => now.frames >= 60, 300_000)
    const found = await stats()
    const bytes = await page.evaluate(() => window.burgess.viewer.frame.bytes ?? null)
    console.log(
      JSON.stringify({
        world: name,
        bodies,
        bytes_per_frame: bytes ?? 64 + 28 * bodies,
        draw_calls: found.draw_calls,
        triangles: found.triangles,
        script_ms: found.script_ms,
        detail: found.detail,
      }),
    )
    await close()
    await server.stop()
  }
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
