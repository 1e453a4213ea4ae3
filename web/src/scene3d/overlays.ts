// Overlays drawn over the world: contacts and forces, closest features, boxes, tiles, groups, the centre of mass
// and its path, joint axes. They depend only on the frame's sections and on the recorded path.
import { Color, Group, Matrix4 } from 'three'
import { crowdValues } from '../lib/crowdValues'
import type { CrowdEntry, OverlayName } from '../lib/protocol'
import { FLOATS, POSE, Section, type Frame } from '../lib/frame'
import { OVERLAYS, type SwitchedOverlay } from '../lib/overlays'
import { arrowGeometry, dotMatrix, dotGeometry, Lines, Marks, arrowMatrix, rodGeometry } from './overlayShapes'
import { figureDetail, limbs, type FootPlace } from './figures'
import { FEATURE_COLOURS, groupColour } from './palette'
import { Trajectory } from './trajectory'

const colours = Object.fromEntries(
  Object.entries(OVERLAYS).map(([name, { colour }]) => [name, new Color(colour)]),
) as Record<SwitchedOverlay, Color>
const features = FEATURE_COLOURS.map((value) => new Color(value))

/** Height of a barrier, in m. */
const BARRIER = 1

export class Overlays {
  readonly group = new Group()
  /** Path of the centre of mass. */
  readonly path = new Trajectory()
  private readonly shown = new Set<OverlayName>()
  private readonly arrows = new Marks(arrowGeometry())
  private readonly dots = new Marks(dotGeometry())
  private readonly rods = new Marks(rodGeometry())
  /** Limbs of people: solid, behind what is before them. */
  private readonly limbs = new Marks(rodGeometry(), false)
  private readonly lines = new Lines()
  private readonly over = new Lines(true)
  private crowds: CrowdEntry[] = []
  private readonly groupOf = new Map<number, number>()
  /** Typical weight of a body, in N: the arrow of such a force is about as long as a body. */
  private weight = 10
  /** Typical size of a body, in m. */
  private size = 1
  /** Radius of a dot, in m. */
  private dot = 0.05

  constructor() {
    this.group.add(this.arrows.object, this.dots.object, this.rods.object, this.limbs.object)
    this.group.add(this.lines.object, this.over.object)
  }

  setShown(names: Iterable<OverlayName>): void {
    this.shown.clear()
    for (const name of names) this.shown.add(name)
  }

  has(name: OverlayName): boolean {
    return this.shown.has(name)
  }

  /** Sets the crowds whose gates are drawn. */
  setGates(crowds: CrowdEntry[]): void {
    this.crowds = crowds
  }

  /** Sets the scale of arrows and dots from the typical weight, in N, and size, in m, of a body. */
  setScale(weight: number, size: number): void {
    this.weight = Math.max(weight, 1e-6)
    this.size = Math.max(size, 1e-4)
  }

  /** Returns the colour of a body's contact group, or null. */
  groupColour(body: number): [number, number, number] | null {
    const group = this.groupOf.get(body)
    return group === undefined ? null : (groupColour(group).toArray() as [number, number, number])
  }

  /** Draws at most `max` items of each overlay, evenly thinned, for a camera `distance` m away, which limits the size of dots. */
  draw(frame: Frame, max: number, distance: number): void {
    this.dot = Math.min(0.055 * this.size, 0.0055 * distance)
    const marks = [this.arrows, this.dots, this.rods, this.limbs, this.lines, this.over]
    for (const mark of marks) mark.begin()
    this.items('contacts', frame, max, (item, at) => this.contact(item, at))
    this.items('closest', frame, max, (item, at) => this.closest(item, at))
    this.items('boxes', frame, max, (item, at) => {
      this.lines.box(triple(item, at + 1), triple(item, at + 4), colours.boxes)
    })
    this.items('tiles', frame, max, (item, at) => this.tile(item, at))
    this.items('joints', frame, max, (item, at) => this.joint(item, at))
    this.figures(frame, distance)
    this.gates(frame)
    this.readGroups(frame)
    this.centre(frame)
    for (const mark of marks) mark.end()
  }

