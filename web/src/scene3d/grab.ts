// Pulls a body by a spring. The pointer moves in the plane through the grabbed point that faces the camera. The spring is drawn
// as a coil.
import { Color, Plane, Vector3, type PerspectiveCamera, type Ray } from 'three'
import type { Vec3 } from '../lib/protocol'
import { Lines } from './overlayShapes'
import { bodyPoint } from './overlays'
import { POSE } from '../lib/frame'
import type { Hit } from './pick'

const COILS = 9
const POINTS = 90

export class Grab {
  readonly lines = new Lines(true)
  private body: number | null = null
  private readonly plane = new Plane()
  private point: Vec3 = [0, 0, 0]
  private to: Vec3 = [0, 0, 0]

  get active(): boolean {
    return this.body !== null
  }

  /** Starts pulling at a hit; returns the arguments of the grab command. */
  start(hit: Hit, camera: PerspectiveCamera, poses: Float32Array): { body: number; point: Vec3; to: Vec3 } {
    this.body = hit.body
    this.plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), hit.point)
    this.to = [hit.point.x, hit.point.y, hit.point.z]
    this.point = pointInBody(poses, hit.body, this.to)
    return { body: hit.body, point: this.point, to: this.to }
  }

  /** Returns where the pointer's ray meets the plane; null if it misses. */
  drag(ray: Ray): Vec3 | null {
    const met = ray.intersectPlane(this.plane, new Vector3())
    if (!met) return null
    this.to = [met.x, met.y, met.z]
    return this.to
  }

  release(): void {
    this.body = null
  }

  draw(poses: Float32Array, size: number, colour: Color): void {
    this.lines.begin()
    if (this.body !== null && POSE * this.body + 6 < poses.length)
      this.coil(bodyPoint(poses, this.body, this.point), size, colour)
    this.lines.end()
  }

  private coil(from: Vec3, size: number, colour: Color): void {
    const start = new Vector3(...from)
    const along = new Vector3(...this.to).sub(start)
    const side = new Vector3(0, 0, 1).cross(along)
    if (side.lengthSq() < 1e-12) side.set(1, 0, 0)
    side.normalize()
    const other = new Vector3().crossVectors(along, side).normalize()
    const at = (k: number) => {
      const share = k / POINTS
      const ends = Math.min(1, 8 * Math.min(share, 1 - share))
      const angle = 2 * Math.PI * COILS * share
      const radius = 0.12 * size * ends
      return start
        .clone()
        .addScaledVector(along, share)
        .addScaledVector(side, radius * Math.cos(angle))
        .addScaledVector(other, radius * Math.sin(angle))
    }
    for (let k = 0; k < POINTS; k++) {
      const a = at(k)
      const b = at(k + 1)
      this.lines.add(a.x, a.y, a.z, b.x, b.y, b.z, colour)
    }
  }
}

/** Transforms a point of the world into a body's frame. */
export function pointInBody(poses: Float32Array, body: number, point: Vec3): Vec3 {
  const at = POSE * body
  const away: Vec3 = [point[0] - poses[at]!, point[1] - poses[at + 1]!, point[2] - poses[at + 2]!]
  const back = Float32Array.of(0, 0, 0, -poses[at + 3]!, -poses[at + 4]!, -poses[at + 5]!, poses[at + 6]!)
  return bodyPoint(back, 0, away)
}
