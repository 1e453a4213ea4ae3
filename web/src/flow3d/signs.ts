// Signs on the ground that say which way is upstream and which downstream.
import { CanvasTexture, Group, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace, Vector3 } from 'three'

export class Signs {
  readonly group = new Group()
  private readonly boards: Mesh<PlaneGeometry, MeshBasicMaterial>[] = []

  /** Places one sign at each end of a box along the wind. */
  constructor(wind: Vector3, low: Vector3, high: Vector3) {
    if (wind.length() === 0) return
    const along = wind.clone().setZ(0).normalize()
    const middle = low.clone().add(high).multiplyScalar(0.5).setZ(low.z)
    const half = 0.5 * (Math.abs(along.x) * (high.x - low.x) + Math.abs(along.y) * (high.y - low.y))
    const size = 0.16 * Math.min(high.x - low.x, high.y - low.y, 4 * (high.z - low.z))
    for (const [text, side] of [
      ['← upstream', -1],
      ['downstream →', 1],
    ] as const) {
      const board = new Mesh(new PlaneGeometry(4 * size, size), new MeshBasicMaterial({ transparent: true }))
      board.material.depthWrite = false
      board.userData.text = text
      board.position.copy(middle).addScaledVector(along, side * (half + 2.4 * size))
      board.position.z += 0.002 * half
      board.rotation.z = Math.atan2(along.y, along.x)
      this.boards.push(board)
      this.group.add(board)
    }
  }

  /** Writes the signs in a colour. */
  setColour(ink: string): void {
    for (const board of this.boards) {
      const canvas = document.createElement('canvas')
      canvas.width = 512
      canvas.height = 128
      const pen = canvas.getContext('2d')!
      pen.fillStyle = ink
      pen.font = '600 72px ui-sans-serif, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif'
      pen.textAlign = 'center'
      pen.textBaseline = 'middle'
      pen.fillText(board.userData.text as string, 256, 64)
      board.material.map?.dispose()
      board.material.map = new CanvasTexture(canvas)
      board.material.map.colorSpace = SRGBColorSpace
      board.material.map.anisotropy = 4
      board.material.needsUpdate = true
    }
  }

  dispose(): void {
    for (const board of this.boards) {
      board.geometry.dispose()
      board.material.map?.dispose()
      board.material.dispose()
    }
    this.group.removeFromParent()
  }
}
