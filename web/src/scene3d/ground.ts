// The ground: a plane with a grid in metres and numbers along two lines. The fragment shader draws the grid, so that lines stay
// one pixel wide.
import { Color, Group, type Matrix4, Mesh, MeshLambertMaterial, PlaneGeometry, Vector2 } from 'three'
import { GridLabels } from './gridLabels'
import type { Palette } from './palette'

export class Ground {
  readonly group = new Group()
  private readonly material = new MeshLambertMaterial({
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  })
  private readonly mesh = new Mesh(new PlaneGeometry(2, 2), this.material)
  private readonly labels = new GridLabels()
  private readonly uniforms = {
    gridUnit: { value: 1 },
    gridFade: { value: 30 },
    gridCentre: { value: new Vector2() },
    gridLine: { value: new Color() },
    gridStrong: { value: new Color() },
    gridOpacity: { value: 1 },
  }
  private height = 0

  constructor() {
    this.mesh.receiveShadow = true
    this.mesh.renderOrder = -5
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms)
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec2 vGrid;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGrid = (modelMatrix * vec4(position, 1.0)).xy;')
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${grid}`)
        .replace('#include <color_fragment>', '#include <color_fragment>\ndiffuseColor = onGrid(diffuseColor);')
    }
    this.group.add(this.mesh, this.labels.mesh)
  }

  setColours(palette: Palette): void {
    this.material.color.copy(palette.ground)
    this.uniforms.gridLine.value.copy(palette.line)
    this.uniforms.gridStrong.value.copy(palette.strongLine)
    this.labels.setColour(palette.label)
  }

  /** Places the plane at a height in m: as a solid floor, or as lines only for worlds without a floor. */
  place(solid: boolean, height: number): void {
    this.height = height
    this.material.transparent = !solid
    this.material.depthWrite = solid
    this.mesh.receiveShadow = solid
    this.uniforms.gridOpacity.value = solid ? 1 : 0
    this.material.needsUpdate = true
  }

  /** Centres the grid on the camera's target `x`, `y`, seen from `distance`, all in m, and from the direction `azimuth`. */
  follow(x: number, y: number, distance: number, azimuth: number): void {
    const unit = gridUnit(distance)
    const extent = distance * 60
    const snap = 10 * unit
    this.mesh.position.set(Math.round(x / snap) * snap, Math.round(y / snap) * snap, this.height)
    this.mesh.scale.set(extent, extent, 1)
    this.uniforms.gridUnit.value = unit
    this.uniforms.gridFade.value = distance * 5
    this.uniforms.gridCentre.value.set(x, y)
    this.labels.place(x, y, this.height + distance * 1e-4, unit, distance, azimuth)
  }

  /** Sets how lengths along the grid are written; with units of metres by default. */
  set lengthText(text: (length: number) => string) {
    this.labels.text = text
  }

  /** Whether the grid shows numbers. */
  set labelled(on: boolean) {
    this.labels.mesh.visible = on
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.material.dispose()
    this.labels.dispose()
    this.group.removeFromParent()
  }
}

/** Returns the side of a small square, in m: a power of ten, about an eighth of the camera's distance. */
export function gridUnit(distance: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(distance, 1e-3) / 2.5))
}

const grid = /* glsl */ `
uniform float gridUnit;
uniform float gridFade;
uniform vec2 gridCentre;
uniform vec3 gridLine;
uniform vec3 gridStrong;
uniform float gridOpacity;
varying vec2 vGrid;

// Share of the pixel that a line covers. Lines are one pixel wide, and paler where they are closer than pixels.
float coverage(vec2 at, float unit, float width) {
  vec2 cell = at / unit;
  vec2 pixel = fwidth(cell);
  vec2 away = abs(fract(cell - 0.5) - 0.5);
  vec2 line = clamp(width * 0.5 + 0.5 - away / pixel, 0.0, 1.0) * clamp(0.6 / pixel - 0.5, 0.0, 1.0);
  return max(line.x, line.y);
}

vec4 onGrid(vec4 base) {
  float fade = exp(-pow(distance(vGrid, gridCentre) / gridFade, 2.0));
  float fine = coverage(vGrid, gridUnit, 1.0) * 0.75;
  float strong = coverage(vGrid, gridUnit * 10.0, 1.6);
  vec3 colour = mix(mix(base.rgb, gridLine, fine * fade), gridStrong, strong * fade);
  float alpha = max(gridOpacity, max(fine, strong) * fade);
  return vec4(colour, base.a * alpha);
}
`

/** A tilted or raised half-space, drawn as a large rectangle in its own colour. */
export class Slope {
  readonly mesh: Mesh<PlaneGeometry, MeshLambertMaterial>

  constructor(matrix: Matrix4, colour: Color, extent: number) {
    this.mesh = new Mesh(new PlaneGeometry(2 * extent, 2 * extent), new MeshLambertMaterial({ color: colour }))
    this.mesh.matrixAutoUpdate = false
    this.mesh.matrix.copy(matrix)
    this.mesh.receiveShadow = true
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
    this.mesh.removeFromParent()
  }
}
