// Going back to the start, with the changes that were made or without them.
import * as api from '../lib/api'
import { asBuilt, reopen } from '../lib/reopen'
import type { Viewer } from './viewer.svelte'

export class Restart {
  /** Whether to ask how to restart. */
  asked = $state(false)

  constructor(private readonly viewer: Viewer) {}

  /** Goes back to the start, and asks how if the world was changed. */
  async ask(): Promise<void> {
    await this.viewer.loadEdits()
    if (this.viewer.edits.length > 0) this.asked = true
    else this.withChanges()
  }

  /** Goes back to the start; changes are repeated at their times. */
  withChanges(): void {
    this.asked = false
    this.viewer.send({ do: 'restart' })
  }

  /** Opens the world as it was built, and closes this session unless others watch it. */
  async asBuilt(): Promise<void> {
    this.asked = false
    const { session, status, id } = this.viewer
    if (!session) return
    try {
      const alone = (status?.viewers ?? 1) <= 1
      await reopen(asBuilt(session.source))
      if (alone) await api.endSession(id)
    } catch (error) {
      this.viewer.notify((error as Error).message)
    }
  }
}
