import { describe, expect, it } from 'vitest'
import type { PlotData } from '../../lib/protocol'
import { csvOf, MAX_SAMPLES, PlotSamples } from './plotData'

const message = (after: number | null, steps: number[], values = [steps.map((step) => 2 * step)]): PlotData => ({
  signals: [],
  after,
  steps,
  times: steps.map((step) => step / 100),
  values,
})

describe('samples of a plot', () => {
  it('append new values, and drop those that an edit discarded', () => {
    const samples = new PlotSamples()
    expect(samples.add(message(null, [0, 4, 8]))).toBe(true)
    expect(samples.add(message(8, [12, 16]))).toBe(true)
    expect(samples.steps).toEqual([0, 4, 8, 12, 16])
    expect(samples.add(message(8, [12]))).toBe(true)
    expect(samples.steps).toEqual([0, 4, 8, 12])
    expect(samples.values[0]).toEqual([0, 8, 16, 24])
    // An edit between two samples.
    expect(samples.add(message(10, [12]))).toBe(true)
    expect(samples.steps).toEqual([0, 4, 8, 12])
  })

  it('say if messages were lost', () => {
    const samples = new PlotSamples()
    expect(samples.add(message(8, [12]))).toBe(false)
    samples.add(message(null, [0, 4]))
    expect(samples.add(message(40, [44]))).toBe(false)
    expect(samples.add(message(4, [8], [[1], [2]]))).toBe(false)
    expect(samples.steps).toEqual([0, 4])
  })

  it('are bounded', () => {
    const samples = new PlotSamples()
    samples.add(message(null, [0]))
    for (let step = 1; step < 3 * MAX_SAMPLES; step += 500) {
      samples.add(
        message(
          step - 1,
          Array.from({ length: 500 }, (_, index) => step + index),
        ),
      )
      expect(samples.steps.length).toBeLessThanOrEqual(MAX_SAMPLES)
    }
    expect(samples.values[0]!.length).toBe(samples.steps.length)
    expect(samples.values[0]!.every((value, index) => value === 2 * samples.steps[index]!)).toBe(true)
  })

  it('find the sample nearest to a time', () => {
    const samples = new PlotSamples()
    expect(samples.nearest(1)).toBe(-1)
    samples.add(message(null, [0, 4, 8, 12]))
    expect([-1, 0.01, 0.021, 0.07, 9].map((time) => samples.nearest(time))).toEqual([0, 0, 1, 2, 3])
  })

  it('become CSV', () => {
    const samples = new PlotSamples()
    samples.add({
      ...message(null, [0, 4]),
      values: [
        [1, null],
        [0.5, 2],
      ],
    })
    expect(csvOf(samples, ['torso: height (m)', 'a, b'])).toBe(
      'step,time (s),torso: height (m),"a, b"\n0,0,1,0.5\n4,0.04,,2\n',
    )
  })
})
