// Which bodies of a world are hidden.
import { connectedBodies } from '../../scene3d/cameras'
import type { Viewer } from '../viewer.svelte'

export class Inspection {
  /** Bodies that are hidden. */
  hidden = $state.raw<ReadonlySet<number>>(new Set())

  constructor(private readonly viewer: Viewer) {}

  isHidden(body: number): boolean {
    return this.hidden.has(body)
  }

  toggleHidden(body: number): void {
    const hidden = new Set(this.hidden)
    if (!hidden.delete(body)) hidden.add(body)
    this.setHidden(hidden)
  }

  /** Hides all bodies but those that are connected to a body. */
  isolate(body: number): void {
    const { bodies } = this.viewer
    const shown = new Set(
      connectedBodies(
        body,
        bodies.map(({ parent }) => parent),
      ),
    )
    this.setHidden(new Set(bodies.map((_, index) => index).filter((index) => !shown.has(index))))
  }

  showAll(): void {
    this.setHidden(new Set())
  }

  private setHidden(hidden: ReadonlySet<number>): void {
    this.hidden = hidden
    const { view } = this.viewer
    if (!view) return
    view.selection.hidden = hidden
    view.requestDraw()
  }
}
