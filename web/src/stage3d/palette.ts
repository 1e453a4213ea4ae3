// Colours of the world in light and dark: sky, ground, lines and light. Overlays keep their colours in both.
import { Color } from 'three'

export interface Palette {
  zenith: Color
  horizon: Color
  nadir: Color
  ground: Color
  line: Color
  strongLine: Color
  label: string
  sun: Color
  sunStrength: number
  skyLight: Color
  groundLight: Color
  skyStrength: number
  exposure: number
}

export const LIGHT: Palette = {
  zenith: new Color('#7fb6bd'),
  horizon: new Color('#f1e8d6'),
  nadir: new Color('#d9ccb2'),
  ground: new Color('#e7dcc4'),
  line: new Color('#cdbf9f'),
  strongLine: new Color('#a9997a'),
  label: '#6d6046',
  sun: new Color('#fff0d8'),
  sunStrength: 2.5,
  skyLight: new Color('#dcecee'),
  groundLight: new Color('#cdb98f'),
  skyStrength: 1.5,
  exposure: 1,
}

export const DARK: Palette = {
  zenith: new Color('#051318'),
  horizon: new Color('#12414b'),
  nadir: new Color('#06181d'),
  ground: new Color('#0e2c34'),
  line: new Color('#1b4650'),
  strongLine: new Color('#2c6470'),
  label: '#6fa3a6',
  sun: new Color('#dff4ee'),
  sunStrength: 2.6,
  skyLight: new Color('#8cc9cf'),
  groundLight: new Color('#16404a'),
  skyStrength: 1.25,
  exposure: 1,
}

export const palette = (dark: boolean): Palette => (dark ? DARK : LIGHT)

/** Overlays, as the panels show them beside their names. */
export const OVERLAY_COLOURS = {
  contacts: '#ff6a4d',
  closest: '#f2b84b',
  boxes: '#5cc3bb',
  tiles: '#a58be0',
  groups: '#e36f9b',
  centre: '#ffd36b',
  joints: '#6bb8ff',
} as const

/** What is nearest: a vertex, an edge, a face, or a smooth surface. */
export const FEATURE_COLOURS = ['#ff6a4d', '#f2b84b', '#5cc3bb', '#a58be0'] as const

/** The colour of a contact group: hues far from each other for numbers next to each other. */
export function groupColour(group: number): Color {
  const hue = (group * 0.61803398875) % 1
  return new Color().setHSL(hue, 0.62, 0.56)
}
