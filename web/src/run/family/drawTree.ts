// Draws a large family tree on a canvas: bands of generations, lines and small rectangles.
import { share, viridis } from '../../lib/colourScales'
import type { Family, FamilyNode } from './tree'

interface View {
  x: number
  y: number
  scale: number
}

/** Distance between nodes across and down, and half a node's size, at scale 1, in pixels. */
interface Sizes {
  across: number
  down: number
  half: readonly [number, number]
}

export function drawTree(canvas: HTMLCanvasElement, family: Family, view: View, sizes: Sizes): void {
  const pen = canvas.getContext('2d')
  if (!pen) return
  const style = getComputedStyle(canvas)
  const { width, height } = canvas
  const at = (node: FamilyNode) =>
    [view.x + node.x * sizes.across * view.scale, view.y + node.row * sizes.down * view.scale] as const
  pen.clearRect(0, 0, width, height)

  pen.globalAlpha = 0.55
  pen.fillStyle = style.getPropertyValue('--sunken')
  family.bands.forEach((band, index) => {
    if (index % 2)
      pen.fillRect(0, view.y + (band.row - 0.5) * sizes.down * view.scale, width, band.rows * sizes.down * view.scale)
  })

  for (const main of [false, true]) {
    pen.globalAlpha = main ? 1 : 0.35
    pen.lineWidth = main ? 3 : 1
    pen.strokeStyle = style.getPropertyValue(main ? '--coral' : '--ink-faint')
    pen.beginPath()
    for (const edge of family.edges) {
      if (edge.main !== main) continue
      const [x1, y1] = at(edge.child)
      const [x2, y2] = at(edge.parent)
      if (Math.max(y1, y2) < 0 || Math.min(y1, y2) > height) continue
      pen.moveTo(x1, y1)
      pen.lineTo(x2, y2)
    }
    pen.stroke()
  }

  pen.globalAlpha = 1
  const [w, h] = sizes.half.map((half) => Math.max(half * view.scale, 1.2)) as [number, number]
  for (const node of family.nodes) {
    const [x, y] = at(node)
    if (x < -w || x > width + w || y < -h || y > height + h) continue
    pen.fillStyle = viridis(share(node.one.fitness ?? 0, ...family.fitness))
    pen.fillRect(x - w, y - h, 2 * w, 2 * h)
  }
}
