// The camera of a view. It depends only on its settings (angles, distance, shift) and on the frame: nothing is smoothed over
// time, so the same frame gives the same view. Until the user moves the camera, `AutoCamera` makes the settings.
import { Quaternion, Vector3, type PerspectiveCamera } from 'three'
import { POSE } from '../lib/frame'
import type { CameraEntry } from '../lib/protocol'

export const CAMERAS = ['static', 'follow', 'orbit', 'first-person', 'strobe'] as const
export type CameraKind = (typeof CAMERAS)[number]

/** Period of the orbit camera, in s of simulated time. */
const ORBIT_PERIOD = 24
/** Share of the picture that a framed box fills. */
const FRAMED_SHARE = 0.86
const MAX_ELEVATION = Math.PI / 2 - 0.01

export class Cameras {
  kind: CameraKind = 'follow'
  /** Whether the settings are automatic; turning, zooming and moving the camera by hand ends that. */
  auto = true
  /** Angle of the camera round the target from the x axis, in rad. */
  azimuth = -Math.PI / 3
  /** Angle of the camera above the target, in rad. */
  elevation = 0.3
  /** Distance to the target, in m. */
  distance = 6
  /** Target of a camera that does not move. */
  readonly target = new Vector3()
  /** The body that is followed; null follows the mean position of all. */
  followed: number | null = null
  /** Bodies connected to the followed one: their mean position is steadier than one body's. */
  private connected: number[] = []
  /** Offset of a moving camera's target from the followed position, from panning. */
  private readonly shift = new Vector3()
  /** Mean position of the followed bodies in the current frame. */
  private readonly subject = new Vector3()
  /** Direction of a first-person camera from straight ahead, in rad: to the left and up. */
  private readonly look = { left: 0, up: 0 }
  /** Distance of a first-person camera from the origin of its body, in m. */
  eyeDistance = 0
  private time = 0
  private poses: Float32Array = new Float32Array()

