// Checks of the JSON about the cave that the server sends. A difference from the generated types is a compile error.
import { boolean, list, nullable, number, object, oneOf, optional, string, tuple } from './check'
import type * as protocol from './protocol'

const vec3 = tuple<[number, number, number]>(3)
const pair = tuple<[number, number]>(2)
const quaternion = tuple<[number, number, number, number]>(4)

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
  body: boolean,
  tracker: nullable(list(tuple<[number, number, number, number]>(4))) as never,
  walls: list(wall),
})

const tracking = object<protocol.Tracking>({
  head: nullable(object<protocol.TrackedPose>({ position: vec3, orientation: quaternion })) as never,
  hands: nullable(
    list(
      object<protocol.TrackedHand>({
        position: vec3,
        orientation: quaternion,
        grab: boolean,
        shoot: boolean,
        menu: boolean,
      }),
    ),
  ) as never,
})

export const menuLayout = object<protocol.MenuLayout>({
  size: pair,
  items: list(
    object<protocol.MenuItem>({
      id: string,
      label: string,
      kind: oneOf('button', 'switch', 'slider', 'label'),
      place: pair,
      size: pair,
      scale: nullable(object<protocol.Scale>({ low: number, high: number, logarithmic: boolean, live: boolean })),
    }),
  ),
})

export const caveStatus = object<protocol.CaveStatus>({
  cave: nullable(cave),
  file: nullable(string),
  presets: list(object<protocol.CavePreset>({ name: string, description: string })),
  session: nullable(string),
  flow: nullable(string),
  frame: number,
  setup: boolean,
  body: boolean,
  tracking: nullable(tracking),
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
