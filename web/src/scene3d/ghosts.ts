// Stroboscopic pictures: pale copies of the moving pieces at regular times. Older copies are paler.
import { type Box3, Color, Group, type PerspectiveCamera, Vector3 } from 'three'
import type { Pieces } from './pieces'
import { Instances } from './instances'

/** Maximum number of copies; the oldest is dropped first. */
const MAX_COPIES = 32
/** Maximum number of pieces of all copies together. */
const MAX_PIECES = 60_000

interface Ghost {
  slot: number
  step: number
  worlds: Float32Array
}

export class Ghosts {
  readonly group = new Group()
  private moving: Int32Array
  private ghosts: Ghost[] = []
  private instances: Instances | null = null
  private dirty = false

  constructor(private readonly pieces: Pieces) {
    this.moving = Int32Array.from([...pieces.bodies.keys()].filter((index) => pieces.bodies[index]! >= 0))
  }

  get count(): number {
    return this.ghosts.length
  }

  clear(): void {
    this.ghosts = []
    this.dirty = true
  }

  /** Keeps a copy of the first frame seen in each interval of `interval` steps. */
  add(step: number, interval: number, worlds: Float32Array): void {
    const slot = Math.floor(step / interval)
    const known = this.ghosts.find((ghost) => ghost.slot === slot)
    if (known && known.step <= step) return
    if (known) this.ghosts.splice(this.ghosts.indexOf(known), 1)
    const max = Math.max(1, Math.min(MAX_COPIES, Math.floor(MAX_PIECES / Math.max(1, this.moving.length))))
    const copy = new Float32Array(16 * this.moving.length)
    this.moving.forEach((piece, k) => copy.set(worlds.subarray(16 * piece, 16 * piece + 16), 16 * k))
    this.ghosts.push({ slot, step, worlds: copy })
    this.ghosts.sort((a, b) => a.step - b.step)
    if (this.ghosts.length > max) this.ghosts.shift()
    this.dirty = true
  }

  /** Expands a box, in m, to contain all copies. */
  expandBox(box: Box3): void {
    const centre = new Vector3()
    for (const { worlds } of this.ghosts) {
      this.moving.forEach((piece, k) => {
        const radius = this.pieces.radii[piece]!
        centre.fromArray(worlds, 16 * k + 12)
        box.expandByPoint(centre.clone().addScalar(radius)).expandByPoint(centre.clone().addScalar(-radius))
      })
    }
  }

  /** Draws the copies before `step`; their colour fades to `background` with age. */
  draw(step: number, camera: PerspectiveCamera, height: number, coarseness: number, background: Color): void {
    const shown = this.ghosts.filter((ghost) => ghost.step < step)
    const total = shown.length * this.moving.length
    if (this.dirty || total !== (this.instances?.pieces.count ?? 0)) this.rebuild(shown, background)
    this.dirty = false
    if (!this.instances) return
    this.instances.chooseLevels(camera, height, coarseness)
    this.instances.upload()
  }

  private rebuild(shown: Ghost[], background: Color): void {
    this.instances?.dispose()
    this.instances = null
    const count = shown.length * this.moving.length
    if (count === 0) return
    const { pieces, moving } = this
    const all: Pieces = {
      ...pieces,
      count,
      units: shown.flatMap(() => Array.from(moving, (index) => pieces.units[index]!)),
      bodies: new Int32Array(count),
      locals: new Float32Array(),
      colours: new Float32Array(3 * count),
      radii: new Float32Array(count),
      planes: [],
    }
    const colour = new Color()
    shown.forEach((_, ghost) => {
      const age = 1 - (ghost + 1) / (shown.length + 1)
      moving.forEach((index, k) => {
        const to = ghost * moving.length + k
        all.radii[to] = pieces.radii[index]!
        colour
          .fromArray(pieces.colours, 3 * index)
          .lerp(background, 0.15 + 0.6 * age)
          .toArray(all.colours, 3 * to)
      })
    })
    this.instances = new Instances(all)
    shown.forEach((ghost, n) => this.instances!.worlds.set(ghost.worlds, 16 * n * moving.length))
    for (const child of this.instances.group.children) child.castShadow = false
    this.group.add(this.instances.group)
  }

  dispose(): void {
    this.instances?.dispose()
    this.group.removeFromParent()
  }
}
