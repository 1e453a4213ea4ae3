// Moves the camera until the user does: chooses its kind and direction when a world opens, and keeps the subject in the
// picture. Also finds the fixed pieces in front of the subject, which are left out of the picture.
import { Box3, PerspectiveCamera, Vector3 } from 'three'
import type { Appearance } from '../lib/protocol'
import type { Cameras } from './cameras'
import { Framing } from './framing'
import { chooseDirection, hidingPieces, sampleMoving, type Direction } from './occlusion'
import type { Pieces } from './pieces'

export class AutoCamera {
  readonly framing: Framing
  private samples: number[] = []
  private sampledFrom: Pieces | null = null
  private directed = false
  private aspect = 1

  constructor(
    private readonly cameras: Cameras,
    private readonly fov: number,
    appearance: Appearance,
    ground: number | null,
  ) {
    this.framing = new Framing(appearance, ground)
    const { followed } = this.framing
    cameras.kind = followed === null ? 'static' : 'follow'
    cameras.follow(
      followed,
      appearance.bodies.map((body) => body.parent),
    )
    cameras.auto = true
  }

  /** Adds a frame, which the cameras have already, and keeps its subject in the picture. */
  addFrame(pieces: Pieces, worlds: Float32Array, poses: Float32Array): void {
    const grown = this.framing.add(pieces, worlds, poses)
    if (this.sampledFrom !== pieces) {
      this.samples = sampleMoving(pieces, (body) => this.framing.subject.has(body))
      this.sampledFrom = pieces
    }
    if (!this.directed) {
      this.directed = true
      // A camera that the scene names has its own direction.
      if (!this.cameras.auto) return
      Object.assign(
        this.cameras,
        chooseDirection(this.samples, pieces, worlds, (direction) => this.positionFrom(direction)),
      )
      this.fit()
    } else if (grown) this.fit()
  }

  setAspect(aspect: number): void {
    this.aspect = aspect
    this.fit()
  }

  /** Fits the picture to the subject of all frames seen so far, unless the user has moved the camera. */
  fit(): void {
    const { cameras, framing } = this
    if (!cameras.auto || framing.box.isEmpty() || cameras.kind === 'first-person') return
    const { half } = framing
    const moving = cameras.kind === 'follow' || cameras.kind === 'orbit'
    const box = moving && framing.followed !== null ? new Box3(half.clone().negate(), half) : framing.box
    cameras.frameBox(box.min.toArray(), box.max.toArray(), this.aspect, this.fov)
  }

  /** Fits the picture again after the user has moved the camera. */
  reset(): void {
    this.cameras.auto = true
    this.fit()
  }

  /** Forgets the frames so far, and fits the picture to all from now on. */
  restart(): void {
    this.cameras.auto = true
    this.framing.restart()
  }

  /** Returns the fixed pieces that hide the subject from the camera. */
  hiding(camera: PerspectiveCamera, pieces: Pieces, worlds: Float32Array): number[] {
    return this.sampledFrom === pieces ? hidingPieces(camera, this.samples, pieces, worlds) : []
  }

  private positionFrom(direction: Direction): Vector3 {
    Object.assign(this.cameras, direction)
    this.fit()
    const camera = new PerspectiveCamera(this.fov, this.aspect)
    this.cameras.apply(camera)
    return camera.position
  }
}
