// The menu, with the test vectors that the server's implementation passes, too.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MenuLayout, MenuView } from '../lib/protocol'
import { CLOSED, meet, MenuPointer, openTowards, placeOf, valueAt, type MenuAction, type Place } from './menu'
import { turned, type Point } from './projection'

interface Cases {
  layout: MenuLayout
  rays: { view: MenuView; from: Point; along: Point; met: [number, number, number] | null }[]
  presses: { place: Place | null; pressed: boolean; does: unknown; holds: boolean; pointed: unknown }[]
}

const { layout, rays, presses } = JSON.parse(
  readFileSync(new URL('../../../crates/walls/tests/menu.json', import.meta.url), 'utf8'),
) as Cases

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** Describes an action as the file does. */
function described(action: MenuAction | null): unknown {
  switch (action?.type) {
    case undefined:
      return null
    case 'command':
      return action.command
    case 'hand':
      return `Hand(${capital(action.hand)})`
    case 'body':
      return `Body(${action.on})`
    case 'scene':
      return `Scene("${action.name}")`
    default:
      return 'Close'
  }
}

test('rays meet the panel where the server says', () => {
  expect(rays.filter(({ met }) => met).length).toBeGreaterThan(10)
  expect(rays.filter(({ met }) => !met).length).toBeGreaterThan(5)
  for (const { view, from, along, met } of rays) {
    const found = meet(view, from, along)
    expect(found === null).toBe(met === null)
    if (!found || !met) continue
    expect(found.place[0]).toBeCloseTo(met[0], 9)
    expect(found.place[1]).toBeCloseTo(met[1], 9)
    expect(found.distance).toBeCloseTo(met[2], 9)
  }
})

test('a pointer does what the server’s pointer does', () => {
  const pointer = new MenuPointer(layout)
  const view: MenuView = { ...CLOSED, open: true, scene: 'dominoes' }
  for (const { place, pressed, does, holds, pointed } of presses) {
    const action = pointer.update(view, { place, pressed })
    const found = described(action)
    // The last digit of a power may differ between the two.
    if (found && typeof found === 'object' && 'speed' in found)
      expect(found.speed).toBeCloseTo((does as { speed: number }).speed, 10)
    else expect(found).toEqual(does)
    expect(pointer.holds).toBe(holds)
    expect(pointer.pointed?.item ?? null).toBe((pointed as { item: string } | null)?.item ?? null)
    if (action?.type === 'body') view.body = action.on
    if (action?.type === 'hand') view.hand = action.hand
    if (action?.type === 'command' && action.command.do === 'play') view.playing = true
    if (action?.type === 'command' && action.command.do === 'pause') view.playing = false
  }
})

test('values and places of sliders are inverse', () => {
  for (const { scale } of layout.items)
    for (let share = 0; scale && share <= 1; share += 0.125)
      expect(placeOf(scale, valueAt(scale, share))).toBeCloseTo(share, 12)
})

test('a menu opens in front of the head, upright, and faces it', () => {
  for (const heading of [-3, -1.2, 0, 0.4, 2]) {
    const head: Point = [0.3, -0.2, 1.6]
    const view = openTowards(CLOSED, head, heading)
    const forward: Point = [-Math.sin(heading), Math.cos(heading), 0]
    const met = meet(view, head, forward)!
    expect(Math.hypot(...met.place)).toBeLessThan(1e-12)
    expect(met.distance).toBeCloseTo(1.2, 12)
    expect(turned(view.orientation, [0, 1, 0])[2]).toBeCloseTo(1, 12)
    const right = turned(view.orientation, [1, 0, 0])
    expect(right[0]).toBeCloseTo(Math.cos(heading), 12)
    expect(right[1]).toBeCloseTo(Math.sin(heading), 12)
  }
})
