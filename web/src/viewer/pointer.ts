// Pointer input of the viewer: turn, move and zoom the camera, probe a body, pull a body.
import { clickFloor } from './crowd/floor'
import type { Viewer } from './viewer.svelte'

/** Distance that a pointer may move during a click, in pixels. */
const CLICK_TOLERANCE = 4

type Mode = 'none' | 'turn' | 'pan' | 'pull' | 'twist' | 'pinch'

/** Adds listeners to the canvas; returns a function that removes them. */
export function attachPointer(canvas: HTMLCanvasElement, viewer: Viewer): () => void {
  const down = new Map<number, { x: number; y: number }>()
  let mode: Mode = 'none'
  let start = { x: 0, y: 0 }
  let last = { x: 0, y: 0 }
  let moved = false
  let spread = 0
  let dragging = 0
  /** The body that a drag turns. */
  let twisted: number | null = null

  const position = (event: PointerEvent | WheelEvent | MouseEvent) => {
    const box = canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  const pointerDown = (event: PointerEvent) => {
    const { view } = viewer
    if (!view) return
    canvas.setPointerCapture(event.pointerId)
    const at = position(event)
    down.set(event.pointerId, at)
    if (down.size === 2) {
      release()
      mode = 'pinch'
      ;({ middle: last, spread } = pinch())
      return
    }
    start = last = at
    moved = false
    viewer.hover(null)
    const body = event.button === 0 && !event.shiftKey ? view.pick(at.x, at.y) : null
    const drag = event.ctrlKey ? 'torque' : viewer.hands.drag
    const canDrag = body && drag !== 'camera' && viewer.session?.can.interfere
    twisted = canDrag && drag === 'torque' ? body.body : null
    if (canDrag) mode = drag === 'torque' ? 'twist' : 'pull'
    else mode = event.button === 0 && !event.shiftKey ? 'turn' : 'pan'
  }

  const pinch = () => {
    const [a, b] = [...down.values()] as [{ x: number; y: number }, { x: number; y: number }]
    return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, spread: Math.hypot(a.x - b.x, a.y - b.y) }
  }

  const pointerMove = (event: PointerEvent) => {
    const { view } = viewer
    if (!view) return
    const at = position(event)
    if (!down.has(event.pointerId)) {
      viewer.hover(view.pick(at.x, at.y)?.body ?? null)
      if (viewer.hovered !== null) viewer.pointer = at
      return
    }
    down.set(event.pointerId, at)
    if (mode === 'pinch') return movePinch()
    if (!moved && Math.hypot(at.x - start.x, at.y - start.y) < CLICK_TOLERANCE) return
    if (!moved && mode === 'pull') grab()
    moved = true
    if (mode === 'turn') turn(at)
    else if (mode === 'pan') pan(at)
    else if (mode === 'pull') pull(at)
    last = at
    if (mode === 'twist') twist()
    view.requestDraw()
  }

  const turn = (at: { x: number; y: number }) => {
    viewer.view!.cameras.turn((last.x - at.x) * 0.006, (at.y - last.y) * 0.006)
  }

  const pan = (at: { x: number; y: number }) => {
    const { view } = viewer
    view!.cameras.pan((last.x - at.x) / canvas.clientHeight, (at.y - last.y) / canvas.clientHeight, view!.camera.fov)
  }

  const movePinch = () => {
    if (down.size < 2) return
    const now = pinch()
    viewer.view!.cameras.zoom(spread / Math.max(now.spread, 1))
    pan(now.middle)
    last = now.middle
    spread = now.spread
    viewer.view!.requestDraw()
  }

  const grab = () => {
    const { view } = viewer
    const hit = view!.pick(start.x, start.y)
    if (!hit || !view!.frame) {
      mode = 'turn'
      return
    }
    // A camera that keeps a pulled body in the picture would move the point to which the pointer pulls.
    view!.cameras.auto = false
    const held = view!.grab.start(hit, view!.camera, view!.frame.poses)
    viewer.send({ do: 'grab', ...held })
  }

  // Sends at most one command per animation frame, with the last position.
  const pull = (at: { x: number; y: number }) => {
    const to = viewer.view!.grab.drag(viewer.view!.ray(at.x, at.y))
    if (!to || dragging) return
    dragging = requestAnimationFrame(() => {
      dragging = 0
      const now = viewer.view?.grab.active ? viewer.view.grab.drag(viewer.view.ray(last.x, last.y)) : null
      if (now) viewer.send({ do: 'drag', to: now })
    })
  }

  const twist = () => {
    if (dragging) return
    dragging = requestAnimationFrame(() => {
      dragging = 0
      if (mode === 'twist' && twisted !== null) viewer.hands.twist(twisted, last.x - start.x, start.y - last.y)
    })
  }

  const release = () => {
    if (viewer.hands.endTwist() || !viewer.view?.grab.active) return
    viewer.view.grab.release()
    viewer.send({ do: 'release' })
    viewer.view.requestDraw()
  }

  const pointerUp = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return
    release()
    const clicked = !moved && mode !== 'pinch' && event.type === 'pointerup'
    if (clicked && !(event.button === 0 && clickFloor(viewer, start.x, start.y))) {
      viewer.select(viewer.view?.pick(start.x, start.y)?.body ?? null)
    }
    if (down.size === 0) mode = 'none'
  }

  const leave = () => viewer.hover(null)

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    viewer.view?.cameras.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) * 0.0012))
    viewer.view?.requestDraw()
  }

  const doubleClick = (event: MouseEvent) => {
    const at = position(event)
    const hit = viewer.view?.pick(at.x, at.y)
    if (hit) viewer.follow(hit.body)
  }

  const noMenu = (event: Event) => event.preventDefault()

  const listeners: [string, (event: never) => void][] = [
    ['pointerdown', pointerDown],
    ['pointermove', pointerMove],
    ['pointerup', pointerUp],
    ['pointercancel', pointerUp],
    ['pointerleave', leave],
    ['dblclick', doubleClick],
    ['contextmenu', noMenu],
  ]
  for (const [type, listener] of listeners) canvas.addEventListener(type, listener as EventListener)
  canvas.addEventListener('wheel', wheel, { passive: false })
  return () => {
    for (const [type, listener] of listeners) canvas.removeEventListener(type, listener as EventListener)
    canvas.removeEventListener('wheel', wheel)
    cancelAnimationFrame(dragging)
  }
}
