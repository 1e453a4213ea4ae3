// The domain as beams along its edges and panes with windows in its faces.
import type { SpaceDetail } from '../lib/protocol'
import {
  apply,
  combine,
  cosine,
  cross,
  curvature,
  type Geometry,
  multiply,
  normalOf,
  onLine,
  type Point,
  sine,
  translation,
  turn,
} from './isometry'
import { Mesh4, type Rgb } from './mesh'

/** Width of the frame of a pane, as a part of the way from its edge to its centre. */
const FRAME = 0.2
/** The same for the faces of a lens, whose edges are a quarter of a great circle away. */
const LENS_FRAME = 0.6

/** Half the width of a beam, as a part of the radius of the domain. */
const BEAM = 0.035

const BEAM_COLOUR: Rgb = [0.84, 0.8, 0.72]
/** Beams along axes of an orbifold. */
const AXIS_COLOUR: Rgb = [1, 0.45, 0.32]

/** Colours of the first pairs of faces, easy to tell apart. */
const PALETTE: readonly Rgb[] = [
  [0.2, 0.66, 0.66],
  [0.91, 0.44, 0.32],
  [0.93, 0.74, 0.28],
  [0.58, 0.46, 0.84],
  [0.5, 0.72, 0.3],
  [0.86, 0.45, 0.66],
  [0.33, 0.55, 0.86],
  [0.72, 0.56, 0.4],
  [0.62, 0.8, 0.78],
]

/** The colour of the pair of faces with this number, of `count` pairs. */
export function pairColour(pair: number, count: number): Rgb {
  if (count <= PALETTE.length) return PALETTE[pair]!
  const hue = (pair / Math.max(count, 1) + 0.03) % 1
  const lightness = pair % 2 === 0 ? 0.55 : 0.66
  return hslToRgb(hue, 0.62, lightness)
}

/** Returns, for each face, the number of its pair; paired faces share it. */
export function pairsOf(space: Pick<SpaceDetail, 'faces'>): number[] {
  const pairs: number[] = []
  let next = 0
  space.faces.forEach((face, index) => {
    pairs.push(face.partner < index ? pairs[face.partner]! : next++)
  })
  return pairs
}

/** Makes the panes: one of each pair of faces, because the copies draw the other. */
export function panes(space: SpaceDetail): Mesh4 {
  const { geometry } = space
  const mesh = new Mesh4()
  const pairs = pairsOf(space)
  const count = Math.max(-1, ...pairs) + 1
  space.faces.forEach((face, index) => {
    if (face.partner < index) return
    const colour = pairColour(pairs[index]!, count)
    const normal = normalOf(geometry, face.plane)
    const centre = face.centre
    const outer = face.corners.map((corner) => space.vertices[corner]!)
    const frame = outer.every((corner) => Math.abs(corner[3]) < 1e-9) ? LENS_FRAME : FRAME
    const inner = outer.map((corner) => onLine(geometry, combine(1 - frame, corner, frame, centre)))
    outer.forEach((corner, i) => {
      const next = (i + 1) % outer.length
      mesh.quad(corner, outer[next]!, inner[next]!, inner[i]!, normal, colour)
    })
  })
  return mesh
}

/** Makes the beams: one edge of each cycle, because the copies draw the others. */
export function beams(space: SpaceDetail): Mesh4 {
  const mesh = new Mesh4()
  const radius = BEAM * Math.min(space.in_radius, 1)
  const seen = new Set<number>()
  for (const edge of space.edges) {
    if (seen.has(edge.cycle)) continue
    seen.add(edge.cycle)
    const ends = edge.ends.map((end) => space.vertices[end]!)
    const plane = space.faces[edge.faces[0]!]!.plane
    const colour = edge.order > 1 ? AXIS_COLOUR : BEAM_COLOUR
    addBeam(mesh, space.geometry, ends[0]!, ends[1]!, plane, edge.order > 1 ? 1.6 * radius : radius, colour)
  }
  return mesh
}

/** Adds a square beam along an edge in a plane. */
function addBeam(mesh: Mesh4, geometry: Geometry, a: Point, b: Point, plane: Point, radius: number, colour: Rgb): void {
  // Normals of planes through the edge are the same vectors at all its points.
  const first = normalOf(geometry, plane)
  const second = normalOf(geometry, cross(a, b, first))
  const [s, c] = [sine(geometry, radius), cosine(geometry, radius)]
  const rim = (end: Point, quarter: number): Point => {
    const angle = (quarter + 0.5) * (Math.PI / 2)
    return combine(c, end, s, combine(Math.cos(angle), first, Math.sin(angle), second))
  }
  for (let quarter = 0; quarter < 4; quarter++) {
    const angle = (quarter + 1) * (Math.PI / 2)
    const normal = combine(Math.cos(angle), first, Math.sin(angle), second)
    mesh.quad(rim(a, quarter), rim(b, quarter), rim(b, quarter + 1), rim(a, quarter + 1), normal, colour)
  }
}

/** Makes the 96 edges of the regular 24-cell on the three-sphere, which has no edges of its own. */
export function twentyFourCell(): Mesh4 {
  const mesh = new Mesh4()
  // The earth is in the middle of a cell, an octahedron, which is turned a little.
  const tilt = multiply(turn([0.1, 0.9, 0.3]), translation('spherical', [-Math.PI / 4, 0, 0]))
  const axes = [...Array(8).keys()].map((i) => [0, 1, 2, 3].map((k) => (k === i >> 1 ? 1 - 2 * (i & 1) : 0)))
  const halves = [...Array(16).keys()].map((i) => [0, 1, 2, 3].map((k) => ((i >> k) & 1) - 0.5))
  const corners = [...axes, ...halves].map(([x, y, z, w]) => apply(tilt, [x!, y!, z!, w!]))
  // Neighbours are a sixth of a great circle apart.
  const joined = (a: Point, b: Point) => Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] - 0.5) < 1e-9
  corners.forEach((a, i) =>
    corners.slice(0, i).forEach((b, j) => {
      if (!joined(a, b)) return
      const third = corners.find((corner) => joined(a, corner) && joined(b, corner))!
      addBeam(mesh, 'spherical', a, b, cross(a, b, third), 0.022, pairColour(j < 8 ? j >> 1 : 4 + (i % 4), 9))
    }),
  )
  return mesh
}

function hslToRgb(hue: number, saturation: number, lightness: number): Rgb {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const k = (n + hue * 12) % 12
    return lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return [channel(0), channel(8), channel(4)]
}

/** The curvature as a sign, for shaders. */
export const curvatureOf = (space: Pick<SpaceDetail, 'geometry'>): number => curvature(space.geometry)
