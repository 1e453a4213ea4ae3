import { describe, expect, it } from 'vitest'
import { inkOn, viridis } from './colourScales'

/** Returns the relative luminance of a colour, as WCAG defines it. */
function luminance(rgb: number[]): number {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('the ink on a colour scale', () => {
  it('has a contrast of at least 4.5 everywhere', () => {
    for (let share = 0; share <= 1; share += 0.01) {
      const ground = luminance(viridis(share).match(/\d+/g)!.map(Number))
      const ink = inkOn(share) === '#fff' ? 1 : 0
      const contrast = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05)
      expect(contrast, `at ${share}`).toBeGreaterThanOrEqual(4.5)
    }
  })
})
