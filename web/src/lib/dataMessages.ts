// Checks of the data of runs for plots, and of scenes as text.
import { boolean, list, nullable, number, object, string } from './check'
import type * as protocol from './protocol'

export const sceneFileEntry = object<protocol.SceneFileEntry>({ name: string, bytes: number })
export const sceneText = object<protocol.SceneText>({ name: string, text: string })
const textFault = object<protocol.TextFault>({
  line: nullable(number),
  field: string,
  file: nullable(string),
  message: string,
})
export const textCheck = object<protocol.TextCheck>({ fault: nullable(textFault) })

export const runHistory = object<protocol.RunHistory>({
  name: string,
  task: string,
  family: string,
  algorithm: string,
  seed: number,
  count: number,
  planned: number,
  contest: boolean,
  config: string,
  evaluations: list(number),
  best: list(nullable(number)),
  median: list(nullable(number)),
})

export const scatter = object<protocol.Scatter>({
  total: number,
  sampled: number,
  id: list(number),
  x: list(number),
  y: list(number),
  fitness: list(nullable(number)),
})
