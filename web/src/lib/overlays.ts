// The overlays of the viewer: label, key, colour and frame section of each. `scene3d/overlays.ts` draws them.
import { Section } from './frame'
import type { OverlayName } from './protocol'

export interface Overlay {
  label: string
  /** Key that switches the overlay on and off. */
  key: string
  colour: string
  section: Section
}

/** Overlays with a switch in the viewer. The sections `activations` and `counters` belong to panels instead. */
export const OVERLAYS = {
  contacts: { label: 'Contacts and forces', key: 'c', colour: '#ff6a4d', section: Section.Contacts },
  closest: { label: 'Closest features', key: 'n', colour: '#f2b84b', section: Section.Closest },
  boxes: { label: 'Bounding boxes', key: 'b', colour: '#5cc3bb', section: Section.Boxes },
  tiles: { label: 'Hash tiles', key: 'h', colour: '#a58be0', section: Section.Tiles },
  groups: { label: 'Contact groups', key: 'g', colour: '#e36f9b', section: Section.Groups },
  centre: { label: 'Centre of mass', key: 'm', colour: '#ffd36b', section: Section.Centre },
  joints: { label: 'Joint axes', key: 'j', colour: '#6bb8ff', section: Section.Joints },
  crowd: { label: 'Gates', key: 'o', colour: '#3fa66a', section: Section.Crowd },
  figures: { label: 'Legs and arms', key: 'l', colour: '#3a4150', section: Section.Figures },
} as const satisfies Partial<Record<OverlayName, Overlay>>

export type SwitchedOverlay = keyof typeof OVERLAYS

/** Returns whether an overlay has a switch in the viewer. */
export function isSwitched(name: OverlayName): name is SwitchedOverlay {
  return name in OVERLAYS
}
