// Decodes wall frames: named objects with their versions (docs/protocol.md, section Walls).
import type { MenuView } from '../lib/protocol'
import type { Point, Quaternion } from './projection'

/** The letters BRGW. */
const MAGIC = 0x57475242
const VERSION = 1
const HEADER = 32
const KEY = 1

/** Versions of the objects that this page understands. */
export const OBJECTS: Readonly<Record<string, number>> = { world: 1, room: 1, user: 1, menu: 1, tubes: 1 }

export interface WallFrame {
  number: number
  /** Whether the frame contains all objects. */
  key: boolean
  /** When to show the frame by the server's clock, in s; 0 if it is shown when it is committed. */
  showAt: number
  /** Bytes of the objects by name. */
  parts: Map<string, ArrayBuffer>
}

/** Pose of the room in the world. */
export interface Room {
  position: Point
  /** Turn about the vertical, in rad. */
  heading: number
}

export interface Pose {
  position: Point
  orientation: Quaternion
}

export interface User {
  head: Pose
  hands: (Pose & { grabs: boolean })[]
}

/** Returns a point of the room in the world. */
export function toWorld(room: Room, [x, y, z]: Point): Point {
  const [sine, cosine] = [Math.sin(room.heading), Math.cos(room.heading)]
  return [room.position[0] + cosine * x - sine * y, room.position[1] + sine * x + cosine * y, room.position[2] + z]
}

/** Returns a direction of the world in the room. */
export function directionInRoom(room: Room, [x, y, z]: Point): Point {
  const [sine, cosine] = [Math.sin(room.heading), Math.cos(room.heading)]
  return [cosine * x + sine * y, cosine * y - sine * x, z]
}

/** Returns a point of the world in the room. */
export function toRoom(room: Room, point: Point): Point {
  const [x, y, z] = room.position
  return directionInRoom(room, [point[0] - x, point[1] - y, point[2] - z])
}

const padded = (at: number) => Math.ceil(at / 8) * 8

/** Decodes a wall frame; throws an error that says what is wrong with the bytes. */
export function readWallFrame(bytes: ArrayBuffer): WallFrame {
  const short = () => new Error(`The wall frame ends after ${bytes.byteLength} bytes.`)
  if (bytes.byteLength < HEADER) throw short()
  const view = new DataView(bytes)
  const version = view.getUint16(4, true)
  if (view.getUint32(0, true) !== MAGIC) throw new Error('This is not a wall frame: it does not start with BRGW.')
  if (version !== VERSION)
    throw new Error(`The wall frame has version ${version}, expected ${VERSION}. Reload the page.`)
  const parts = new Map<string, ArrayBuffer>()
  let at = HEADER
  for (let count = view.getUint32(24, true); count > 0; count--) {
    if (at + 8 > bytes.byteLength) throw short()
    const start = at + 8
    const end = start + view.getUint16(at, true)
    const data = padded(end)
    const length = view.getUint32(at + 4, true)
    if (data + length > bytes.byteLength) throw short()
    const name = new TextDecoder().decode(new Uint8Array(bytes, start, end - start))
    const known = OBJECTS[name]
    const found = view.getUint16(at + 2, true)
    if (known !== undefined && known !== found)
      throw new Error(`The object '${name}' has version ${found}, expected ${known}. Reload the page.`)
    parts.set(name, bytes.slice(data, data + length))
    at = padded(data + length)
  }
  return {
    number: Number(view.getBigUint64(8, true)),
    key: (view.getUint16(6, true) & KEY) !== 0,
    showAt: view.getFloat64(16, true),
    parts,
  }
}

export function readRoom(bytes: ArrayBuffer): Room {
  const [x, y, z, heading] = numbers(bytes, 4)
  return { position: [x!, y!, z!], heading: heading! }
}

export function readUser(bytes: ArrayBuffer): User {
  const all = numbers(bytes, 7)
  const hands: User['hands'] = []
  for (let at = 7; at + 8 <= all.length; at += 8) hands.push({ ...pose(all, at), grabs: all[at + 7] !== 0 })
  return { head: pose(all, 0), hands }
}

export function readMenu(bytes: ArrayBuffer): MenuView {
  return JSON.parse(new TextDecoder().decode(bytes)) as MenuView
}

/** The vortex tubes of a step of a flow. */
export interface Tubes {
  /** Length of a unit of the flow in the world, in m. */
  scale: number
  /** Place of the flow's origin in the world, in m. */
  origin: Point
  /** Least and largest circulation. */
  range: readonly [number, number]
  step: ArrayBuffer
}

export function readTubes(bytes: ArrayBuffer): Tubes {
  if (bytes.byteLength < 48) throw new Error(`The tubes have ${bytes.byteLength} bytes, expected at least 48.`)
  const [scale, x, y, z, least, most] = new Float64Array(bytes, 0, 6)
  return { scale: scale!, origin: [x!, y!, z!], range: [least!, most!], step: bytes.slice(48) }
}

function numbers(bytes: ArrayBuffer, least: number): Float64Array {
  if (bytes.byteLength % 8 !== 0 || bytes.byteLength < 8 * least)
    throw new Error(`An object has ${bytes.byteLength} bytes, expected at least ${8 * least}.`)
  return new Float64Array(bytes)
}

function pose(all: Float64Array, at: number): Pose {
  const [x, y, z, a, b, c, d] = all.subarray(at, at + 7)
  return { position: [x!, y!, z!], orientation: [a!, b!, c!, d!] }
}
