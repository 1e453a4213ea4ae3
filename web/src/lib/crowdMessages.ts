// Checks of the crowds in the contents of a world.
import { boolean, list, nullable, number, object, string, tuple } from './check'
import type * as protocol from './protocol'

const place = tuple<[number, number]>(2)
export const crowd = object<protocol.CrowdEntry>({
  people: list(nullable(number)),
  gates: list(object<protocol.GateEntry>({ name: string, min: place, max: place, door: boolean })),
  signals: list(string),
  networks: list(
    object<protocol.NetworkEntry>({
      name: string,
      of_people: boolean,
      states: list(
        object<protocol.StateEntry>({
          name: string,
          actions: list(string),
          transitions: list(object<protocol.TransitionEntry>({ to: number, guard: string })),
        }),
      ),
    }),
  ),
  nodes: list(object<protocol.NetNodeEntry>({ name: string, kind: string, function: string })),
  links: list(object<protocol.NetLinkEntry>({ name: string, from: number, to: number, inhibits: boolean })),
})
