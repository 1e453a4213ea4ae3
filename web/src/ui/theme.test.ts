import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8')

/** Returns the colours of the rule with a selector, by name. */
function colours(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`)
  const rule = css.slice(start, css.indexOf('}', start))
  return new Map([...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name!, colour!]))
}

/** Returns the relative luminance of a colour, as WCAG defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const TEXTS = ['ink', 'ink-soft', 'ink-faint', 'teal', 'coral', 'kelp', 'amber', 'violet']
const GROUNDS = ['paper', 'surface', 'raised', 'sunken']
const PAIRS = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ['on-teal', 'teal'],
  ['on-coral', 'coral'],
  ['ink', 'coral-soft'],
  ['ink', 'teal-soft'],
  ['ink-soft', 'teal-soft'],
  ['teal', 'teal-soft'],
] as const

describe('the colours of text', () => {
  for (const [theme, selector] of [
    ['light', ':root'],
    ['dark', ":root[data-theme='dark']"],
  ] as const) {
    it(`have a contrast of at least 4.5 with the ${theme} theme`, () => {
      const all = colours(selector)
      for (const [text, ground] of PAIRS) {
        const found = contrast(all.get(text)!, all.get(ground)!)
        expect(found, `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }
    })
  }
})
