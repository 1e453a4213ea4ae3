// Turns and zooms a view by mouse, touch, wheel and keys.
import type { Attachment } from 'svelte/attachments'

/** Direction of the camera, in rad, and factor on its distance. */
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

/** Returns the orbit turned by angles and zoomed by a factor, within limits that keep the camera above the ground. */
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
    const spread = () => {
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
      const before = spread()
      fingers.set(event.pointerId, [event.clientX, event.clientY])
      if (fingers.size === 1) set(turned(get(), -(event.clientX - last[0]) * 0.008, (event.clientY - last[1]) * 0.008))
      else if (before > 0 && spread() > 0) set(turned(get(), 0, 0, before / spread()))
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
