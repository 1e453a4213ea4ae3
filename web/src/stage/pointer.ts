// What a pointer does on the stage: look round, shift, zoom, point at a body, pull it.
import type { Viewer } from './viewer.svelte'

/** Pixels that a pointer may tremble in a click. */
const TREMBLE = 4

type Mode = 'none' | 'turn' | 'pan' | 'pull' | 'pinch'

/** Listens on the stage's canvas; gives back how to stop. */
export function attachPointer(canvas: HTMLCanvasElement, viewer: Viewer): () => void {
  const down = new Map<number, { x: number; y: number }>()
  let mode: Mode = 'none'
  let start = { x: 0, y: 0 }
  let last = { x: 0, y: 0 }
  let moved = false
  let spread = 0
  let dragging = 0

  const place = (event: PointerEvent | WheelEvent | MouseEvent) => {
    const box = canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  const pointerDown = (event: PointerEvent) => {
    const { stage } = viewer
    if (!stage) return
    canvas.setPointerCapture(event.pointerId)
    const at = place(event)
    down.set(event.pointerId, at)
    if (down.size === 2) {
      if (mode === 'pull') release()
      mode = 'pinch'
      ;({ middle: last, spread } = pinch())
      return
    }
    start = last = at
    moved = false
    const body = event.button === 0 && !event.shiftKey ? stage.pick(at.x, at.y) : null
    const pulls = body && viewer.pulling && viewer.session?.can.interfere
    mode = pulls ? 'pull' : event.button === 0 && !event.shiftKey ? 'turn' : 'pan'
  }

  const pinch = () => {
    const [a, b] = [...down.values()] as [{ x: number; y: number }, { x: number; y: number }]
    return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, spread: Math.hypot(a.x - b.x, a.y - b.y) }
  }

  const pointerMove = (event: PointerEvent) => {
    const { stage } = viewer
    if (!stage) return
    const at = place(event)
    if (!down.has(event.pointerId)) {
      viewer.hover(stage.pick(at.x, at.y)?.body ?? null)
      return
    }
    down.set(event.pointerId, at)
    if (mode === 'pinch') return movePinch()
    if (!moved && Math.hypot(at.x - start.x, at.y - start.y) < TREMBLE) return
    if (!moved && mode === 'pull') grab()
    moved = true
    if (mode === 'turn') turn(at)
    else if (mode === 'pan') pan(at)
    else if (mode === 'pull') pull(at)
    last = at
    stage.touch()
  }

  const turn = (at: { x: number; y: number }) => {
    viewer.stage!.cameras.turn((last.x - at.x) * 0.006, (at.y - last.y) * 0.006)
  }

  const pan = (at: { x: number; y: number }) => {
    const { stage } = viewer
    stage!.cameras.pan((last.x - at.x) / canvas.clientHeight, (at.y - last.y) / canvas.clientHeight, stage!.camera.fov)
  }

  const movePinch = () => {
    if (down.size < 2) return
    const now = pinch()
    viewer.stage!.cameras.zoom(spread / Math.max(now.spread, 1))
    pan(now.middle)
    last = now.middle
    spread = now.spread
    viewer.stage!.touch()
  }

  const grab = () => {
    const { stage } = viewer
    const hit = stage!.pick(start.x, start.y)
    if (!hit || !stage!.frame) {
      mode = 'turn'
      return
    }
    const held = stage!.grab.start(hit, stage!.camera, stage!.frame.poses)
    viewer.order({ do: 'grab', ...held })
  }

  // At most one order a frame: the last place counts.
  const pull = (at: { x: number; y: number }) => {
    const to = viewer.stage!.grab.drag(viewer.stage!.ray(at.x, at.y))
    if (!to || dragging) return
    dragging = requestAnimationFrame(() => {
      dragging = 0
      const now = viewer.stage?.grab.active ? viewer.stage.grab.drag(viewer.stage.ray(last.x, last.y)) : null
      if (now) viewer.order({ do: 'drag', to: now })
    })
  }

  const release = () => {
    if (!viewer.stage?.grab.active) return
    viewer.stage.grab.release()
    viewer.order({ do: 'release' })
    viewer.stage.touch()
  }

  const pointerUp = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return
    if (mode === 'pull') release()
    if (!moved && mode !== 'pinch' && event.type === 'pointerup') {
      viewer.pin(viewer.stage?.pick(start.x, start.y)?.body ?? null)
    }
    if (down.size === 0) mode = 'none'
  }

  const leave = () => viewer.hover(null)

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    viewer.stage?.cameras.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) * 0.0012))
    viewer.stage?.touch()
  }

  const doubleClick = (event: MouseEvent) => {
    const at = place(event)
    const hit = viewer.stage?.pick(at.x, at.y)
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
