// The view of a space: draws copies of the domain and its contents, for one eye or two, by instances.
import { Camera, DynamicDrawUsage, InstancedBufferAttribute, Mesh, Scene, Vector3, WebGLRenderer } from 'three'
import type { Appearance, SpaceDetail } from '../lib/protocol'
import { earth, figure } from './contents'
import { creatureMesh } from './creature'
import { type Drawn, visibleCopies, writeMatrices } from './culling'
import { beams, curvatureOf, twentyFourCell, pairColour, panes } from './domainMesh'
import {
  apply,
  distanceFromOrigin,
  type Geometry,
  inverse,
  type Matrix,
  multiply,
  multiplyInto,
  translation,
} from './isometry'
import { spaceMaterial } from './material'
import type { Mesh4, Rgb } from './mesh'
import { Observer } from './observer'
import { projection, sidePlanes, type Window, windowOf } from './projection'

/** Maximum number of triangles of a frame, for both eyes and both halves of a sphere together. */
export const TRIANGLE_BUDGET = 700_000

/** Vertical angle of view, in rad. */
const ANGLE_OF_VIEW = (75 * Math.PI) / 180

/** Number of the nearest copies whose contents are drawn in full detail. */
const FINE_COPIES = 24

/**
 * Density of the fog, for the distance up to which copies are known, or half of a great circle. Flat space needs dense fog
 * to hide its end; in hyperbolic space far copies are small.
 */
const HAZE: Record<Geometry, number> = { spherical: 0.8, flat: 2.3, hyperbolic: 1 }

/** Radius of the earth, as a part of the radius of the domain. */
const EARTH = 0.2

/** Distance of the eyes, as a part of the radius of the domain. */
export const EYE_DISTANCE = 0.06

const BACKGROUND = { dark: [0.024, 0.07, 0.09] as Rgb, light: [0.86, 0.9, 0.93] as Rgb }

export interface Options {
  earth: boolean
  creature: boolean
  figure: boolean
  panes: boolean
  beams: boolean
  stereo: boolean
  /** Factor on the fog. */
  fog: number
  /** Colours the sheets of the chosen cover. */
  sheets: boolean
}

export interface SpaceStats {
  drawCalls: number
  triangles: number
  copies: number
  /** Script time of the last frame, in ms. */
  script: number
  frames: number
}

/** A mesh that is drawn many times. */
class Part {
  readonly object: Mesh
  readonly triangles: number
  private readonly matrices: InstancedBufferAttribute
  private readonly sheets: InstancedBufferAttribute

  constructor(mesh: Mesh4, material: ReturnType<typeof spaceMaterial>['material'], capacity: number) {
    const geometry = mesh.build()
    this.triangles = mesh.triangles
    // A matrix occupies four attributes of one buffer.
    this.matrices = new InstancedBufferAttribute(new Float32Array(16 * capacity), 16).setUsage(DynamicDrawUsage)
    this.sheets = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage)
    geometry.setAttribute('place', this.matrices)
    geometry.setAttribute('sheet', this.sheets)
    this.object = new Mesh(geometry, material)
    this.object.frustumCulled = false
    this.object.visible = false
  }

  /** Draws the copies in `drawn`. */
  set(drawn: readonly Drawn[], view: Matrix, copies: ArrayLike<number>, colour: (copy: number) => Rgb, inner?: Matrix) {
    writeMatrices(this.matrices.array as Float32Array, drawn, view, copies, inner)
    drawn.forEach(({ copy }, index) => this.sheets.array.set(colour(copy), 3 * index))
    for (const attribute of [this.matrices, this.sheets]) {
      attribute.clearUpdateRanges()
      attribute.addUpdateRange(0, attribute.itemSize * drawn.length)
      attribute.needsUpdate = true
    }
    ;(this.object.geometry as ReturnType<Mesh4['build']>).instanceCount = drawn.length
    this.object.visible = drawn.length > 0
  }

  hide(): void {
    this.object.visible = false
  }

  dispose(): void {
    this.object.geometry.dispose()
  }
}

type PartName = 'panes' | 'beams' | 'earth' | 'farEarth' | 'creature' | 'figure'

export class SpaceView {
  readonly stats: SpaceStats = { drawCalls: 0, triangles: 0, copies: 0, script: 0, frames: 0 }
  options: Options = {
    earth: true,
    creature: false,
    figure: true,
    panes: true,
    beams: true,
    stereo: false,
    fog: 1,
    sheets: false,
  }
  observer: Observer
  private space: SpaceDetail
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly camera = new Camera()
  private readonly shader = spaceMaterial()
  private parts = new Map<PartName, Part>()
  private dark = true
  private width = 1
  private height = 1
  private copies = new Float64Array()
  private reach = Infinity
  private resting: { appearance: Appearance; poses: Float32Array } | null = null

