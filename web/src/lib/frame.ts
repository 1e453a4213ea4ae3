// Decodes a frame of the session socket: a header of 64 bytes, the poses of bodies, then the requested sections. Poses and
// sections are views of the message's bytes; nothing is copied.

import {
  FLAG_AGAIN,
  FLAG_ENDED,
  FLAG_HASHED,
  FLAG_PLAYING,
  FLOATS_PER_BODY as POSE,
  FRAME_HEADER_BYTES as HEADER,
  FRAME_MAGIC as MAGIC,
  FRAME_VERSION as VERSION,
  SECTION_FLOATS as FLOATS,
  Section,
} from './protocol.generated'

export { FLOATS, POSE, Section }

export interface Frame {
  playing: boolean
  /** Whether the step was shown before. */
  again: boolean
  ended: boolean
  epoch: number
  bodies: number
  step: number
  latest: number
  /** Simulated time, in s. */
  time: number
  /** State hash, 16 hexadecimal digits; empty if the frame has none. */
  hash: string
  /** Kinetic energy, in J. */
  kinetic: number
  /** Potential energy, in J. */
  potential: number
  /** Simulated seconds per second. */
  factor: number
  poses: Float32Array
  sections: Map<Section, Float32Array>
}

/** Decodes a frame; throws an error that says what is wrong with the bytes. */
export function readFrame(bytes: ArrayBuffer): Frame {
  if (bytes.byteLength < HEADER) throw new Error(`A frame has at least ${HEADER} bytes; found ${bytes.byteLength}.`)
  const view = new DataView(bytes)
  if (view.getUint32(0, true) !== MAGIC) throw new Error('This is not a frame: it does not start with BRGF.')
  const version = view.getUint16(4, true)
  if (version !== VERSION)
    throw new Error(`The frame has version ${version}; this page needs version ${VERSION}. Reload the page.`)
  const flags = view.getUint16(6, true)
  const bodies = view.getUint32(12, true)
  const posesEnd = HEADER + 4 * POSE * bodies
  if (posesEnd > bytes.byteLength) throw new Error(`The frame is too short for ${bodies} bodies.`)
  return {
    playing: (flags & FLAG_PLAYING) !== 0,
    again: (flags & FLAG_AGAIN) !== 0,
    ended: (flags & FLAG_ENDED) !== 0,
    epoch: view.getUint32(8, true),
    bodies,
    step: Number(view.getBigUint64(16, true)),
    latest: Number(view.getBigUint64(24, true)),
    time: view.getFloat64(32, true),
    hash: (flags & FLAG_HASHED) !== 0 ? view.getBigUint64(40, true).toString(16).padStart(16, '0') : '',
    kinetic: view.getFloat32(48, true),
    potential: view.getFloat32(52, true),
    factor: view.getFloat32(56, true),
    poses: new Float32Array(bytes, HEADER, POSE * bodies),
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
    // A newer server may send unknown sections. Their length is unknown, so the rest of the frame is skipped.
    if (floats === undefined) break
    const length = view.getUint32(at + 4, true) * floats
    at += 8
    if (at + 4 * length > bytes.byteLength) throw new Error(`The frame is too short for its section ${Section[kind]}.`)
    sections.set(kind, new Float32Array(bytes, at, length))
    at += 4 * length
  }
  return sections
}
