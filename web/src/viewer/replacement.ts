// What a viewer does when its world was opened again or replaced by another one.
import * as api from '../lib/api'
import type { Frame } from '../lib/frame'
import { takeWanted } from '../lib/reopen'
import type { Viewer } from './viewer.svelte'

/** Loads the description of the session again; returns whether the scene was replaced by another one. */
export async function reloadSession(viewer: Viewer): Promise<boolean> {
  const before = JSON.stringify(viewer.session?.source)
  viewer.session = await api.sessionOf(viewer.id)
  return JSON.stringify(viewer.session.source) !== before
}

/** Draws a frame. One of another world is drawn when the appearance of that world is known. */
export function showFrame({ view }: Viewer, frame: Frame): void {
  const count = view?.appearance?.bodies.length
  if (count === undefined || frame.poses.length === 7 * count) view?.setFrame(frame)
}

/** Goes to the moment that the world had before it was opened again. */
export async function goToWanted(viewer: Viewer): Promise<void> {
  const moment = takeWanted(viewer.id)
  if (!moment) return
  viewer.send(
    viewer.session?.kind === 'recording' ? { do: 'seek', step: moment.step } : { do: 'step', steps: moment.step },
  )
  viewer.notify(`Simulating to ${moment.time.toFixed(3)} s …`)
  try {
    await viewer.client.next((frame) => frame.step >= moment.step || frame.ended, 600_000)
    if (moment.playing) viewer.send({ do: 'play' })
  } catch (error) {
    viewer.notify((error as Error).message)
  }
}