  constructor(canvas: HTMLCanvasElement, space: SpaceDetail) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true })
    this.renderer.autoClear = false
    this.renderer.info.autoReset = false
    this.space = space
    this.observer = new Observer(space.geometry, [])
    this.show(space)
  }

  /** Shows a space. The observer starts at a place from which the base point is in view. */
  show(space: SpaceDetail): void {
    for (const part of this.parts.values()) this.disposePart(part)
    this.space = space
    this.copies = new Float64Array(space.copies)
    const radius = Math.min(space.in_radius, 1)
    const gates = space.faces.map((face) => ({
      plane: face.plane,
      pairing: face.pairing,
    }))
    this.observer = new Observer(space.geometry, gates)
    this.observer.step([0.32 * radius, 0.16 * radius, 0.78 * radius])
    const count = space.layers.length
    const earthRadius = EARTH * radius
    const add = (name: PartName, mesh: Mesh4, capacity = count) => this.addPart(name, mesh, capacity)
    add('panes', panes(space))
    add('beams', space.faces.length > 0 ? beams(space) : twentyFourCell())
    add('earth', earth(space.geometry, earthRadius, 12), Math.min(count, FINE_COPIES))
    add('farEarth', earth(space.geometry, earthRadius, 1))
    add('figure', figure(space.geometry, 0.16 * radius))
    this.addCreature()
    this.reach = this.horizon()
  }

  private addPart(name: PartName, mesh: Mesh4, capacity: number): void {
    if (mesh.triangles === 0) return
    const part = new Part(mesh, this.shader.material, capacity)
    this.parts.set(name, part)
    this.scene.add(part.object)
  }

  /** Puts a creature into the domain. `poses` are those of a frame. */
  setCreature(appearance: Appearance, poses: Float32Array): void {
    this.resting = { appearance, poses }
    const old = this.parts.get('creature')
    if (old) this.disposePart(old)
    this.addCreature()
  }

  private addCreature(): void {
    if (!this.resting) return
    const { geometry, in_radius, layers } = this.space
    const radius = Math.min(in_radius, 1)
    const { appearance, poses } = this.resting
    const mesh = creatureMesh(geometry, appearance, poses, 0.42 * radius, 0.97 * EARTH * radius)
    this.addPart('creature', mesh, layers.length)
  }

  /** Distance up to which all copies are known: that of the nearest copy in the last layer, unless the group is finite. */
  private horizon(): number {
    const { geometry, layers } = this.space
    if (geometry === 'spherical') return Infinity
    const last = layers[layers.length - 1]!
    let nearest = Infinity
    layers.forEach((layer, copy) => {
      if (layer < last) return
      nearest = Math.min(nearest, distanceFromOrigin(geometry, this.copies.subarray(16 * copy + 12, 16 * copy + 16)))
    })
    return nearest
  }

  setTheme(dark: boolean): void {
    this.dark = dark
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = Math.max(width, 1)
    this.height = Math.max(height, 1)
    this.renderer.setPixelRatio(Math.min(ratio, 2))
    this.renderer.setSize(this.width, this.height, false)
  }

  /** Draws one frame. */
  draw(): void {
    const start = performance.now()
    const [r, g, b] = this.dark ? BACKGROUND.dark : BACKGROUND.light
    const { uniforms } = this.shader
    uniforms.fog.value = new Vector3(r, g, b)
    uniforms.curvature.value = curvatureOf(this.space)
    uniforms.density.value =
      (HAZE[this.space.geometry] / (Number.isFinite(this.reach) ? this.reach : Math.PI)) * this.options.fog
    this.renderer.info.reset()
    this.renderer.setClearColor(0, 1)
    this.renderer.getContext().clearColor(r, g, b, 1)
    this.renderer.setScissorTest(false)
    this.clear(r, g, b)
    this.stats.copies = 0
    const eyes = this.options.stereo ? [-1, 1] : [0]
    eyes.forEach((eye, index) => this.drawEye(eye, index, eyes.length))
    this.stats.drawCalls = this.renderer.info.render.calls
    this.stats.triangles = this.renderer.info.render.triangles
    this.stats.script = performance.now() - start
    this.stats.frames++
  }

  private clear(r: number, g: number, b: number): void {
    const gl = this.renderer.getContext()
    gl.clearColor(r, g, b, 1)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
  }

  private drawEye(eye: number, index: number, eyes: number): void {
    const { geometry } = this.space
    const width = this.width / eyes
    this.renderer.setViewport(index * width, 0, width, this.height)
    this.renderer.setScissor(index * width, 0, width, this.height)
    this.renderer.setScissorTest(eyes > 1)
    const window = windowOf(ANGLE_OF_VIEW, width / this.height)
    // The eyes are moved by isometries; the space stays as it is.
    const apart = (eye * EYE_DISTANCE * Math.min(this.space.in_radius, 1)) / 2
    const frame = multiply(this.observer.frame, translation(geometry, [apart, 0, 0]))
    const view = inverse(geometry, frame)
    if (geometry === 'spherical') {
      // Light comes from both ways round the sphere: the far half first, then the near half over it.
      this.drawPass(view, window, -1, eyes * 2)
      this.renderer.clearDepth()
    }
    this.drawPass(view, window, 1, geometry === 'spherical' ? eyes * 2 : eyes)
  }

  private drawPass(view: Matrix, window: Window, sign: 1 | -1, passes: number): void {
    const { geometry, in_radius, out_radius } = this.space
    const { uniforms } = this.shader
    const near = 0.01 * Math.min(in_radius, 1)
    const far = geometry === 'spherical' ? Math.PI - near : geometry === 'flat' ? 4 * this.reach : 30
    uniforms.projection.value = new Float32Array(projection(geometry, window, { near, far }))
    uniforms.side.value = sign
    uniforms.beyond.value = sign < 0 ? Math.PI : 0
    const shown: PartName[] = []
    if (this.options.panes) shown.push('panes')
    if (this.options.beams) shown.push('beams')
    if (this.options.earth) shown.push('farEarth')
    if (this.options.creature) shown.push('creature')
    if (this.options.figure) shown.push('figure')
    const triangles = (name: PartName) => this.parts.get(name)?.triangles ?? 0
    const each = shown.reduce((sum, name) => sum + triangles(name), 0)
    const fine = this.options.earth ? FINE_COPIES * triangles('earth') : 0
    const limit = Math.max(1, Math.floor((TRIANGLE_BUDGET / passes - fine) / Math.max(each, 1)))
    const drawn = visibleCopies({
      geometry,
      view,
      copies: this.copies,
      radius: out_radius,
      sides: sidePlanes(window),
      reach: this.reach,
      limit,
      sign,
    })
    this.stats.copies += drawn.length
    this.fill(drawn, view, shown, sign)
    this.renderer.render(this.scene, this.camera)
  }

  private fill(drawn: Drawn[], view: Matrix, shown: PartName[], sign: 1 | -1): void {
    const sheets = Math.max(0, ...this.space.sheets) + 1
    const white: Rgb = [1, 1, 1]
    const colour = (copy: number): Rgb =>
      this.options.sheets && sheets > 1 ? sheetColour(this.space.sheets[copy]!, sheets) : white
    for (const part of this.parts.values()) part.hide()
    for (const name of shown) {
      const part = this.parts.get(name)
      if (!part) continue
      if (name === 'farEarth') {
        this.parts.get('earth')?.set(drawn.slice(0, FINE_COPIES), view, this.copies, colour)
        part.set(drawn.slice(FINE_COPIES), view, this.copies, colour)
      } else if (name === 'figure') {
        part.set(this.otherFigures(drawn, view, sign), view, this.copies, () => white, this.observer.frame)
      } else part.set(drawn, view, this.copies, colour)
    }
  }

  /**
   * Leaves out the figures that surround the eyes: the observer's own, and on the sphere one at the opposite point, whose
   * head would fill the sky.
   */
  private otherFigures(drawn: Drawn[], view: Matrix, sign: 1 | -1): Drawn[] {
    const position = this.observer.position
    const at = new Float64Array(16)
    return drawn.filter(({ copy }) => {
      const centre = apply(multiplyInto(at, view, this.copies, 16 * copy), position)
      const distance = distanceFromOrigin(
        this.space.geometry,
        centre.map((x) => sign * x),
      )
      const near = 0.3 * Math.min(this.space.in_radius, 1)
      return distance > near && (this.space.geometry !== 'spherical' || distance < Math.PI - near)
    })
  }

  private disposePart(part: Part): void {
    this.scene.remove(part.object)
    part.dispose()
    for (const [name, known] of this.parts) if (known === part) this.parts.delete(name)
  }

  dispose(): void {
    for (const part of [...this.parts.values()]) this.disposePart(part)
    this.shader.material.dispose()
    this.renderer.dispose()
  }
}

/** Colour by which the copies of a sheet are multiplied. */
export function sheetColour(sheet: number, sheets: number): Rgb {
  const [r, g, b] = pairColour(sheet, sheets)
  return [0.35 + r, 0.35 + g, 0.35 + b]
}
