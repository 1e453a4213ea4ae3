// The domain as polygons of a flat picture, the nearest last, with the colours of its pairs of faces.
import type { SpaceDetail } from '../lib/protocol'
import { pairColour, pairsOf } from './domainMesh'

export interface DomainShape {
  face: number
  /** Corners of the polygon, as in the attribute `points` of SVG. */
  points: string
  fill: string
  /** Letter of the pair; that of its second face has a mark. */
  label: string
  /** Place of the label. */
  x: number
  y: number
  /** Whether the face is turned to the front. */
  front: boolean
}

type View = Pick<SpaceDetail, 'geometry' | 'vertices' | 'faces'>

/** Draws the domain in a square of the given side, turned to the right and then upwards by angles in rad. */
export function domainShapes(space: View, size: number, across: number, up: number): DomainShape[] {
  const turned = (p: readonly number[]): [number, number, number] => {
    const [x, y, z] = position(space, p)
    const [sa, ca, su, cu] = [Math.sin(across), Math.cos(across), Math.sin(up), Math.cos(up)]
    const [x1, z1] = [ca * x + sa * z, -sa * x + ca * z]
    return [x1, cu * y - su * z1, su * y + cu * z1]
  }
  const pairs = pairsOf(space)
  const count = Math.max(-1, ...pairs) + 1
  const largest = Math.max(1e-9, ...space.vertices.map((vertex) => Math.hypot(...position(space, vertex))))
  const scale = (0.42 * size) / largest
  const place = ([x, y]: readonly number[]) => [size / 2 + scale * x!, size / 2 - scale * y!]
  const shapes = space.faces.map((face, index) => {
    const centre = turned(face.centre)
    const [x, y] = place(centre)
    const [r, g, b] = pairColour(pairs[index]!, count).map((part) => Math.round(255 * part))
    const corners = face.corners.map((corner) => place(turned(space.vertices[corner]!)))
    const shape: DomainShape = {
      face: index,
      points: corners.map((corner) => corner.map((part) => part.toFixed(1)).join()).join(' '),
      fill: `rgb(${r} ${g} ${b})`,
      label: letter(pairs[index]!) + (face.partner < index ? '′' : ''),
      x: x!,
      y: y!,
      front: centre[2] > 0,
    }
    return { depth: centre[2], shape }
  })
  return shapes.sort((a, b) => a.depth - b.depth).map(({ shape }) => shape)
}

/** The domain as an SVG image in a data URL; without faces, the outline of a ball. */
export function domainImage(space: View): string {
  const polygons = domainShapes(space, 240, 0.6, 0.45).map(
    ({ points, fill, front }) => `<polygon points="${points}" fill="${fill}" fill-opacity="${front ? 0.85 : 0.35}"/>`,
  )
  const ball = '<circle cx="120" cy="120" r="90" fill="#5cc3bb" fill-opacity="0.5"/>'
  const body = polygons.length ? polygons.join('') : ball
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-80 0 400 240"><g stroke="#376069" stroke-width="2" stroke-linejoin="round">${body}</g></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Position in the projective model; on the sphere by stereographic projection, which shows points at any distance. */
function position(space: View, [x, y, z, w]: readonly number[]): [number, number, number] {
  const scale = 1 / (space.geometry === 'spherical' ? 1 + w! : w!)
  return [x! * scale, y! * scale, z! * scale]
}

function letter(pair: number): string {
  const first = String.fromCharCode(97 + (pair % 26))
  return pair < 26 ? first : `${first}${Math.floor(pair / 26)}`
}
