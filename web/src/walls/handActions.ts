// What hands do to the world: commands to shoot a ball, to push a body, and to throw one that is held.
import { Vector3, type Ray } from 'three'
import type { Appearance, Command, Vec3 } from '../lib/protocol'

/** Speed that a push gives to a body, and that a throw adds, in m/s. */
const PUSH_SPEED = 2
const THROW_SPEED = 5
const BALL = { radius: 0.06, density: 1000, speed: 8 }

const along = (ray: Ray, length: number) => ray.direction.clone().multiplyScalar(length).toArray() as Vec3

/** Shoots a ball that starts at a distance along the ray, in m. */
export function shoot(ray: Ray, distance: number): Command {
  const from = ray.at(distance, new Vector3()).toArray() as Vec3
  return { do: 'throw', from, velocity: along(ray, BALL.speed), radius: BALL.radius, density: BALL.density }
}

/** Pushes a body along the ray. */
export function push(ray: Ray, body: number, appearance: Appearance | null): Command {
  const mass = appearance?.bodies[body]?.mass ?? 1
  return { do: 'push', body, impulse: along(ray, PUSH_SPEED * mass) }
}

/** Lets a held body go; with `throws` it flies along the ray. */
export function letGo(ray: Ray | null, throws: boolean): Command {
  return throws && ray ? { do: 'release', velocity: along(ray, THROW_SPEED) } : { do: 'release' }
}
