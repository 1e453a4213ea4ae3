// What tests and the curious find at `window.burgess` while a stage is shown.
import type { Stage, Stats } from '../stage3d/stage'
import type { Viewer } from '../stage/viewer.svelte'

declare global {
  interface Window {
    burgess?: { stats: Stats; stage: Stage; viewer: Viewer }
  }
}