  private items(
    name: SwitchedOverlay,
    frame: Frame,
    max: number,
    draw: (items: Float32Array, at: number) => void,
  ): void {
    const { section } = OVERLAYS[name]
    const items = this.shown.has(name) ? frame.sections.get(section) : undefined
    if (!items) return
    const floats = FLOATS[section]
    const stride = Math.max(1, Math.ceil(items.length / floats / max))
    for (let at = 0; at + floats <= items.length; at += stride * floats) draw(items, at)
  }

  private contact(item: Float32Array, at: number): void {
    const [x, y, z] = triple(item, at + 2)
    const force = triple(item, at + 8)
    const strength = Math.hypot(...force)
    this.dots.add(dotMatrix(matrix, x, y, z, this.dot), colours.contacts)
    if (strength < 1e-3 * this.weight) return
    const length = this.arrowLength(strength)
    const width = Math.min(0.07 * length, 1.3 * this.dot)
    this.arrows.add(arrowMatrix(matrix, x, y, z, ...force, length, width), colours.contacts)
  }

  /** The length is proportional to the force up to a body's weight and grows with the square root above it. */
  private arrowLength(strength: number): number {
    const relative = strength / this.weight
    return this.size * Math.min(relative, Math.sqrt(relative)) * 0.9
  }

  private closest(item: Float32Array, at: number): void {
    const a = triple(item, at + 2)
    const b = triple(item, at + 5)
    this.over.add(...a, ...b, colours.closest)
    this.dots.add(dotMatrix(matrix, ...a, this.dot), feature(item[at + 8]!))
    this.dots.add(dotMatrix(matrix, ...b, this.dot), feature(item[at + 9]!))
  }

  private tile(item: Float32Array, at: number): void {
    const [x, y, z] = triple(item, at)
    const edge = item[at + 3]!
    const occupancy = Math.min(1, (item[at + 4]! - 1) / 6)
    this.lines.box(
      [x, y, z],
      [x + edge, y + edge, z + edge],
      shade.copy(colours.tiles).lerp(colours.contacts, occupancy),
    )
  }

  private joint(item: Float32Array, at: number): void {
    const [x, y, z] = triple(item, at + 2)
    const axis = triple(item, at + 5)
    if (Math.hypot(...axis) < 1e-6) {
      this.dots.add(dotMatrix(matrix, x, y, z, 1.8 * this.dot), colours.joints)
    } else if (item[at + 1] === 2) {
      this.arrows.add(arrowMatrix(matrix, x, y, z, ...axis, 0.8 * this.size, 1.3 * this.dot), colours.joints)
    } else {
      this.rods.add(arrowMatrix(matrix, x, y, z, ...axis, 0.4 * this.size, 0.55 * this.dot), colours.joints)
      this.dots.add(dotMatrix(matrix, x, y, z, 1.3 * this.dot), colours.joints)
    }
  }

  /** Draws everybody: people without legs would look worse than coarse ones. */
  private figures(frame: Frame, distance: number): void {
    const items = this.shown.has('figures') ? frame.sections.get(Section.Figures) : undefined
    if (!items) return
    const floats = FLOATS[Section.Figures]
    const detail = figureDetail(distance, items.length / floats)
    for (let at = 0; at + floats <= items.length; at += floats) {
      const body = items[at]!
      if ((body + 1) * POSE > frame.poses.length) continue
      const [x, y] = bodyPoint(frame.poses, body, [0, 0, 0])
      const [aheadX, aheadY] = bodyPoint(frame.poses, body, [1, 0, 0])
      const root = { x, y, heading: Math.atan2(aheadY - y, aheadX - x) }
      for (const { from, to, radius, part } of limbs(root, [foot(items, at + 1), foot(items, at + 5)], detail)) {
        const along = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const
        const middle = [from[0] + 0.5 * along[0], from[1] + 0.5 * along[1], from[2] + 0.5 * along[2]] as const
        const half = 0.5 * Math.hypot(...along)
        this.limbs.add(arrowMatrix(matrix, ...middle, ...along, half, radius), LIMB_COLOURS[part])
      }
    }
  }