  /** Moves the camera so that all corners of a box are in the picture. */
  frameBox(min: readonly number[], max: readonly number[], aspect: number, fov: number): void {
    const half = max.map((high, axis) => 0.5 * (high - min[axis]!))
    this.target.set(max[0]! - half[0]!, max[1]! - half[1]!, max[2]! - half[2]!)
    this.shift.set(0, 0, 0)
    const tall = FRAMED_SHARE * Math.tan((fov * Math.PI) / 360)
    const angle = this.currentAzimuth()
    const [cos, sin, rise, flat] = [
      Math.cos(angle),
      Math.sin(angle),
      Math.sin(this.elevation),
      Math.cos(this.elevation),
    ]
    this.distance = 0.05
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = half.map((length, axis) => (corner & (1 << axis) ? length : -length)) as [
        number,
        number,
        number,
      ]
      const right = Math.abs(-sin * x + cos * y)
      const near = flat * (cos * x + sin * y) + rise * z
      const up = Math.abs(flat * z - rise * (cos * x + sin * y))
      this.distance = Math.max(this.distance, near + right / (tall * aspect), near + up / tall)
    }
  }

  follow(body: number | null, parents: readonly (number | null)[]): void {
    this.followed = body
    this.connected = body === null ? [] : connectedBodies(body, parents)
  }

  /** Takes the place of a camera that a scene names. One that follows a body keeps its place from that body. */
  useNamed(camera: CameraEntry, parents: readonly (number | null)[]): void {
    const target = new Vector3().fromArray(camera.target)
    const away = new Vector3().fromArray(camera.position).sub(target)
    this.auto = false
    this.distance = Math.max(away.length(), 0.02)
    this.azimuth = Math.atan2(away.y, away.x)
    this.elevation = clamp(Math.asin(clamp(away.z / this.distance, -1, 1)), -MAX_ELEVATION, MAX_ELEVATION)
    this.kind = camera.follow === null ? 'static' : 'follow'
    if (camera.follow === null) this.target.copy(target)
    else {
      this.follow(camera.follow, parents)
      // The scene's camera stays beside the body itself, not beside all that is connected to it.
      this.connected = [camera.follow]
      this.shift.copy(target)
    }
  }

  /** Sets the current poses and time. */
  setFrame(poses: Float32Array, time: number): void {
    this.poses = poses
    this.time = time
    const bodies = poses.length / POSE
    const chosen = this.connected.filter((body) => body < bodies)
    const count = chosen.length || bodies
    if (count === 0) return
    this.subject.set(0, 0, 0)
    for (let index = 0; index < count; index++) {
      const at = POSE * (chosen.length ? chosen[index]! : index)
      this.subject.x += poses[at]! / count
      this.subject.y += poses[at + 1]! / count
      this.subject.z += poses[at + 2]! / count
    }
  }

  /** Changes the kind of camera. A moving one goes to what it follows; a static one stays where it is. */
  setKind(kind: CameraKind): void {
    const target = this.lookedAt(new Vector3())
    const azimuth = this.currentAzimuth()
    this.kind = kind
    this.look.left = this.look.up = 0
    if (this.moving) this.shift.set(0, 0, 0)
    else this.target.copy(target)
    this.azimuth = kind === 'orbit' ? azimuth - this.orbitAngle() : azimuth
  }

  /** Returns a function that restores the current view. */
  save(): () => void {
    const { kind, auto, azimuth, elevation, distance } = this
    const target = this.target.clone()
    const shift = this.shift.clone()
    return () => {
      Object.assign(this, { kind, auto, azimuth, elevation, distance })
      this.target.copy(target)
      this.shift.copy(shift)
    }
  }

  private get moving(): boolean {
    return this.kind === 'follow' || this.kind === 'orbit' || this.kind === 'first-person'
  }

  /** Moves the followed bodies back to the middle of the picture. */
  centre(): void {
    this.shift.set(0, 0, 0)
    this.target.copy(this.subject)
  }

  private orbitAngle(): number {
    return (2 * Math.PI * this.time) / ORBIT_PERIOD
  }

  /** Azimuth in the current frame, in rad. */
  currentAzimuth(): number {
    return this.kind === 'orbit' ? this.azimuth + this.orbitAngle() : this.azimuth
  }

  lookedAt(out: Vector3): Vector3 {
    return this.moving ? out.copy(this.subject).add(this.shift) : out.copy(this.target)
  }

  /** Turns the camera round its target, in rad. A first-person camera looks aside. */
  turn(azimuth: number, elevation: number): void {
    if (this.kind === 'first-person') {
      this.look.left += azimuth
      this.look.up = clamp(this.look.up - elevation, -MAX_ELEVATION, MAX_ELEVATION)
      return
    }
    this.auto = false
    this.azimuth += azimuth
    this.elevation = clamp(this.elevation + elevation, -MAX_ELEVATION, MAX_ELEVATION)
  }

  zoom(factor: number): void {
    this.auto = false
    this.distance = clamp(this.distance * factor, 0.02, 2000)
  }

  /** Moves the target, in shares of the picture's height. */
  pan(right: number, up: number, fov: number): void {
    this.auto = false
    const height = 2 * this.distance * Math.tan((fov * Math.PI) / 360)
    const angle = this.currentAzimuth()
    const side = new Vector3(-Math.sin(angle), Math.cos(angle), 0)
    const slope = new Vector3(-Math.cos(angle), -Math.sin(angle), 0).multiplyScalar(Math.sin(this.elevation))
    slope.z = Math.cos(this.elevation)
    const offset = side.multiplyScalar(right * height).addScaledVector(slope, up * height)
    if (this.moving) this.shift.add(offset)
    else this.target.add(offset)
  }

  apply(camera: PerspectiveCamera): void {
    camera.up.set(0, 0, 1)
    if (this.kind === 'first-person') this.applyFirstPerson(camera)
    else {
      const target = this.lookedAt(new Vector3())
      const angle = this.currentAzimuth()
      const flat = Math.cos(this.elevation)
      camera.position
        .set(Math.cos(angle) * flat, Math.sin(angle) * flat, Math.sin(this.elevation))
        .multiplyScalar(this.distance)
        .add(target)
      camera.lookAt(target)
    }
    camera.near = this.distance * 0.01
    camera.far = this.distance * 400
    camera.updateProjectionMatrix()
    camera.updateMatrixWorld()
  }

  /** Looks from the front of the followed body along its x axis, which is the direction of walking and driving. */
  private applyFirstPerson(camera: PerspectiveCamera): void {
    const at = POSE * (this.followed ?? 0)
    if (at + 6 >= this.poses.length) return
    const turn = new Quaternion(this.poses[at + 3], this.poses[at + 4], this.poses[at + 5], this.poses[at + 6])
    const { left, up } = this.look
    const flat = Math.cos(up)
    const ahead = new Vector3(flat * Math.cos(left), flat * Math.sin(left), Math.sin(up)).applyQuaternion(turn)
    camera.up.set(0, 0, 1)
    if (Math.abs(ahead.z) > 0.95) camera.up.set(1, 0, 0)
    const front = new Vector3(this.eyeDistance, 0, 0).applyQuaternion(turn)
    camera.position.set(this.poses[at]!, this.poses[at + 1]!, this.poses[at + 2]!).add(front)
    camera.lookAt(camera.position.clone().add(ahead))
  }
}

/** Returns all bodies connected to a body by joints. */
export function connectedBodies(body: number, parents: readonly (number | null)[]): number[] {
  const root = (of: number): number => {
    let at = of
    for (let steps = 0; steps <= parents.length; steps++) {
      const parent = parents[at]
      if (parent === null || parent === undefined) return at
      at = parent
    }
    return at
  }
  const own = root(body)
  const connected = parents.map((_, index) => index).filter((index) => root(index) === own)
  return connected.length ? connected : [body]
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
