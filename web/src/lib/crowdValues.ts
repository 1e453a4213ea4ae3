// The present values of crowds: gates, signals, states of networks, links and nodes of behaviour nets.
import type { CrowdEntry } from './protocol'

/** The values of one crowd. */
export interface CrowdValues {
  /** Whether each gate is open. */
  gates: boolean[]
  signals: number[]
  /** The state of each network of the scene, in order; -1 if it does not run. */
  sceneStates: number[]
  /** The values of each person. */
  people: PersonValues[]
}

/** The values of one person. */
export interface PersonValues {
  /** The state of each network of people, in order; -1 if it does not run. */
  states: number[]
  /** The weight of each link. */
  weights: number[]
  /** Distance, in m, and angle, in rad, of each node. */
  outputs: [number, number][]
}

/** Reads the frame section `crowd`; null if it has another length than the crowds. */
export function crowdValues(crowds: CrowdEntry[], section: Float32Array): CrowdValues[] | null {
  let at = 0
  const take = (count: number) => {
    const values = [...section.subarray(at, at + count)]
    at += count
    return values
  }
  const read = (crowd: CrowdEntry): CrowdValues => {
    const ofPeople = crowd.networks.filter((network) => network.of_people).length
    const gates = take(crowd.gates.length).map((value) => value !== 0)
    const signals = take(crowd.signals.length)
    const sceneStates = take(crowd.networks.length - ofPeople)
    const people = crowd.people.map(() => {
      const [states, weights] = [take(ofPeople), take(crowd.links.length)]
      const outputs = crowd.nodes.map(() => take(2) as [number, number])
      return { states, weights, outputs }
    })
    return { gates, signals, sceneStates, people }
  }
  const values = crowds.map(read)
  return at === section.length ? values : null
}
