// The selected body, which is outlined, and the bodies that are hidden.
import type { Instances } from './instances'
import { Outline } from './outline'

export class Selection {
  readonly outline = new Outline()
  /** The body that is outlined. */
  body: number | null = null
  /** Bodies that are left out of the picture. */
  hidden: ReadonlySet<number> = new Set()

  /** Leaves hidden bodies out of the picture, and moves the outline. */
  apply(instances: Instances): void {
    const { pieces, omitted, worlds } = instances
    if (this.hidden.size > 0) {
      pieces.bodies.forEach((body, index) => {
        if (this.hidden.has(body)) omitted[index] = 1
      })
    }
    this.outline.set(pieces, this.body !== null && !this.hidden.has(this.body) ? this.body : null)
    this.outline.place(worlds)
  }

  dispose(): void {
    this.outline.dispose()
  }
}
