// `window.burgess`, for tests and debugging, while a viewer is open.
import type { SceneView, Stats } from './scene3d/sceneView'
import type { SpaceState } from './space/spacePage.svelte'
import type { SpaceView } from './space3d/spaceView'
import type { Viewer } from './viewer/viewer.svelte'

declare global {
  interface Window {
    burgess?: { stats: Stats; view: SceneView; viewer: Viewer }
    /** While a space is open. */
    burgessSpace?: { view: SpaceView; page: SpaceState }
  }
}
