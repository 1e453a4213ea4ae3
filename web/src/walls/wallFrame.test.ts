// Decoding of wall frames: the layout of docs/protocol.md, and refusals of other bytes.
import { expect, test } from 'vitest'
import { readRoom, readUser, readWallFrame } from './wallFrame'

/** Encodes a frame with objects of doubles, by the documentation. */
function encode(objects: [string, number, number[]][], magic = 'BRGW'): ArrayBuffer {
  const bytes: number[] = [...magic].map((letter) => letter.charCodeAt(0))
  const push = (size: number, set: (view: DataView) => void) => {
    const view = new DataView(new ArrayBuffer(size))
    set(view)
    bytes.push(...new Uint8Array(view.buffer))
  }
  const u16 = (value: number) => push(2, (view) => view.setUint16(0, value, true))
  const u32 = (value: number) => push(4, (view) => view.setUint32(0, value, true))
  const f64 = (value: number) => push(8, (view) => view.setFloat64(0, value, true))
  const pad = () => {
    while (bytes.length % 8) bytes.push(0)
  }
  u16(1)
  u16(1)
  u32(77)
  u32(0)
  f64(1.5)
  u32(objects.length)
  u32(0)
  for (const [name, version, numbers] of objects) {
    u16(name.length)
    u16(version)
    u32(8 * numbers.length)
    bytes.push(...[...name].map((letter) => letter.charCodeAt(0)))
    pad()
    numbers.forEach(f64)
    pad()
  }
  return new Uint8Array(bytes).buffer
}

const ROOM: [string, number, number[]] = ['room', 1, [1, 2, 3, 0.5]]
const USER: [string, number, number[]] = ['user', 1, [0, 0, 1.7, 0, 0, 0, 1, 0.3, 0.4, 1, 0, 0, 0, 1, 1]]

test('objects are found by name, also between unknown ones', () => {
  const frame = readWallFrame(encode([['clouds', 9, [1, 2]], ROOM, USER]))
  expect([frame.number, frame.key, frame.showAt]).toEqual([77, true, 1.5])
  expect(readRoom(frame.parts.get('room')!)).toEqual({ position: [1, 2, 3], heading: 0.5 })
  const { head, hands } = readUser(frame.parts.get('user')!)
  expect(head.position).toEqual([0, 0, 1.7])
  expect(hands).toEqual([{ position: [0.3, 0.4, 1], orientation: [0, 0, 0, 1], grabs: true }])
})

test('other bytes are refused in words', () => {
  expect(() => readWallFrame(encode([ROOM], 'BRGF'))).toThrow('does not start with BRGW')
  expect(() => readWallFrame(encode([['room', 2, [0, 0, 0, 0]]]))).toThrow("'room' has version 2, expected 1")
  const whole = encode([ROOM, USER])
  for (let length = 0; length < whole.byteLength; length += 8)
    expect(() => readWallFrame(whole.slice(0, length))).toThrow('ends after')
  expect(() => readRoom(new ArrayBuffer(24))).toThrow('expected at least 32')
})
