// The menu as objects of the scene: a plate, raised buttons, and sliders with knobs. Their faces show parts of one picture,
// which is drawn again when the menu changes.
import {
  BoxGeometry,
  BufferAttribute,
  CanvasTexture,
  Group,
  LinearFilter,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  SRGBColorSpace,
  Vector3,
} from 'three'
import type { MenuItem, MenuLayout, MenuView } from '../lib/protocol'
import { isOn, placeOf, sliderValue } from './menu'
import { toWorld, type Room } from './wallFrame'

/** Pixels of the picture per m of the panel. */
const RESOLUTION = 1000
/** Thickness of the plate, height of a button over it, and of a pressed one, in m. */
const PLATE = 0.014
const RAISED = 0.009
const PRESSED = 0.002
const KNOB = { width: 0.022, height: 0.05, depth: 0.024 }
const COLOURS = {
  plate: '#171b24',
  rim: '#0e1118',
  side: '#222937',
  text: '#f2f4f8',
  quiet: '#a9b2c3',
  item: '#323b4e',
  on: '#e4573a',
  pointed: '#4b5870',
  groove: '#0b0e14',
  filled: '#e4573a',
  knob: '#f2f4f8',
}
const UP = new Vector3(0, 0, 1)
const turn = new Quaternion()
const FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'

export class MenuPanel {
  readonly group = new Group()
  private readonly canvas = document.createElement('canvas')
  private readonly texture: CanvasTexture
  private readonly material: MeshBasicMaterial
  private readonly rimMaterial = new MeshBasicMaterial({ color: COLOURS.rim, fog: false, toneMapped: false })
  private readonly sideMaterial = new MeshBasicMaterial({ color: COLOURS.side, fog: false, toneMapped: false })
  private readonly knobMaterial = new MeshBasicMaterial({ color: COLOURS.knob, fog: false, toneMapped: false })
  private readonly buttons = new Map<string, Mesh>()
  private readonly knobs = new Map<string, Mesh>()
  private drawn = ''

  constructor(readonly layout: MenuLayout) {
    const [width, height] = layout.size
    ;[this.canvas.width, this.canvas.height] = [Math.round(width * RESOLUTION), Math.round(height * RESOLUTION)]
    this.texture = new CanvasTexture(this.canvas)
    this.texture.colorSpace = SRGBColorSpace
    this.texture.generateMipmaps = false
    this.texture.minFilter = LinearFilter
    this.material = new MeshBasicMaterial({ map: this.texture, fog: false, toneMapped: false })
    const plate = new Mesh(this.box([0, 0], [width, height], PLATE), this.faces(this.rimMaterial))
    plate.position.z = -PLATE
    this.group.add(plate)
    for (const item of layout.items) this.add(item)
    this.group.visible = false
  }

  private add(item: MenuItem): void {
    if (item.kind === 'label') return
    if (item.kind === 'slider') {
      const knob = new Mesh(new BoxGeometry(KNOB.width, KNOB.height, KNOB.depth), this.knobMaterial)
      this.knobs.set(item.id, knob)
      this.group.add(knob)
      return
    }
    const button = new Mesh(this.box(item.place, item.size, RAISED), this.faces(this.sideMaterial))
    button.position.set(item.place[0], item.place[1], 0)
    this.buttons.set(item.id, button)
    this.group.add(button)
  }

  /** Returns the materials of the faces of a box: the front, at z, shows the picture. */
  private faces(side: MeshBasicMaterial): MeshBasicMaterial[] {
    return [side, side, side, side, this.material, side]
  }

  /** Returns a box from z = 0 to its depth whose front shows the part of the picture under it. */
  private box(place: readonly number[], size: readonly number[], depth: number): BoxGeometry {
    const [width, height] = this.layout.size
    const geometry = new BoxGeometry(size[0], size[1], depth).translate(0, 0, depth / 2)
    const positions = geometry.getAttribute('position')
    const uv = new Float32Array(2 * positions.count)
    for (let index = 0; index < positions.count; index++) {
      uv[2 * index] = 0.5 + (place[0]! + positions.getX(index)) / width
      uv[2 * index + 1] = 0.5 + (place[1]! + positions.getY(index)) / height
    }
    geometry.setAttribute('uv', new BufferAttribute(uv, 2))
    return geometry
  }

