// What the tests and measurements of walls share: caves with a period that software rendering can hold, windows, and logs.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve, until, visit } from './harness.mjs'

const wall = (name, lowerLeft, lowerRight, upperLeft, more = '') => `
[[walls]]
name = "${name}"
lower_left = ${JSON.stringify(lowerLeft)}
lower_right = ${JSON.stringify(lowerRight)}
upper_left = ${JSON.stringify(upperLeft)}
${more}`

/** Two abutting walls in a plane, one that covers both, and two with pictures for both eyes. */
export const SEAM = `name = "seam"
eye = [0.2, 0, 1.6]
eye_separation = 0.2
period = 0.1
detail = "low"
scene = "billiards"
${wall('left', [-1.6, 1.2, 0.7], [0, 1.2, 0.7], [-1.6, 1.2, 1.6])}
${wall('right', [0, 1.2, 0.7], [1.6, 1.2, 0.7], [0, 1.2, 1.6])}
${wall('wide', [-1.6, 1.2, 0.7], [1.6, 1.2, 0.7], [-1.6, 1.2, 1.6])}
${['side-by-side', 'anaglyph']
  .map((mode) => wall(mode, [-0.8, 1.2, 0.7], [0.8, 1.2, 0.7], [-0.8, 1.2, 1.6], `stereo = "${mode}"`))
  .join('')}
`

/** The four sides of the cube, with another period in s. */
export const cube = (period) => `name = "cube"
eye = [0, 0, 1.7]
period = ${period}
detail = "low"
scene = "billiards"
${wall('left', [-1.5, -1.5, 0], [-1.5, 1.5, 0], [-1.5, -1.5, 3])}
${wall('front', [-1.5, 1.5, 0], [1.5, 1.5, 0], [-1.5, 1.5, 3])}
${wall('right', [1.5, 1.5, 0], [1.5, -1.5, 0], [1.5, 1.5, 3])}
${wall('floor', [-1.5, -1.5, 0], [1.5, -1.5, 0], [-1.5, 1.5, 0])}
`

/** Starts the program with a cave file of its own. `file` is its path; `stop` removes it, too. */
export async function serveCave(text) {
  const folder = await mkdtemp(join(tmpdir(), 'burgess-cave-'))
  const file = join(folder, 'cave.toml')
  await writeFile(file, text)
  const server = await serve('--cave', file)
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...server, file, stop }
}

/** Opens a window for a wall and waits until it shows something. On a busy machine walls may never be locked. */
export async function openWall(browser, server, name, size = { width: 320, height: 180 }) {
  const opened = await visit(browser, server, `#/wall/${name}`, { viewport: size, deviceScaleFactor: 1 })
  await shows(opened.page)
  return opened
}

/** Waits until a wall has shown some more frames. */
export async function shows(page, frames = 1) {
  const count = () => page.evaluate(() => window.burgessWall?.client.log.length ?? 0)
  const before = await count()
  await until(count, (now) => now >= before + frames)
}

/** Sends a message of a wall, or a command to the session. */
export const send = (page, command) => page.evaluate((command) => window.burgessWall.client.send(command), command)

/** Returns the step that a wall shows, whether the world plays, and the places of all bodies by name. */
export const worldOf = (page) =>
  page.evaluate(() => {
    const { appearance, frame } = window.burgessWall.view.world
    const place = (index) => Array.from(frame.poses.subarray(7 * index, 7 * index + 3))
    // Between two epochs the appearance is already that of the next frame.
    const bodies = appearance.epoch === frame.epoch ? appearance.bodies : []
    return {
      step: frame.step,
      playing: frame.playing,
      bodies: Object.fromEntries(bodies.map(({ name }, index) => [name, place(index)])),
    }
  })

/** Returns what a wall has shown. */
export const logOf = (page) => page.evaluate(() => window.burgessWall.client.log)

/**
 * Compares the logs of walls: the largest difference between the frames that locked walls show at the same time, the share
 * of time in which they differ, and the number of frames. `seconds` is the time in which all are locked. A wall was certainly
 * locked until it showed the next frame if the frame after that was also committed while it was locked: a wall that is too
 * slow to show a frame leaves the lock at once, but learns it later.
 */
export function compareLogs(logs) {
  const changes = logs.flatMap((log, wall) =>
    log.map(({ frame, shown: time }, index) => {
      const following = log.slice(index, index + 3)
      const isLocked =
        following.length === 3 && following.every((next, ahead) => next.locked && next.frame === frame + ahead)
      return { wall, time, frame: isLocked ? frame : null }
    }),
  )
  changes.sort((a, b) => a.time - b.time)
  const showing = new Map()
  let [largest, differing, together, last] = [0, 0, 0, null]
  for (const { wall, frame, time } of changes) {
    const frames = [...showing.values()]
    if (last !== null && frames.length === logs.length) {
      const spread = Math.max(...frames) - Math.min(...frames)
      largest = Math.max(largest, spread)
      together += time - last
      if (spread > 0) differing += time - last
    }
    last = time
    if (frame !== null) showing.set(wall, frame)
    else showing.delete(wall)
  }
  const frames = Math.min(...logs.map((log) => log.filter(({ locked }) => locked).length))
  return { largest, share: differing / together, seconds: together / 1000, frames }
}
