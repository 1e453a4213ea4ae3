// Colours of sky, ground, lines and light in the light and the dark theme,
// and of closest features and contact groups, which are the same in both.
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
  fillStrength: number
}

export const LIGHT: Palette = {
  zenith: new Color('#8fbfc6'),
  horizon: new Color('#f3ebdc'),
  nadir: new Color('#dfd3bb'),
  ground: new Color('#f1e9da'),
  line: new Color('#d2c5a8'),
  strongLine: new Color('#b3a483'),
  label: '#7d6f54',
  sun: new Color('#fff6e8'),
  sunStrength: 1.75,
  skyLight: new Color('#eef5f6'),
  groundLight: new Color('#b9a67f'),
  skyStrength: 1.7,
  fillStrength: 0.6,
}

export const DARK: Palette = {
  zenith: new Color('#04141a'),
  horizon: new Color('#124450'),
  nadir: new Color('#06181d'),
  ground: new Color('#0f333d'),
  line: new Color('#1d4c58'),
  strongLine: new Color('#317080'),
  label: '#79b0b4',
  sun: new Color('#eefaf4'),
  sunStrength: 1.9,
  skyLight: new Color('#a9d8de'),
  groundLight: new Color('#1d4f5a'),
  skyStrength: 1.35,
  fillStrength: 0.7,
}

/** Colours under water in the light theme; the dark theme looks like water anyway. */
const LIGHT_WATER: Palette = {
  ...LIGHT,
  zenith: new Color('#d9f1ec'),
  horizon: new Color('#a5d3d2'),
  nadir: new Color('#4f9aa3'),
  ground: new Color('#bfdcd2'),
  line: new Color('#86bcbd'),
  strongLine: new Color('#5b9ca2'),
  label: '#2f6b73',
  skyLight: new Color('#e2f6f3'),
  groundLight: new Color('#6fa9a8'),
}

export const palette = (dark: boolean, water = false): Palette => (dark ? DARK : water ? LIGHT_WATER : LIGHT)

/** Colours of closest features: vertex, edge, face, smooth surface. */
export const FEATURE_COLOURS = ['#ff6a4d', '#f2b84b', '#5cc3bb', '#a58be0'] as const

/** Returns the colour of a contact group; consecutive groups get distant hues. */
export function groupColour(group: number): Color {
  const hue = (group * 0.61803398875) % 1
  return new Color().setHSL(hue, 0.62, 0.56)
}
