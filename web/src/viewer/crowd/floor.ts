// What a click on the floor of a crowd does.
import type { Ray } from 'three'
import type { Viewer } from '../viewer.svelte'

/** What a click does: it selects a body, sends the selected person to a place, blocks it, or adds a person there. */
export type FloorTool = 'select' | 'send' | 'block' | 'add'

/** Returns where a ray meets the plane z = 0, in m; null if it does not go down. */
export function floorPoint(ray: Ray): [number, number] | null {
  if (ray.direction.z > -1e-6) return null
  const along = -ray.origin.z / ray.direction.z
  return [ray.origin.x + along * ray.direction.x, ray.origin.y + along * ray.direction.y]
}

/** Uses the tool at a point of the canvas, in pixels. Returns whether the click was used. */
export function clickFloor(viewer: Viewer, x: number, y: number): boolean {
  const { view } = viewer
  const { tool } = viewer.hands
  if (!view || tool === 'select' || !viewer.contents?.crowds.length) return false
  const body = view.pick(x, y)?.body
  const isPerson = (index: number | null | undefined) =>
    viewer.contents?.crowds.some(({ people }) => people.includes(index ?? -1))
  // A click on a person chooses who is sent.
  if (tool === 'send' && isPerson(body)) return false
  const at = floorPoint(view.ray(x, y))
  if (!at) return false
  if (tool === 'block') viewer.send({ do: 'block', at })
  else if (tool === 'add') viewer.send({ do: 'join', at })
  else if (isPerson(viewer.pinned)) {
    viewer.send({ do: 'guide', person: viewer.bodies[viewer.pinned!]!.name, to: at })
    viewer.notify(`${viewer.bodies[viewer.pinned!]!.name} goes there.`)
  } else viewer.notify('Click on a person first, then on the place where it shall go.')
  return true
}
