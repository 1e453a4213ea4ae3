// Keyboard shortcuts of the viewer: one list for handling keys and for the help dialog.
import { OVERLAYS, type SwitchedOverlay } from '../lib/overlays'
import { CAMERAS, type CameraKind } from '../scene3d/cameras'
import type { Display } from '../scene3d/instances'
import type { Viewer } from './viewer.svelte'

export const CAMERA_NAMES: Record<CameraKind, string> = {
  static: 'Fixed',
  follow: 'Follow',
  orbit: 'Orbit',
  'first-person': 'First person',
  strobe: 'Strobe',
}

export const DISPLAYS: { value: Display; label: string; testid: string }[] = [
  { value: 'solid', label: 'Solid', testid: 'display-solid' },
  { value: 'wireframe', label: 'Wireframe', testid: 'display-wireframe' },
  { value: 'none', label: 'Hidden', testid: 'display-none' },
]

export interface Shortcut {
  keys: string
  label: string
  matches: (event: KeyboardEvent) => boolean
  run: (viewer: Viewer) => void
}

const plain = (key: string) => (event: KeyboardEvent) => event.key === key && !event.shiftKey
const symbol =
  (...keys: string[]) =>
  (event: KeyboardEvent) =>
    keys.includes(event.key)
const shifted = (key: string) => (event: KeyboardEvent) => event.key === key && event.shiftKey

const turn = (azimuth: number, elevation: number) => (viewer: Viewer) => {
  viewer.view?.cameras.turn(azimuth, elevation)
  viewer.view?.requestDraw()
}

const zoom = (factor: number) => (viewer: Viewer) => {
  viewer.view?.cameras.zoom(factor)
  viewer.view?.requestDraw()
}

export const SHORTCUTS: Shortcut[] = [
  { keys: 'Space', label: 'Play or pause', matches: symbol(' '), run: (v) => v.togglePlay() },
  { keys: '→', label: 'One step forward', matches: plain('ArrowRight'), run: (v) => v.stepBy(1) },
  { keys: '←', label: 'One step back', matches: plain('ArrowLeft'), run: (v) => v.stepBy(-1) },
  { keys: 'Shift →', label: 'One second forward', matches: shifted('ArrowRight'), run: (v) => v.seekBySeconds(1) },
  { keys: 'Shift ←', label: 'One second back', matches: shifted('ArrowLeft'), run: (v) => v.seekBySeconds(-1) },
  { keys: 'Home', label: 'Go to the start', matches: symbol('Home'), run: (v) => v.seek(0) },
  { keys: 'End', label: 'Go to the latest step', matches: symbol('End'), run: (v) => v.seek(v.latest) },
  { keys: '+', label: 'Faster', matches: symbol('+', '='), run: (v) => v.changeSpeed(1) },
  { keys: '−', label: 'Slower', matches: symbol('-', '_'), run: (v) => v.changeSpeed(-1) },
  ...CAMERAS.map((kind, index) => ({
    keys: String(index + 1),
    label: `Camera: ${CAMERA_NAMES[kind].toLowerCase()}`,
    matches: symbol(String(index + 1)),
    run: (viewer: Viewer) => viewer.setCamera(kind),
  })),
  { keys: 'a d', label: 'Turn the camera', matches: plain('a'), run: turn(-0.1, 0) },
  { keys: '', label: '', matches: plain('d'), run: turn(0.1, 0) },
  { keys: 'w s', label: 'Raise and lower the camera', matches: plain('w'), run: turn(0, 0.08) },
  { keys: '', label: '', matches: plain('s'), run: turn(0, -0.08) },
  { keys: 'q e', label: 'Zoom in and out', matches: plain('q'), run: zoom(0.9) },
  { keys: '', label: '', matches: plain('e'), run: zoom(1 / 0.9) },
  { keys: 'f', label: 'Fit the picture to what moves', matches: plain('f'), run: (v) => v.fitCamera() },
  ...(Object.keys(OVERLAYS) as SwitchedOverlay[]).map((name) => ({
    keys: OVERLAYS[name].key,
    label: OVERLAYS[name].label,
    matches: plain(OVERLAYS[name].key),
    run: (viewer: Viewer) => {
      if (viewer.session?.overlays.includes(name)) viewer.toggleOverlay(name)
    },
  })),
  { keys: 'v', label: 'Plots', matches: plain('v'), run: (v) => v.plots.switch() },
  { keys: '[ ]', label: 'Previous and next mark', matches: symbol('['), run: (v) => v.seekMark(-1) },
  { keys: '', label: '', matches: symbol(']'), run: (v) => v.seekMark(1) },
  {
    keys: 'x',
    label: 'Solid, wireframe or hidden',
    matches: plain('x'),
    run: (v) => {
      const index = DISPLAYS.findIndex(({ value }) => value === v.display)
      v.setDisplay(DISPLAYS[(index + 1) % DISPLAYS.length]!.value)
    },
  },
  { keys: 't', label: 'Throw a ball', matches: plain('t'), run: (v) => v.hands.throwBall() },
  { keys: 'p', label: 'Push the selected body', matches: plain('p'), run: (v) => v.hands.push() },
  { keys: 'Esc', label: 'Unpin the probe', matches: symbol('Escape'), run: (v) => v.pin(null) },
]

/** Takes the focus from a button that was clicked with a pointer, so that the space bar plays or pauses afterwards. */
export function releaseFocus(event: MouseEvent): void {
  // The keyboard clicks, too: then there are no clicks to count, and the focus must stay.
  const button = (event.target as HTMLElement | null)?.closest<HTMLElement>('button, summary')
  if (event.detail > 0 && button && !button.closest('dialog, [aria-haspopup]')) button.blur()
}

/** Runs the shortcut of a key, unless the focused control needs the key itself. Returns whether the key was handled. */
export function handleKey(event: KeyboardEvent, viewer: Viewer, help: () => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const target = event.target as HTMLElement | null
  if (
    target?.closest(
      'input[type=text], input[type=number], input[type=search], textarea, select, dialog, [contenteditable]',
    )
  )
    return false
  const arrows = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End'
  if (arrows && target?.closest('input, [role=tablist]')) return false
  if (event.key === ' ' && target?.closest('button, a, input, summary')) return false
  if (event.key === '?') {
    help()
    return true
  }
  const shortcut = SHORTCUTS.find((each) => each.matches(event))
  shortcut?.run(viewer)
  return shortcut !== undefined
}
