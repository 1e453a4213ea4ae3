// Tubes as lit fat lines: ribbons that face the camera, as wide as the tubes, shaded like fibres (the light along a fibre does
// not show, the light across it does).
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  ShaderMaterial,
  Vector3,
} from 'three'
import { divide } from './budget'
import type { Colouring, Shift } from './tubeMesh'
import { emptyPlace, placeAt, type TubeStep } from './tubes'

/** Triangles of all tubes. Ribbons need fewer than surfaces. */
export const LINE_TRIANGLES = 8000
/** Segments of all tubes: each has two triangles. */
const SEGMENTS = LINE_TRIANGLES / 2
const VERTICES = 4 * SEGMENTS

export class LineMesh {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>
  private readonly attributes: Record<'position' | 'along' | 'color', BufferAttribute> = {
    position: dynamic(3),
    along: dynamic(4),
    color: dynamic(3),
  }
  private readonly index = new BufferAttribute(new Uint32Array(LINE_TRIANGLES * 3), 1).setUsage(DynamicDrawUsage)

  constructor() {
    const geometry = new BufferGeometry()
    for (const [name, attribute] of Object.entries(this.attributes)) geometry.setAttribute(name, attribute)
    geometry.setIndex(this.index)
    const material = new ShaderMaterial({
      side: DoubleSide,
      uniforms: { sun: { value: new Vector3(-0.44, -0.34, 0.83) }, shade: { value: new Color(0.35, 0.35, 0.35) } },
      vertexShader: /* glsl */ `
        attribute vec4 along;
        attribute vec3 color;
        varying vec3 vColour;
        varying vec3 vTangent;
        varying vec3 vView;
        varying float vAcross;
        void main() {
          vec3 view = normalize(cameraPosition - position);
          vec3 across = cross(along.xyz, view);
          across = length(across) > 1e-4 ? normalize(across) : vec3(0.0);
          vColour = color;
          vTangent = along.xyz;
          vView = view;
          vAcross = sign(along.w);
          gl_Position = projectionMatrix * viewMatrix * vec4(position + across * along.w, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 sun;
        uniform vec3 shade;
        varying vec3 vColour;
        varying vec3 vTangent;
        varying vec3 vView;
        varying float vAcross;
        void main() {
          vec3 t = normalize(vTangent);
          float lt = dot(sun, t);
          float vt = dot(normalize(vView), t);
          float diffuse = sqrt(max(1.0 - lt * lt, 0.0));
          float gloss = pow(max(diffuse * sqrt(max(1.0 - vt * vt, 0.0)) - lt * vt, 0.0), 24.0);
          float edge = 1.0 - 0.55 * vAcross * vAcross;
          vec3 colour = vColour * (shade + diffuse * edge) + 0.25 * gloss;
          gl_FragColor = vec4(colour, 1.0);
          #include <colorspace_fragment>
        }`,
    })
    this.mesh = new Mesh(geometry, material)
    this.mesh.frustumCulled = false
  }

  /** Fills the mesh; returns its number of triangles. */
  fill(step: TubeStep, colouring: Colouring, shift: Shift): number {
    const place = emptyPlace()
    const { position, along, color } = this.attributes
    const corners = this.index.array
    let [vertex, corner] = [0, 0]
    for (const { tube, segments, costs, cost } of divide(step, SEGMENTS)) {
      const moved = shift(tube.track)
      let [piece, before] = [0, 0]
      for (let ring = 0; ring <= segments; ring++) {
        const wanted = (cost * ring) / segments
        while (piece < costs.length - 1 && before + costs[piece]! < wanted - 1e-9) before += costs[piece++]!
        const share = costs[piece]! > 0 ? Math.min(Math.max((wanted - before) / costs[piece]!, 0), 1) : 0
        placeAt(step, tube, piece, share, place)
        const [x, y, z] = place.position
        const colour = colouring(place, tube.track)
        for (const half of [-place.terms[0]!, place.terms[0]!]) {
          position.setXYZ(vertex, x + moved[0], y + moved[1], z + moved[2])
          along.setXYZW(vertex, place.tangent[0], place.tangent[1], place.tangent[2], half)
          color.setXYZ(vertex, colour[0], colour[1], colour[2])
          vertex++
        }
        if (ring === 0) continue
        for (const offset of [-4, -3, -2, -2, -3, -1]) corners[corner++] = vertex + offset
      }
    }
    for (const attribute of [position, along, color, this.index]) attribute.needsUpdate = true
    this.mesh.geometry.setDrawRange(0, corner)
    return corner / 3
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}

function dynamic(width: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(VERTICES * width), width).setUsage(DynamicDrawUsage)
}
