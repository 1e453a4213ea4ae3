import { expect, it } from 'vitest'
import type { Clip } from '../lib/protocol'
import { frameAt } from './clipFrame'

it('shows the poses of a frame bit for bit, and interpolates between frames', () => {
  const frames = 4
  const poses = Float32Array.from({ length: 7 * frames }, (_, index) => Math.fround(0.1 * index))
  const clip = { rate: 60, frames, bodies: 1, poses, appearance: { epoch: 0 } } as unknown as Clip
  for (let frame = 0; frame < frames; frame++)
    expect([...frameAt(clip, frame / 60, false).poses]).toEqual([...poses.slice(7 * frame, 7 * frame + 7)])
  const between = frameAt(clip, 0.5 / 60, true)
  expect(between.poses[0]).toBeCloseTo((poses[0]! + poses[7]!) / 2, 6)
  expect(frameAt(clip, 9, true).step).toBe(3)
})
