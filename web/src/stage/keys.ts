// Keys of the stage: one list, for doing and for showing.
import type { OverlayName } from '../lib/protocol'
import { CAMERAS, type CameraKind } from '../stage3d/cameras'
import type { Display } from '../stage3d/instances'
import type { Viewer } from './viewer.svelte'

export const CAMERA_NAMES: Record<CameraKind, string> = {
  static: 'Still',
  follow: 'Follow',
  orbit: 'Orbit',
  'first-person': 'First person',
  strobe: 'Stroboscope',
}

export const OVERLAY_KEYS: Partial<Record<OverlayName, string>> = {
  contacts: 'c',
  closest: 'n',
  boxes: 'b',
  tiles: 'h',
  groups: 'g',
  centre: 'm',
  joints: 'j',
}

export const OVERLAY_NAMES: Partial<Record<OverlayName, string>> = {
  contacts: 'Contacts and forces',
  closest: 'Closest features',
  boxes: 'Bounding boxes',
  tiles: 'Hash tiles',
  groups: 'Contact groups',
  centre: 'Centre of mass',
  joints: 'Joint axes',
}

export const DISPLAYS: Display[] = ['solid', 'wireframe', 'none']

export interface KeyAction {
  keys: string
  what: string
  matches: (event: KeyboardEvent) => boolean
  act: (viewer: Viewer) => void
}

const plain = (key: string) => (event: KeyboardEvent) => event.key === key && !event.shiftKey
const symbol =
  (...keys: string[]) =>
  (event: KeyboardEvent) =>
    keys.includes(event.key)
const shifted = (key: string) => (event: KeyboardEvent) => event.key === key && event.shiftKey

const look = (azimuth: number, elevation: number) => (viewer: Viewer) => {
  viewer.stage?.cameras.turn(azimuth, elevation)
  viewer.stage?.touch()
}

const zoom = (factor: number) => (viewer: Viewer) => {
  viewer.stage?.cameras.zoom(factor)
  viewer.stage?.touch()
}

export const KEYS: KeyAction[] = [
  { keys: 'Space', what: 'Play or pause', matches: symbol(' '), act: (v) => v.togglePlay() },
  { keys: '→', what: 'One step forward', matches: plain('ArrowRight'), act: (v) => v.stepBy(1) },
  { keys: '←', what: 'One step back', matches: plain('ArrowLeft'), act: (v) => v.stepBy(-1) },
  { keys: 'Shift →', what: 'One second forward', matches: shifted('ArrowRight'), act: (v) => v.seekBySeconds(1) },
  { keys: 'Shift ←', what: 'One second back', matches: shifted('ArrowLeft'), act: (v) => v.seekBySeconds(-1) },
  { keys: 'Home', what: 'To the beginning', matches: symbol('Home'), act: (v) => v.seek(0) },
  { keys: 'End', what: 'To the latest', matches: symbol('End'), act: (v) => v.seek(v.latest) },
  { keys: '+', what: 'Faster', matches: symbol('+', '='), act: (v) => v.nudgeSpeed(1) },
  { keys: '−', what: 'Slower', matches: symbol('-', '_'), act: (v) => v.nudgeSpeed(-1) },
  ...CAMERAS.map((kind, index) => ({
    keys: String(index + 1),
    what: `Camera: ${CAMERA_NAMES[kind].toLowerCase()}`,
    matches: symbol(String(index + 1)),
    act: (viewer: Viewer) => viewer.chooseCamera(kind),
  })),
  { keys: 'a d', what: 'Turn the camera', matches: plain('a'), act: look(-0.1, 0) },
  { keys: '', what: '', matches: plain('d'), act: look(0.1, 0) },
  { keys: 'w s', what: 'Camera up and down', matches: plain('w'), act: look(0, 0.08) },
  { keys: '', what: '', matches: plain('s'), act: look(0, -0.08) },
  { keys: 'q e', what: 'Nearer and farther', matches: plain('q'), act: zoom(0.9) },
  { keys: '', what: '', matches: plain('e'), act: zoom(1 / 0.9) },
  ...Object.entries(OVERLAY_KEYS).map(([name, key]) => ({
    keys: key,
    what: OVERLAY_NAMES[name as OverlayName]!,
    matches: plain(key),
    act: (viewer: Viewer) => {
      if (viewer.session?.overlays.includes(name as OverlayName)) viewer.toggleOverlay(name as OverlayName)
    },
  })),
  { keys: 'v', what: 'Energy over time', matches: plain('v'), act: (v) => (v.energy = !v.energy) },
  {
    keys: 'x',
    what: 'Solid, wireframe, nothing',
    matches: plain('x'),
    act: (v) => v.setDisplay(DISPLAYS[(DISPLAYS.indexOf(v.display) + 1) % DISPLAYS.length]!),
  },
  { keys: 't', what: 'Throw a ball', matches: plain('t'), act: (v) => v.throwBall(...v.ball) },
  { keys: 'Esc', what: 'Let the probe go', matches: symbol('Escape'), act: (v) => v.pin(null) },
]

/** Does what a key means, unless the focused control needs the key itself. */
export function press(event: KeyboardEvent, viewer: Viewer, help: () => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const target = event.target as HTMLElement | null
  if (target?.closest('input[type=text], input[type=number], input[type=search], textarea, select, dialog'))
    return false
  const arrows = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End'
  if (arrows && target?.closest('input, [role=tablist]')) return false
  if (event.key === ' ' && target?.closest('button, a, input, summary')) return false
  if (event.key === '?') {
    help()
    return true
  }
  const action = KEYS.find((each) => each.matches(event))
  action?.act(viewer)
  return action !== undefined
}
