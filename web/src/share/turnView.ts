// Turns, moves and zooms the view of a shared page by mouse, touch and wheel.
import type { SceneView } from '../scene3d/sceneView'

interface Point {
  x: number
  y: number
}

/** Adds listeners to the canvas; returns a function that removes them. */
export function turnView(canvas: HTMLCanvasElement, view: SceneView): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const down = new Map<number, Point>()
  const spread = () => {
    const [a, b] = [...down.values()]
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0
  }
  const zoom = (factor: number) => {
    view.cameras.zoom(factor)
    view.requestDraw()
  }
  const move = (event: PointerEvent) => {
    const last = down.get(event.pointerId)
    if (!last) return
    const before = spread()
    const at = { x: event.clientX, y: event.clientY }
    down.set(event.pointerId, at)
    if (down.size === 2) return zoom(before / Math.max(spread(), 1))
    const high = canvas.clientHeight
    if (event.shiftKey || event.buttons === 2)
      view.cameras.pan((last.x - at.x) / high, (at.y - last.y) / high, view.camera.fov)
    else view.cameras.turn((last.x - at.x) * 0.006, (at.y - last.y) * 0.006)
    view.requestDraw()
  }
  const up = (event: PointerEvent) => down.delete(event.pointerId)
  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    zoom(Math.exp(event.deltaY * 0.0012))
  }
  const press = (event: PointerEvent) => {
    canvas.setPointerCapture(event.pointerId)
    down.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  canvas.addEventListener('pointerdown', press, { signal })
  canvas.addEventListener('pointermove', move, { signal })
  canvas.addEventListener('pointerup', up, { signal })
  canvas.addEventListener('pointercancel', up, { signal })
  canvas.addEventListener('wheel', wheel, { signal, passive: false })
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal })
  return () => stop.abort()
}
