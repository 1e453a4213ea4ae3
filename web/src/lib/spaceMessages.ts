// Checks of the JSON of curved spaces that the server sends. A difference from the generated types is a compile error.
import { boolean, list, nullable, number, object, oneOf, string, tuple } from './check'
import type * as protocol from './protocol'

const spaceFields = {
  name: string,
  description: string,
  geometry: oneOf('spherical', 'flat', 'hyperbolic'),
}
export const spaceEntry = object<protocol.SpaceEntry>(spaceFields)
const vec4 = tuple<[number, number, number, number]>(4)
const numbers = list(number)
export const spaceDetail = object<protocol.SpaceDetail>({
  ...spaceFields,
  group: string,
  group_order: nullable(number),
  is_manifold: boolean,
  volume: number,
  in_radius: number,
  out_radius: number,
  parameters: list(
    object<protocol.SpaceParameter>({ name: string, min: number, max: number, value: number, whole: boolean }),
  ),
  vertices: list(vec4),
  edges: list(object<protocol.SpaceEdge>({ ends: tuple(2), faces: tuple(2), cycle: number, order: number })),
  faces: list(
    object<protocol.SpaceFace>({ plane: vec4, centre: vec4, corners: numbers, partner: number, pairing: tuple(16) }),
  ),
  copies: numbers,
  layers: numbers,
  sheets: numbers,
  covers: number,
})
