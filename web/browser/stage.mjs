// Opens worlds in the viewer, for tests.
import { ask, until, visit } from './harness.mjs'

/** Opens a session and its page, and waits for the first frame. */
export async function openStage(browser, server, request, options) {
  const session = await ask(server, 'sessions', request)
  const seen = await visit(browser, server, `#/stage/${session.id}`, options)
  await ready(seen.page)
  return { ...seen, session }
}

/** Waits for the first frame, the status and the contents of the world. */
export function ready(page) {
  const isReady = () =>
    page.evaluate(() => {
      const viewer = window.burgess?.viewer
      return Boolean(viewer?.frame && viewer.status && viewer.contents)
    })
  return until(isReady, Boolean)
}

/** Simulates to a step. */
export async function goTo(page, step) {
  await page.evaluate((step) => window.burgess.viewer.seek(step), step)
  await until(
    () => page.evaluate(() => window.burgess.viewer.step),
    (now) => now === step,
  )
}

/** Returns the place of a body on the screen, in pixels, when a picture was drawn in which it can be clicked. */
export async function placeOf(page, body) {
  const { x, y } = await until(
    () =>
      page.evaluate((body) => {
        const { view, viewer } = window.burgess
        const at = view.camera.position
          .clone()
          .fromArray(viewer.frame.poses, 7 * body)
          .project(view.camera)
        const { left, top, width, height } = document.querySelector('[data-testid=view]').getBoundingClientRect()
        const [x, y] = [left + ((1 + at.x) / 2) * width, top + ((1 - at.y) / 2) * height]
        return { x, y, drawn: view.stats.frames > 0, picked: view.pick(x, y)?.body }
      }, body),
    ({ drawn, picked }) => drawn && picked === body,
  )
  return { x, y }
}
