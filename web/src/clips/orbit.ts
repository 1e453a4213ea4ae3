// Turning a view by dragging, zooming by wheel or two fingers, both by keys.
import type { Attachment } from 'svelte/attachments'

/** From where a view is seen: angles in rad, and how far by how much is needed. */
export interface Orbit {
  azimuth: number
  elevation: number
  zoom: number
}

const KEYS: Record<string, [azimuth: number, elevation: number, zoom: number]> = {
  ArrowLeft: [-0.15, 0, 1],
  ArrowRight: [0.15, 0, 1],
  ArrowUp: [0, 0.12, 1],
  ArrowDown: [0, -0.12, 1],
  '+': [0, 0, 1 / 1.15],
  '=': [0, 0, 1 / 1.15],
  '-': [0, 0, 1.15],
}

/** The orbit turned by angles and zoomed by a factor, within what makes sense: never from below the ground. */
export function turned(orbit: Orbit, azimuth: number, elevation: number, zoom = 1): Orbit {
  return {
    azimuth: orbit.azimuth + azimuth,
    elevation: Math.min(Math.max(orbit.elevation + elevation, 0.02), 1.5),
    zoom: Math.min(Math.max(orbit.zoom * zoom, 0.25), 8),
  }
}

export function orbitControls(get: () => Orbit, set: (orbit: Orbit) => void): Attachment<HTMLElement> {
  return (element) => {
    const fingers = new Map<number, [number, number]>()
    const apart = () => {
      const [a, b] = [...fingers.values()]
      return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0
    }
    const down = (event: PointerEvent) => {
      fingers.set(event.pointerId, [event.clientX, event.clientY])
      element.setPointerCapture(event.pointerId)
    }
    const move = (event: PointerEvent) => {
      const last = fingers.get(event.pointerId)
      if (!last) return
      const wide = apart()
      fingers.set(event.pointerId, [event.clientX, event.clientY])
      if (fingers.size === 1) set(turned(get(), -(event.clientX - last[0]) * 0.008, (event.clientY - last[1]) * 0.008))
      else if (wide > 0 && apart() > 0) set(turned(get(), 0, 0, wide / apart()))
    }
    const up = (event: PointerEvent) => fingers.delete(event.pointerId)
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      set(turned(get(), 0, 0, Math.exp(event.deltaY * 0.0012)))
    }
    const key = (event: KeyboardEvent) => {
      const by = KEYS[event.key]
      if (!by || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      set(turned(get(), ...by))
    }
    element.addEventListener('pointerdown', down)
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', up)
    element.addEventListener('pointercancel', up)
    element.addEventListener('wheel', wheel, { passive: false })
    element.addEventListener('keydown', key)
    return () => {
      element.removeEventListener('pointerdown', down)
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerup', up)
      element.removeEventListener('pointercancel', up)
      element.removeEventListener('wheel', wheel)
      element.removeEventListener('keydown', key)
    }
  }
}