  /** Shows the state of the menu in a room. */
  set(view: MenuView, room: Room): void {
    this.group.visible = view.open
    if (!view.open) return
    this.group.position.set(...toWorld(room, view.position))
    this.group.quaternion.set(...view.orientation)
    // The room is turned about the vertical only.
    this.group.quaternion.premultiply(turn.setFromAxisAngle(UP, room.heading))
    this.group.scale.setScalar(view.scale)
    for (const [id, button] of this.buttons) {
      const isPressed = view.pointed.some(({ item, pressed }) => item === id && pressed)
      button.scale.z = isPressed ? PRESSED / RAISED : 1
    }
    for (const [id, knob] of this.knobs) {
      const item = this.layout.items.find((item) => item.id === id)!
      const share = placeOf(item.scale!, sliderValue(view, id))
      knob.position.set(item.place[0] + (share - 0.5) * item.size[0], item.place[1], KNOB.depth / 2)
    }
    const state = JSON.stringify({ ...view, position: 0, orientation: 0, scale: 0 })
    if (state === this.drawn) return
    this.drawn = state
    this.paint(view)
    this.texture.needsUpdate = true
  }

  private paint(view: MenuView): void {
    const context = this.canvas.getContext('2d')
    if (!context) return
    const [width, height] = this.layout.size
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = COLOURS.plate
    context.fillRect(0, 0, this.canvas.width, this.canvas.height)
    // From here on lengths are in m, y down from the middle of the panel.
    context.setTransform(RESOLUTION, 0, 0, RESOLUTION, (RESOLUTION * width) / 2, (RESOLUTION * height) / 2)
    context.textBaseline = 'middle'
    for (const item of this.layout.items) {
      const isPointed = view.pointed.some((pointed) => pointed.item === item.id)
      if (item.kind === 'label') this.label(context, item, view)
      else if (item.kind === 'slider') this.slider(context, item, view)
      else this.button(context, item, isOn(view, item.id), isPointed, labelOf(item, view))
    }
  }

  private button(
    context: CanvasRenderingContext2D,
    { place, size }: MenuItem,
    on: boolean,
    isPointed: boolean,
    label: string,
  ): void {
    const [x, y] = [place[0] - size[0] / 2, -place[1] - size[1] / 2]
    context.fillStyle = on ? COLOURS.on : isPointed ? COLOURS.pointed : COLOURS.item
    context.fillRect(x, y, size[0], size[1])
    if (isPointed) {
      context.strokeStyle = COLOURS.text
      context.lineWidth = 0.004
      context.strokeRect(x + 0.006, y + 0.006, size[0] - 0.012, size[1] - 0.012)
    }
    context.fillStyle = COLOURS.text
    context.textAlign = 'center'
    text(context, label, place[0], -place[1], 0.024, size[0] - 0.02)
  }

  private label(context: CanvasRenderingContext2D, { id, label, place, size }: MenuItem, view: MenuView): void {
    const slider = this.layout.items.find((item) => item.kind === 'slider' && `${item.id}-label` === id)
    const value = slider && sliderValue(view, slider.id)
    context.fillStyle = COLOURS.text
    context.textAlign = 'left'
    const left = place[0] - size[0] / 2
    const shown = value === undefined ? label : `${label} ${value.toFixed(value < 10 ? 1 : 0)}`
    text(context, shown, left, -place[1], 0.024, size[0])
  }

  private slider(context: CanvasRenderingContext2D, item: MenuItem, view: MenuView): void {
    const share = placeOf(item.scale!, sliderValue(view, item.id))
    const [x, y] = [item.place[0] - item.size[0] / 2, -item.place[1]]
    context.fillStyle = COLOURS.groove
    context.fillRect(x, y - 0.008, item.size[0], 0.016)
    context.fillStyle = COLOURS.filled
    context.fillRect(x, y - 0.008, share * item.size[0], 0.016)
    context.fillStyle = COLOURS.quiet
    const { low, high } = item.scale!
    for (const mark of [low, 1, high]) {
      const at = x + placeOf(item.scale!, mark) * item.size[0]
      context.fillRect(at - 0.0015, y + 0.012, 0.003, 0.012)
    }
  }

  dispose(): void {
    this.group.removeFromParent()
    this.group.traverse((object) => object instanceof Mesh && object.geometry.dispose())
    this.texture.dispose()
    for (const material of [this.material, this.rimMaterial, this.sideMaterial, this.knobMaterial]) material.dispose()
  }
}

/** Returns the label of a button; that of the play button says what pressing it does. */
function labelOf(item: MenuItem, view: MenuView): string {
  return item.id === 'play' && view.playing ? 'Pause' : item.label
}

/** Draws a text of a height in m, made smaller if it is wider than `width`. Fonts below a pixel are not drawn well. */
function text(
  context: CanvasRenderingContext2D,
  words: string,
  x: number,
  y: number,
  size: number,
  width: number,
): void {
  context.save()
  context.translate(x, y)
  context.scale(size / 100, size / 100)
  context.font = `600 100px ${FONT}`
  const fits = Math.min(1, (width * 100) / size / context.measureText(words).width)
  context.scale(fits, fits)
  context.fillText(words, 0, 0)
  context.restore()
}
