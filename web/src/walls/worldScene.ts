// The world of a session as a three.js scene for several eyes. What depends on the viewer (detail, grid, fog, shadows) follows
// one point of view for all walls, so that adjacent pictures agree.
import { PerspectiveCamera, Vector3, type Scene } from 'three'
import type { Frame } from '../lib/frame'
import type { Appearance } from '../lib/protocol'
import { Environment } from '../scene3d/environment'
import { Slope } from '../scene3d/ground'
import { Instances } from '../scene3d/instances'
import { Overlays } from '../scene3d/overlays'
import { buildPieces, groundHeight, levelPlane } from '../scene3d/pieces'
import { pick, type Hit } from '../scene3d/pick'
import type { Ray } from 'three'
import type { Tubes } from './wallFrame'
import { WallTubes } from './wallTubes'

/** Distance for which fog, grid and shadows are chosen, in m. */
const DISTANCE = 4
/** Half the side of the square with shadows, in m. */
const SHADOW_REACH = 6
/** Height of the picture for which levels of detail are chosen, in pixels. */
const DETAIL_HEIGHT = 1000

export class WorldScene {
  appearance: Appearance | null = null
  frame: Frame | null = null
  private readonly environment = new Environment()
  private instances: Instances | null = null
  private slopes: Slope[] = []
  /** Legs and arms of people who walk. */
  private readonly figures = new Overlays()
  private readonly tubes = new WallTubes()
  private readonly viewpoint = new PerspectiveCamera(60, 1, 0.1, 100)

  constructor(
    private readonly shadowResolution: number,
    dark = false,
  ) {
    this.environment.setTheme(dark)
    this.figures.setShown(['figures'])
    this.scene.add(this.figures.group, this.tubes.group)
  }

  get scene(): Scene {
    return this.environment.scene
  }

  setAppearance(appearance: Appearance): void {
    this.disposeWorld()
    this.appearance = appearance
    const pieces = buildPieces(appearance)
    this.instances = new Instances(pieces)
    this.environment.setTheme(false, appearance.fluid)
    const level = levelPlane(pieces)
    const height = groundHeight(appearance, pieces)
    this.environment.ground.place(height !== null, height ?? appearance.box.min[2])
    const extent = 4 * Math.hypot(...appearance.box.max.map((high, axis) => high - appearance.box.min[axis]!))
    this.slopes = pieces.planes
      .filter((plane) => plane !== level)
      .map((plane) => new Slope(plane.matrix, plane.colour, Math.max(extent, 1)))
    this.scene.add(this.instances.group, ...this.slopes.map((slope) => slope.mesh))
  }

  /** Sets the poses of all bodies; the appearance must be of the same epoch. */
  setFrame(frame: Frame): void {
    this.frame = frame
    this.instances?.place(frame.poses)
    this.figures.draw(frame, Infinity, DISTANCE)
  }

  /** Shows vortex tubes over a ground without bodies; null hides them. */
  setTubes(tubes: Tubes | null): void {
    this.tubes.set(tubes)
    if (tubes && !this.appearance) this.environment.ground.place(true, 0)
  }

  /** Prepares to draw for a viewer at a place who looks in a direction along the ground. */
  follow(head: readonly [number, number, number], heading: number): void {
    const { viewpoint } = this
    const forward = new Vector3(-Math.sin(heading), Math.cos(heading), 0)
    viewpoint.up.set(0, 0, 1)
    viewpoint.position.set(...head)
    const target = viewpoint.position.clone().addScaledVector(forward, DISTANCE)
    viewpoint.lookAt(target)
    viewpoint.updateMatrixWorld()
    this.instances?.chooseLevels(viewpoint, DETAIL_HEIGHT, 1)
    this.environment.follow(viewpoint, {
      target: target.setZ(Math.min(target.z, head[2] - 1)),
      distance: DISTANCE,
      shadowReach: SHADOW_REACH,
      shadowResolution: this.shadowResolution,
    })
    this.instances?.upload()
  }

  pick(ray: Ray): Hit | null {
    return this.instances ? pick(ray, this.instances.pieces, this.instances.worlds) : null
  }

  private disposeWorld(): void {
    this.instances?.dispose()
    this.instances?.group.removeFromParent()
    for (const slope of this.slopes) {
      slope.mesh.removeFromParent()
      slope.dispose()
    }
    this.slopes = []
  }

  dispose(): void {
    this.disposeWorld()
    this.figures.dispose()
    this.tubes.dispose()
    this.environment.dispose()
  }
}
