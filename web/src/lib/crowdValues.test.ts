import { describe, expect, it } from 'vitest'
import type { CrowdEntry } from './protocol'
import { crowdValues } from './crowdValues'

const network = (of_people: boolean) => ({ name: 'n', of_people, states: [] })
const crowd: CrowdEntry = {
  people: [4, null],
  gates: [{ name: 'door', min: [0, 0], max: [1, 1], door: true }],
  signals: ['walk', 'drive'],
  networks: [network(false), network(true), network(true)],
  nodes: [{ name: 'see', kind: 'perceptual', function: 'location' }],
  links: [{ name: '', from: 0, to: 0, inhibits: false }],
}

describe('values of crowds', () => {
  it('are in the order of the contents', () => {
    const numbers = [1, 0.5, 0.25, 2, ...[0, -1, 3, 10, 11], ...[1, 2, 4, 20, 21]]
    const [values] = crowdValues([crowd], new Float32Array(numbers))!
    expect(values).toEqual({
      gates: [true],
      signals: [0.5, 0.25],
      sceneStates: [2],
      people: [
        { states: [0, -1], weights: [3], outputs: [[10, 11]] },
        { states: [1, 2], weights: [4], outputs: [[20, 21]] },
      ],
    })
  })

  it('are refused if a person is missing', () => {
    expect(crowdValues([crowd], new Float32Array(9))).toBeNull()
    expect(crowdValues([crowd, crowd], new Float32Array(14))).toBeNull()
    expect(crowdValues([], new Float32Array(0))).toEqual([])
  })
})
