import { describe, expect, it } from 'vitest'
import type { Brain } from '../lib/protocol'
import { activationOf, layoutBrain } from './layout'
import { samples, spectrumAt } from './spectrum'

const brain: Brain = {
  family: 'graph',
  neurons: [
    { name: 'angle', kind: 'sensor', part: 1 },
    { name: 'a', kind: 'neuron', function: 'sum', part: 0 },
    { name: 'b', kind: 'neuron', function: 'sum', part: 0 },
    { name: 'alone', kind: 'neuron', function: 'oscillate wave', part: 0 },
    { name: 'axis', kind: 'effector', part: 1 },
  ],
  // A loop between a and b, and one of a with itself.
  links: [
    { from: 0, to: 1, weight: 1 },
    { from: 1, to: 2, weight: -2 },
    { from: 2, to: 1, weight: 1 },
    { from: 1, to: 1, weight: 1 },
    { from: 2, to: 4, weight: 1 },
  ],
  spectra: [],
}

describe('the graph of a brain', () => {
  it('has columns from sensors to effectors, with and without loops', () => {
    const { placed, columns } = layoutBrain(brain)
    expect(placed.map((place) => place.column)).toEqual([0, 1, 2, 1, 3])
    expect(columns).toBe(4)
    expect(placed.every((place) => place.y > 0 && place.y < 1)).toBe(true)
  })

  it('can be empty', () => {
    expect(layoutBrain({ family: 'graph', neurons: [], links: [], spectra: [] }).placed).toEqual([])
  })

  it('maps activations to neurons', () => {
    expect(activationOf(brain, 5)).toEqual([0, 1, 2, 3, 4])
    expect(activationOf(brain, 4)).toEqual([-1, 0, 1, 2, 3])
    expect(activationOf(brain, 3)).toEqual([-1, 0, 1, 2, -1])
  })
})

describe('a spectrum', () => {
  it('is a sum of sines over one period', () => {
    const spectrum = { name: 'axis', period: 2, amplitudes: [1, 0.5], phases: [0, Math.PI / 2], offset: 0.25 }
    expect(spectrumAt(spectrum, 0)).toBeCloseTo(0.75, 12)
    expect(spectrumAt(spectrum, 0.5)).toBeCloseTo(0.25 + 1 - 0.5, 12)
    const curve = samples(spectrum, 101)
    expect(curve[0]).toBeCloseTo(curve[100]!, 9)
  })
})
