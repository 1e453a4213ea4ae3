// Materials of surfaces and edges. The fragment shader gives boxes and cylinders the normals of rounded edges, from the
// distance to the edge, so that a box of twelve triangles looks rounded.
import { LineBasicMaterial, Material, MeshStandardMaterial } from 'three'
import type { Unit } from './pieces'

/** Radius of a rounded edge as a share of the shape's smallest half length. */
const ROUNDING = 0.16

export interface ShadingOptions {
  /** Opacity of the surface; below 1 it is translucent. */
  opacity?: number
}

export function surfaceMaterial(unit: Unit, options: ShadingOptions = {}): Material {
  const opacity = options.opacity ?? 1
  const material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0, transparent: opacity < 1, opacity })
  if (opacity < 1) material.depthWrite = false
  if (unit === 'box' || unit === 'cylinder') roundEdges(material, unit)
  return material
}

export function edgeMaterial(): Material {
  return new LineBasicMaterial({ color: 0xffffff })
}

function roundEdges(material: MeshStandardMaterial, unit: 'box' | 'cylinder'): void {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${varyings}`)
      .replace('#include <defaultnormal_vertex>', `#include <defaultnormal_vertex>\n${measure}`)
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${varyings}`)
      .replace('#include <normal_fragment_begin>', `#include <normal_fragment_begin>\n${bend[unit]}`)
  }
  material.customProgramCacheKey = () => `rounded-${unit}`
}

const varyings = /* glsl */ `
varying vec3 vEdgePoint;
flat varying vec3 vEdgeSize;
flat varying mat3 vEdgeAxes;
`

const measure = /* glsl */ `
#ifdef USE_INSTANCING
  vEdgeSize = vec3(length(im[0]), length(im[1]), length(im[2]));
  vEdgePoint = position * vEdgeSize;
  vEdgeAxes = normalMatrix * mat3(im[0] / vEdgeSize.x, im[1] / vEdgeSize.y, im[2] / vEdgeSize.z);
#endif
`

const bend = {
  box: /* glsl */ `
    float edgeRadius = ${ROUNDING} * min(vEdgeSize.x, min(vEdgeSize.y, vEdgeSize.z));
    vec3 edgeNormal = max(abs(vEdgePoint) - (vEdgeSize - edgeRadius), 0.0) * sign(vEdgePoint);
    normal = normalize(vEdgeAxes * edgeNormal);
  `,
  // Only near the edge between side and cap: elsewhere the geometry's own smooth normal is exact.
  cylinder: /* glsl */ `
    float edgeRadius = ${ROUNDING} * min(vEdgeSize.x, vEdgeSize.z);
    float edgeAway = length(vEdgePoint.xy);
    float edgeOut = edgeAway - (vEdgeSize.x - edgeRadius);
    float edgeUp = abs(vEdgePoint.z) - (vEdgeSize.z - edgeRadius);
    if (edgeOut > 0.0 && edgeUp > 0.0) {
      vec3 edgeNormal = vec3(vEdgePoint.xy / edgeAway * edgeOut, sign(vEdgePoint.z) * edgeUp);
      normal = normalize(vEdgeAxes * edgeNormal);
    }
  `,
}
