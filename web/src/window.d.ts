// `window.burgess` and `window.burgessFlow`, for tests and debugging, while a viewer or a flow is open.
import type { Flow } from './flow/flow.svelte'
import type { FlowView } from './flow3d/flowView'
import type { SceneView, Stats } from './scene3d/sceneView'
import type { SpaceState } from './space/spacePage.svelte'
import type { SpaceView } from './space3d/spaceView'
import type { Viewer } from './viewer/viewer.svelte'
import type { WallClient } from './walls/wallClient'
import type { WallView } from './walls/wallView'
import type { XrView } from './walls/xrView'

declare global {
  interface Window {
    burgessFlow?: { flow: Flow; view: FlowView }
    burgess?: { stats: Stats; view: SceneView; viewer: Viewer }
    /** While a wall is open. */
    burgessWall?: { client: WallClient; view: WallView }
    /** While the page for headsets is open. */
    burgessXr?: XrView
    /** While a space is open. */
    burgessSpace?: { view: SpaceView; page: SpaceState }
  }
}
