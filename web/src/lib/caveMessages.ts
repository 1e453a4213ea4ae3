// Checks of the JSON about the cave that the server sends. A difference from the generated types is a compile error.
import { boolean, list, nullable, number, object, oneOf, optional, string, tuple } from './check'
import type * as protocol from './protocol'

const vec3 = tuple<[number, number, number]>(3)
const pair = tuple<[number, number]>(2)

const wall = object<protocol.WallSpec>({
  name: string,
  lower_left: vec3,
  lower_right: vec3,
  upper_left: vec3,
  stereo: oneOf('none', 'side-by-side', 'top-bottom', 'anaglyph', 'left', 'right'),
  corners: list(pair) as never,
  mask: optional(list(pair)) as never,
})

const cave = object<protocol.Cave>({
  name: string,
  description: string,
  eye: vec3,
  eye_separation: number,
  period: number,
  lock: oneOf('commit', 'timed'),
  speed: number,
  start: nullable(object<protocol.Start>({ position: vec3, heading: number })) as never,
  scene: nullable(string) as never,
  near: number,
  far: number,
  detail: oneOf('full', 'low'),
  tracker: nullable(list(tuple<[number, number, number, number]>(4))) as never,
  walls: list(wall),
})

export const caveStatus = object<protocol.CaveStatus>({
  cave: nullable(cave),
  file: nullable(string),
  presets: list(object<protocol.CavePreset>({ name: string, description: string })),
  session: nullable(string),
  frame: number,
  setup: boolean,
  walls: list(
    object<protocol.WallStatus>({
      name: string,
      number,
      window: nullable(string),
      locked: boolean,
      shown: number,
      times_late: number,
      drawing: number,
      slowest: number,
    }),
  ),
  address: nullable(string),
})
