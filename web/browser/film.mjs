// Makes the film of the README, docs/pictures/creatures.gif: six creatures of the zoo filmed by the page, side by side in
// one GIF. The film of the contest is also kept alone, as docs/pictures/contest.webm.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import gifenc from 'gifenc'
import { browse, serve, visit } from './harness.mjs'
import { goTo, openStage } from './stage.mjs'

const { applyPalette, GIFEncoder, quantize } = gifenc
const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures')
const RATE = 15
const SECONDS = 4
const PANEL = { width: 288, height: 162 }
const COLUMNS = 3
const COLOURS = 96
/** Differences of colour below this are not seen: the pixel of the picture before is kept. */
const TOLERANCE = 10

/** The creatures that are filmed, the time at which each film begins, in s, and a factor of the distance. */
const FILMS = [
  ['sprinter', 3, 0.7],
  ['bramble', 3, 0.7],
  ['beads', 3, 0.7],
  ['manta', 3, 0.75],
  ['oarsman', 3, 0.75],
  ['grappler', 2.2, 0.4],
]
const ROWS = Math.ceil(FILMS.length / COLUMNS)
/** The time at which the film of the contest begins, its duration, in s, and a factor of the distance. */
const CONTEST = [0, 9, 0.65]

/** Films a creature as a user does, and returns the video. */
async function film(browser, server, name, start, seconds, distance) {
  const source = { type: 'creature', name }
  const { page, close, session } = await openStage(browser, server, { source, paused: true }, { acceptDownloads: true })
  const step = await page.evaluate(() => window.burgess.viewer.stepLength)
  await goTo(page, Math.round(start / step / session.steps_per_frame) * session.steps_per_frame)
  await page.evaluate((distance) => window.burgess.view.cameras.zoom(distance), distance)
  await page.getByTestId('tab-film').click()
  await page.getByTestId('film-size').selectOption('640 × 360')
  await page.getByTestId('film-rate').selectOption('30')
  await page.getByTestId('film-seconds').fill(String(seconds))
  const waiting = page.waitForEvent('download', { timeout: 600_000 })
  await page.getByTestId('film').click()
  const video = await readFile(await (await waiting).path())
  await close()
  return video
}

/** Returns the pixels of the videos side by side, picture by picture. */
async function pictures(page, videos) {
  await page.evaluate(
    async ([videos, width, height]) => {
      window.videos = await Promise.all(
        videos.map(async (data) => {
          const video = document.createElement('video')
          video.src = `data:video/webm;base64,${data}`
          await new Promise((loaded) => (video.onloadeddata = loaded))
          return video
        }),
      )
      window.canvas = Object.assign(document.createElement('canvas'), { width, height })
    },
    [videos.map((video) => video.toString('base64')), COLUMNS * PANEL.width, ROWS * PANEL.height],
  )
  const all = []
  for (let k = 0; k < RATE * SECONDS; k++) {
    const data = await page.evaluate(
      async ([time, columns, { width, height }]) => {
        const pen = window.canvas.getContext('2d', { willReadFrequently: true })
        for (const [index, video] of window.videos.entries()) {
          const arrived = new Promise((seeked) => (video.onseeked = seeked))
          video.currentTime = time
          await arrived
          pen.drawImage(video, (index % columns) * width, Math.floor(index / columns) * height, width, height)
        }
        const { data } = pen.getImageData(0, 0, window.canvas.width, window.canvas.height)
        let text = ''
        for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768))
        return btoa(text)
      },
      [(k + 0.5) / RATE, COLUMNS, PANEL],
    )
    all.push(new Uint8ClampedArray(Buffer.from(data, 'base64')))
  }
  return all
}

/** Encodes pictures with one palette; pixels that hardly change are transparent, which takes few bytes. */
function encode(all) {
  const some = all.filter((_, k) => k % 10 === 0)
  const joined = new Uint8ClampedArray(some.length * some[0].length)
  some.forEach((data, k) => joined.set(data, k * data.length))
  const palette = quantize(joined, COLOURS)
  const transparent = palette.length
  const encoder = GIFEncoder()
  const shown = new Uint8ClampedArray(all[0].length)
  all.forEach((data, k) => {
    const indices = applyPalette(data, palette)
    for (let pixel = 0; pixel < indices.length; pixel++) {
      const [red, green, blue] = [0, 1, 2].map((channel) => data[4 * pixel + channel] - shown[4 * pixel + channel])
      if (k > 0 && Math.max(Math.abs(red), Math.abs(green), Math.abs(blue)) < TOLERANCE) indices[pixel] = transparent
      else shown.set(data.subarray(4 * pixel, 4 * pixel + 4), 4 * pixel)
    }
    encoder.writeFrame(indices, COLUMNS * PANEL.width, ROWS * PANEL.height, {
      palette: k === 0 ? [...palette, [0, 0, 0]] : undefined,
      transparent: k > 0,
      transparentIndex: transparent,
      dispose: k > 0 ? 1 : 0,
      delay: 1000 / RATE,
      repeat: 0,
    })
  })
  encoder.finish()
  return encoder.bytes()
}

async function save(name, bytes) {
  await writeFile(join(folder, name), bytes)
  console.log(`docs/pictures/${name}: ${((await stat(join(folder, name))).size / 1e6).toFixed(1)} MB`)
}

const server = await serve()
const browser = await browse()
try {
  const videos = []
  for (const [name, start, distance] of FILMS) videos.push(await film(browser, server, name, start, SECONDS, distance))
  const { page, close } = await visit(browser, server, '')
  await save('creatures.gif', encode(await pictures(page, videos)))
  await close()
  const [start, seconds, distance] = CONTEST
  await save('contest.webm', await film(browser, server, 'grappler', start, seconds, distance))
} finally {
  await browser.close()
  await server.stop()
}
