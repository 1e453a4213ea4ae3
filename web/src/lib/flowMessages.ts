// Checks of the description of a flow.
import { boolean, type Check, list, number, object, string, tuple } from './check'
import type * as protocol from './protocol'

const vec3 = tuple<protocol.Vec3>(3)

export const flow = object<protocol.FlowDetail>({
  title: string,
  flow: string,
  size: vec3,
  origin: vec3,
  extent: vec3,
  periodic: list(boolean) as Check<[boolean, boolean, boolean]>,
  cell: number,
  wall: boolean,
  wind: vec3,
  quantities: list(object<protocol.FlowQuantity>({ name: string, least: number, most: number })),
  steps: list(object<protocol.FlowStep>({ time: number, tubes: number, points: number })),
  tracks: list(object<protocol.FlowTrack>({ first: number, last: number })),
  events: list(object<protocol.FlowEvent>({ step: number, kind: string, from: list(number), to: list(number) })),
  bytes: number,
  velocity_bytes: number,
  core_error: number,
})
