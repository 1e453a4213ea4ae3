import { describe, expect, it } from 'vitest'
import { readFrame, Section } from './frame'
import { writeFrame } from './testSamples'

const POSES = [1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0, 0, 1, 0]

describe('frames', () => {
  it('has the head that the protocol describes', () => {
    const frame = readFrame(writeFrame(POSES))
    expect(frame).toMatchObject({
      playing: true,
      again: false,
      ended: false,
      epoch: 7,
      bodies: 2,
      step: 120,
      latest: 240,
      time: 0.5,
    })
    expect(frame).toMatchObject({ hash: '00ffee0011223344', kinetic: 1.5, potential: -2.5, factor: 0.75 })
    expect([...frame.poses]).toEqual(POSES)
  })

  it('has no hash where the flag is missing', () => {
    expect(readFrame(writeFrame(POSES, [], { flags: 12 }))).toMatchObject({
      hash: '',
      playing: false,
      again: true,
      ended: true,
    })
  })

  it('views the bytes and copies none', () => {
    const bytes = writeFrame(POSES, [[Section.Groups, 1, [1, 5]]])
    const frame = readFrame(bytes)
    expect(frame.poses.buffer).toBe(bytes)
    expect(frame.sections.get(Section.Groups)!.buffer).toBe(bytes)
  })

  it('finds each section', () => {
    const contact = [-1, 0, 1, 2, 3, 0, 0, 1, 0, 0, 9.5, -0.25]
    const frame = readFrame(
      writeFrame(POSES, [
        [1, 1, contact],
        [9, 3, [4, 5, 6]],
        [6, 1, [0, 0, 1, 12]],
      ]),
    )
    expect([...frame.sections.get(Section.Contacts)!]).toEqual(contact)
    expect([...frame.sections.get(Section.Counters)!]).toEqual([4, 5, 6])
    expect([...frame.sections.get(Section.Centre)!]).toEqual([0, 0, 1, 12])
  })

  it('ignores unknown sections of a frame', () => {
    const frame = readFrame(
      writeFrame(POSES, [
        [6, 1, [0, 0, 1, 12]],
        [99, 1, [1]],
      ]),
    )
    expect([...frame.sections.keys()]).toEqual([Section.Centre])
  })

  it('rejects invalid bytes with a reason', () => {
    const whole = writeFrame(POSES, [[6, 1, [0, 0, 1, 12]]])
    expect(() => readFrame(new ArrayBuffer(10))).toThrow('at least 64 bytes')
    expect(() => readFrame(new ArrayBuffer(64))).toThrow('BRGF')
    for (let length = 64; length < whole.byteLength; length += 4)
      expect(() => readFrame(whole.slice(0, length))).toThrow()
    const newer = whole.slice(0)
    new DataView(newer).setUint16(4, 2, true)
    expect(() => readFrame(newer)).toThrow('version 2')
  })

  it('is as long as the protocol says for 500 creatures of ten parts', () => {
    expect(writeFrame(new Array(7 * 5000).fill(0)).byteLength).toBe(140_064)
  })
})
