// One state of a world as it comes over the socket: a head of 64 bytes, poses of bodies, then sections that viewers asked for.
// Poses and sections are views of the message's bytes: nothing is copied.

const MAGIC = 0x46475242
const VERSION = 1
const HEAD = 64

/** Floats of a pose: position, then orientation as x, y, z, w. */
export const POSE = 7

export enum Section {
  Contacts = 1,
  Closest,
  Boxes,
  Tiles,
  Groups,
  Centre,
  Joints,
  Activations,
  Counters,
}

/** Floats of one item of a section. */
export const FLOATS: Record<Section, number> = {
  [Section.Contacts]: 12,
  [Section.Closest]: 10,
  [Section.Boxes]: 7,
  [Section.Tiles]: 5,
  [Section.Groups]: 2,
  [Section.Centre]: 4,
  [Section.Joints]: 8,
  [Section.Activations]: 1,
  [Section.Counters]: 1,
}

export interface Frame {
  playing: boolean
  /** It was shown before: time was turned back. */
  again: boolean
  ended: boolean
  epoch: number
  bodies: number
  step: number
  latest: number
  /** s */
  time: number
  /** State hash, 16 hexadecimal digits; empty when the frame has none. */
  hash: string
  /** J */
  kinetic: number
  /** J */
  potential: number
  /** Simulated seconds in a second. */
  factor: number
  poses: Float32Array
  sections: Map<Section, Float32Array>
}

/** Reads a frame, or throws a sentence that says what is wrong with the bytes. */
export function readFrame(bytes: ArrayBuffer): Frame {
  if (bytes.byteLength < HEAD) throw new Error(`A frame has at least ${HEAD} bytes, this one ${bytes.byteLength}.`)
  const view = new DataView(bytes)
  if (view.getUint32(0, true) !== MAGIC) throw new Error('These bytes are not a frame: the letters BRGF are missing.')
  const version = view.getUint16(4, true)
  if (version !== VERSION) throw new Error(`The frame has version ${version}, this page reads version ${VERSION}.`)
  const flags = view.getUint16(6, true)
  const bodies = view.getUint32(12, true)
  const posesEnd = HEAD + 4 * POSE * bodies
  if (posesEnd > bytes.byteLength) throw new Error(`The frame is too short for ${bodies} bodies.`)
  return {
    playing: (flags & 1) !== 0,
    again: (flags & 4) !== 0,
    ended: (flags & 8) !== 0,
    epoch: view.getUint32(8, true),
    bodies,
    step: Number(view.getBigUint64(16, true)),
    latest: Number(view.getBigUint64(24, true)),
    time: view.getFloat64(32, true),
    hash: (flags & 2) !== 0 ? view.getBigUint64(40, true).toString(16).padStart(16, '0') : '',
    kinetic: view.getFloat32(48, true),
    potential: view.getFloat32(52, true),
    factor: view.getFloat32(56, true),
    poses: new Float32Array(bytes, HEAD, POSE * bodies),
    sections: readSections(bytes, view, posesEnd),
  }
}

function readSections(bytes: ArrayBuffer, view: DataView, start: number): Map<Section, Float32Array> {
  const sections = new Map<Section, Float32Array>()
  const count = view.getUint32(60, true)
  let at = start
  for (let index = 0; index < count; index++) {
    if (at + 8 > bytes.byteLength) throw new Error(`The frame ends before its section ${index + 1} of ${count}.`)
    const kind: Section = view.getUint32(at, true)
    const floats = FLOATS[kind]
    // A later server may say more; what follows an unknown section cannot be found, so the rest is left out.
    if (floats === undefined) break
    const length = view.getUint32(at + 4, true) * floats
    at += 8
    if (at + 4 * length > bytes.byteLength) throw new Error(`The frame is too short for its section ${Section[kind]}.`)
    sections.set(kind, new Float32Array(bytes, at, length))
    at += 4 * length
  }
  return sections
}
