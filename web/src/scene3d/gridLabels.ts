// Numbers on the ground along one line in x and one in y near the camera's target, in one texture and one draw call.
import { BufferAttribute, BufferGeometry, CanvasTexture, Mesh, MeshBasicMaterial, SRGBColorSpace } from 'three'

/** Numbers to each side of the target, in grid units. */
const REACH = 6
const COUNT = 2 * (2 * REACH + 1)
const COLUMNS = 4
const ROWS = Math.ceil(COUNT / COLUMNS)
const CELL = { width: 256, height: 64 }

export class GridLabels {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>
  private readonly canvas = document.createElement('canvas')
  private readonly texture: CanvasTexture
  /** Formats a length. */
  text: (length: number) => string = metres
  private ink = '#000'
  private key = ''

  constructor() {
    this.canvas.width = COLUMNS * CELL.width
    this.canvas.height = ROWS * CELL.height
    this.texture = new CanvasTexture(this.canvas)
    this.texture.colorSpace = SRGBColorSpace
    this.texture.anisotropy = 4
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(COUNT * 12), 3))
    geometry.setAttribute('uv', new BufferAttribute(corners(), 2))
    geometry.setIndex(Array.from({ length: COUNT }, (_, n) => [0, 1, 2, 0, 2, 3].map((k) => 4 * n + k)).flat())
    const material = new MeshBasicMaterial({ map: this.texture, transparent: true, depthWrite: false })
    this.mesh = new Mesh(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.renderOrder = -4
  }

  setColour(ink: string): void {
    this.ink = ink
    this.key = ''
  }

  /** Rewrites the numbers only when the target enters another square or the camera another side. */
  place(x: number, y: number, z: number, unit: number, distance: number, azimuth: number): void {
    const column = Math.round(x / unit)
    const row = Math.round(y / unit)
    const side = ((Math.round(azimuth / (Math.PI / 2)) % 4) + 4) % 4
    this.mesh.position.z = z
    // Letters keep about the same size on the screen, in powers of two, and never reach the next line.
    const height = Math.min(0.2 * unit, 0.024 * 2 ** Math.round(Math.log2(distance)))
    const key = `${column} ${row} ${unit} ${height} ${side} ${this.ink}`
    if (key === this.key) return
    this.key = key
    this.write(column, row, unit, height, side)
  }

  private write(column: number, row: number, unit: number, height: number, side: number): void {
    const pen = this.canvas.getContext('2d')!
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height)
    pen.fillStyle = this.ink
    pen.font = '600 40px ui-sans-serif, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif'
    pen.textBaseline = 'middle'
    pen.textAlign = 'left'
    const positions = this.mesh.geometry.attributes.position as BufferAttribute
    let cell = 0
    const put = (text: string, x: number, y: number) => this.label(pen, positions, cell++, text, x, y, height, side)
    for (let k = -REACH; k <= REACH; k++) {
      put(`x ${this.text((column + k) * unit)}`, (column + k) * unit, (row - 1) * unit)
      // Where both lines cross there is room for one number.
      put(k === -1 ? '' : `y ${this.text((row + k) * unit)}`, (column - 1) * unit, (row + k) * unit)
    }
    positions.needsUpdate = true
    this.texture.needsUpdate = true
  }

  private label(
    pen: CanvasRenderingContext2D,
    positions: BufferAttribute,
    cell: number,
    text: string,
    x: number,
    y: number,
    height: number,
    side: number,
  ): void {
    pen.fillText(text, (cell % COLUMNS) * CELL.width + 8, (Math.floor(cell / COLUMNS) + 0.5) * CELL.height)
    const width = (height * CELL.width) / CELL.height
    const turn = (side * Math.PI) / 2
    // Text is read from the camera's side: "right" is a quarter turn from it.
    const right = [-Math.sin(turn), Math.cos(turn)] as const
    const up = [-Math.cos(turn), -Math.sin(turn)] as const
    const margin = 0.15 * height
    const at = (r: number, u: number, corner: number) =>
      positions.setXYZ(
        4 * cell + corner,
        x + right[0] * (margin + r) + up[0] * (margin + u),
        y + right[1] * (margin + r) + up[1] * (margin + u),
        0,
      )
    at(0, 0, 0)
    at(width, 0, 1)
    at(width, height, 2)
    at(0, height, 3)
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
    this.texture.dispose()
  }
}

function corners(): Float32Array {
  const uv: number[] = []
  for (let cell = 0; cell < COUNT; cell++) {
    const left = (cell % COLUMNS) / COLUMNS
    const top = 1 - Math.floor(cell / COLUMNS) / ROWS
    const right = left + 1 / COLUMNS
    const bottom = top - 1 / ROWS
    uv.push(left, bottom, right, bottom, right, top, left, top)
  }
  return new Float32Array(uv)
}

/** Formats a length with its unit: 5 m, 20 cm, 2 km. */
export function metres(length: number): string {
  const size = Math.abs(length)
  const rounded = (value: number) => String(Number(value.toPrecision(6)))
  if (size === 0) return '0'
  if (size < 0.0095) return `${rounded(length * 1000)} mm`
  if (size < 0.95) return `${rounded(length * 100)} cm`
  if (size >= 1000) return `${rounded(length / 1000)} km`
  return `${rounded(length)} m`
}