  /** Draws gates: a frame on the ground while they are open, a barrier while they are closed. */
  private gates(frame: Frame): void {
    const section = this.shown.has('crowd') ? frame.sections.get(Section.Crowd) : undefined
    const values = section ? crowdValues(this.crowds, section) : null
    values?.forEach(({ gates }, index) => {
      this.crowds[index]!.gates.forEach(({ min, max }, gate) => {
        const [height, colour] = gates[gate] ? [0.04, colours.crowd] : [BARRIER, colours.contacts]
        this.lines.box([...min, 0.03], [...max, height], colour)
        if (gates[gate]) return
        this.lines.add(...min, 0.03, ...max, BARRIER, colour)
        this.lines.add(...max, 0.03, ...min, BARRIER, colour)
      })
    })
  }

  private readGroups(frame: Frame): void {
    this.groupOf.clear()
    const items = this.shown.has('groups') ? frame.sections.get(Section.Groups) : undefined
    if (!items) return
    for (let at = 0; at + 1 < items.length; at += 2) this.groupOf.set(items[at]!, items[at + 1]!)
  }

  private centre(frame: Frame): void {
    const item = frame.sections.get(Section.Centre)
    if (item && item.length >= 4) this.path.add(frame.step, item[0]!, item[1]!, item[2]!)
    if (!this.shown.has('centre')) return
    if (item && item.length >= 4) {
      const [x, y, z] = triple(item, 0)
      this.dots.add(dotMatrix(matrix, x, y, z, 2 * this.dot), colours.centre)
      this.over.add(x, y, z, x, y, 0, colours.centre)
    }
    this.path.segmentsUntil(frame.step, (ax, ay, az, bx, by, bz) =>
      this.over.add(ax, ay, az, bx, by, bz, colours.centre),
    )
  }

  dispose(): void {
    for (const mark of [this.arrows, this.dots, this.rods, this.limbs, this.lines, this.over]) mark.dispose()
    this.group.removeFromParent()
  }
}

const matrix = new Matrix4()
const LIMB_COLOURS = { leg: new Color('#3a4150'), foot: new Color('#1c1d22'), arm: new Color('#59617a') }

function foot(items: Float32Array, at: number): FootPlace {
  return { x: items[at]!, y: items[at + 1]!, height: items[at + 2]!, heading: items[at + 3]! }
}
const shade = new Color()

function triple(items: Float32Array, at: number): [number, number, number] {
  return [items[at]!, items[at + 1]!, items[at + 2]!]
}

function feature(number: number): Color {
  return features[number] ?? features[3]!
}

/** Returns the median mass, in kg, and the median extent, in m, of a world's bodies. */
export function typical(masses: number[], radii: Iterable<number>): { mass: number; size: number } {
  const middle = (values: number[], otherwise: number) => values.sort((a, b) => a - b)[values.length >> 1] ?? otherwise
  return {
    mass: middle(
      masses.filter((mass) => mass > 0 && Number.isFinite(mass)),
      1,
    ),
    size:
      2 *
      middle(
        [...radii].filter((radius) => radius > 0),
        0.5,
      ),
  }
}

/** Transforms a point of a body's frame into the world. */
export function bodyPoint(
  poses: Float32Array,
  body: number,
  point: readonly [number, number, number],
): [number, number, number] {
  const at = POSE * body
  const [x, y, z, w] = [poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!]
  const [px, py, pz] = point
  const tx = 2 * (y * pz - z * py)
  const ty = 2 * (z * px - x * pz)
  const tz = 2 * (x * py - y * px)
  return [
    poses[at]! + px + w * tx + y * tz - z * ty,
    poses[at + 1]! + py + w * ty + z * tx - x * tz,
    poses[at + 2]! + pz + w * tz + x * ty - y * tx,
  ]
}
