// `window.burgess`, for tests and debugging, while a viewer is open.
import type { SceneView, Stats } from './scene3d/sceneView'
import type { Viewer } from './viewer/viewer.svelte'

declare global {
  interface Window {
    burgess?: { stats: Stats; view: SceneView; viewer: Viewer }
  }
}
