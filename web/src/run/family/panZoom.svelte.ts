// Moves and zooms a drawing by mouse, touch and wheel.

export interface Bounds {
  left: number
  right: number
  top: number
  bottom: number
}

const MIN_SCALE = 0.02
const MAX_SCALE = 3

export class PanZoom {
  x = $state(0)
  y = $state(0)
  scale = $state(1)
  /** Whether the last press was a drag, not a click. */
  dragged = false

  toScreen(x: number, y: number): [number, number] {
    return [this.x + x * this.scale, this.y + y * this.scale]
  }

  /** Fits everything into the picture. */
  fit(bounds: Bounds, width: number, height: number): void {
    this.scale = clamp(
      Math.min(width / (bounds.right - bounds.left), height / (bounds.bottom - bounds.top)),
      MIN_SCALE,
      1.2,
    )
    this.x = width / 2 - ((bounds.left + bounds.right) / 2) * this.scale
    this.y = height / 2 - ((bounds.top + bounds.bottom) / 2) * this.scale
  }

  /** Fits everything if it stays readable; otherwise shows the top, round x = 0. */
  showStart(bounds: Bounds, width: number, height: number): void {
    this.fit(bounds, width, height)
    if (this.scale >= 0.6) return
    this.scale = 0.8
    this.x = width / 2
    this.y = -bounds.top * this.scale
  }

  /** Zooms by a factor about a point of the screen. */
  zoom(factor: number, x: number, y: number): void {
    const scale = clamp(this.scale * factor, MIN_SCALE, MAX_SCALE)
    this.x = x - ((x - this.x) * scale) / this.scale
    this.y = y - ((y - this.y) * scale) / this.scale
    this.scale = scale
  }

  /** Moves as little as needed to bring a point into the picture. */
  reveal(x: number, y: number, width: number, height: number): void {
    const [a, b] = this.toScreen(x, y)
    this.x += clamp(a, Math.min(90, width / 2), Math.max(width - 90, width / 2)) - a
    this.y += clamp(b, Math.min(70, height / 2), Math.max(height - 70, height / 2)) - b
  }

  attach = (element: Element): (() => void) => {
    const target = element as SVGSVGElement
    const fingers = new Map<number, [number, number]>()
    const spread = () => {
      const [a, b] = [...fingers.values()]
      return a && b ? { away: Math.hypot(a[0] - b[0], a[1] - b[1]), x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 } : null
    }
    const place = (event: MouseEvent): [number, number] => {
      const box = target.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }
    let travelled = 0
    const down = (event: PointerEvent) => {
      if (fingers.size === 0) travelled = 0
      this.dragged = false
      fingers.set(event.pointerId, place(event))
    }
    const move = (event: PointerEvent) => {
      const last = fingers.get(event.pointerId)
      if (!last) return
      const before = spread()
      const now = place(event)
      fingers.set(event.pointerId, now)
      const after = spread()
      travelled += Math.hypot(now[0] - last[0], now[1] - last[1])
      if (travelled > 5 && !this.dragged) {
        this.dragged = true
        target.setPointerCapture(event.pointerId)
      }
      const parts = fingers.size
      this.x += (now[0] - last[0]) / parts
      this.y += (now[1] - last[1]) / parts
      if (before && after && before.away > 0) this.zoom(after.away / before.away, after.x, after.y)
    }
    const up = (event: PointerEvent) => void fingers.delete(event.pointerId)
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      this.zoom(Math.exp(-event.deltaY * 0.0014), ...place(event))
    }
    target.addEventListener('pointerdown', down)
    target.addEventListener('pointermove', move)
    target.addEventListener('pointerup', up)
    target.addEventListener('pointercancel', up)
    target.addEventListener('wheel', wheel, { passive: false })
    return () => {
      target.removeEventListener('pointerdown', down)
      target.removeEventListener('pointermove', move)
      target.removeEventListener('pointerup', up)
      target.removeEventListener('pointercancel', up)
      target.removeEventListener('wheel', wheel)
    }
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
