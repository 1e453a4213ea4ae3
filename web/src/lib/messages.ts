// Checks of all JSON that the server sends. A difference from the generated types is a compile error.
import {
  anything,
  boolean,
  type Check,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  tuple,
  variants,
} from './check'
import { crowd } from './crowdMessages'
import type * as protocol from './protocol'

export type Take = Extract<protocol.Source, { type: 'take' }>['take']

/** A number of a measurement; the server writes NaN as null. */
const measuredNumber = nullable(number) as Check<number>
const vec3 = tuple<protocol.Vec3>(3)

export const about = object<protocol.About>({
  program: string,
  command: string,
  version: string,
  folder: string,
  page: boolean,
  start: string,
  idle_time: nullable(number),
})

export const versions = object<protocol.Versions>({ start: string, sessions: string, runs: string, recordings: string })

const namedFields = { name: string, description: string }
export const named = object<protocol.Named>(namedFields)
export const creatureEntry = object<protocol.CreatureEntry>({ ...namedFields, task: string })
export const sceneEntry = object<protocol.SceneEntry>({ ...namedFields, duration: number })
export const recordingEntry = object<protocol.RecordingEntry>({ name: string, bytes: number })

const overlayName = string as Check<protocol.OverlayName>

/** Only the type of a source is checked: the page sends it back to the server as it is. */
const source = object<{ type: string }>({ type: string }) as Check<protocol.Source>

const sessionFields = {
  id: string,
  title: string,
  description: string,
  kind: oneOf('scene', 'creature', 'recording', 'bounce'),
  paradigm: nullable(string),
  step: number,
  steps_per_frame: number,
  duration: nullable(number),
  can: object({ interfere: boolean, probe: boolean, brain: boolean, end: boolean }),
  overlays: list(overlayName),
  counters: list(string),
  neurons: number,
  source,
}
export const session = object<protocol.Session>(sessionFields)
export const sessionEntry = object<protocol.SessionEntry>({ ...sessionFields, age: number, viewers: number })

const body = object<protocol.Body>({
  name: string,
  mass: measuredNumber,
  parent: nullable(number),
  joint: nullable(string),
  collides: boolean,
})

const shape = object<protocol.Shape>({
  body: nullable(number),
  kind: string as Check<protocol.ShapeKind>,
  size: list(number),
  pose: tuple<protocol.Pose>(7),
  color: tuple<protocol.Color>(3),
  mesh: optional(number),
})

const mesh = object<protocol.Mesh>({ positions: list(number), normals: list(number), triangles: list(number) })

export const appearance = object<protocol.Appearance>({
  epoch: number,
  ground: boolean,
  gravity: vec3,
  fluid: boolean,
  bodies: list(body),
  shapes: list(shape),
  meshes: list(mesh),
  followed: nullable(number),
  box: object({ min: vec3, max: vec3 }),
})

const status = object<protocol.Status>({
  say: oneOf('status'),
  playing: boolean,
  speed: number,
  step: number,
  latest: number,
  epoch: number,
  viewers: number,
  exact: object({ checked: number, differing: number }),
  paradigm: nullable(string),
  step_length: number,
  ended: nullable(string),
  overlays: list(overlayName),
})

const probe = object<protocol.Probe>({
  say: oneOf('probe'),
  body: number,
  name: string,
  position: vec3,
  orientation: tuple<[number, number, number, number]>(4),
  velocity: vec3,
  angular_velocity: vec3,
  mass: measuredNumber,
  joint: nullable(
    object({ kind: string, positions: list(number), velocities: list(number), efforts: list(number) }),
  ) as Check<protocol.Probe['joint']>,
  contacts: list(object<protocol.Probe['contacts'][number]>({ with: string, force: vec3 })),
  force: vec3,
})

const anySignal = object<{ of: string }>({ of: string }) as unknown as Check<protocol.Signal>

const plot = object<protocol.PlotMessage>({
  say: oneOf('plot'),
  signals: list(anySignal),
  after: nullable(number),
  steps: list(number),
  times: list(number),
  values: list(list(nullable(number))),
})

const mark = object<protocol.Mark>({ step: number, kind: oneOf('edit', 'contact', 'fall', 'fault'), text: string })
const marks = object<protocol.MarksMessage>({ say: oneOf('marks'), marks: list(mark) })

const profile = object<protocol.ProfileMessage>({
  say: oneOf('profile'),
  steps: number,
  controllers: number,
  collision_detection: number,
  collision_solver: number,
  motion_solver: number,
  constraint_solver: number,
  contacts: number,
  collisions: number,
  sub_steps: number,
  sweeps: number,
})

const measured = object<protocol.MeasuredMessage>({
  say: oneOf('measured'),
  paradigm: string,
  step: number,
  sleeping: boolean,
  steps: number,
  factor: number,
  failure: nullable(string),
})

export const contents = object<protocol.Contents>({
  world_quantities: list(string as Check<protocol.WorldQuantity>),
  body_quantities: list(string as Check<protocol.BodyQuantity>),
  joints: list(object<protocol.JointEntry>({ body: number, kind: string, units: list(string) })),
  actuators: list(
    object<protocol.ActuatorEntry>({
      name: string,
      body: nullable(number),
      axis: number,
      range: nullable(tuple<[number, number]>(2)),
      unit: string,
    }),
  ),
  sensors: list(
    object<protocol.SensorEntry>({ name: string, kind: string, body: nullable(number), values: number, unit: string }),
  ),
  keyframes: list(string),
  cameras: list(
    object<protocol.CameraEntry>({
      name: string,
      position: vec3,
      target: vec3,
      field_of_view: number,
      follow: nullable(number),
    }),
  ),
  creatures: list(number),
  crowds: list(crowd),
  sleeping: nullable(boolean),
})

const refused = object<protocol.Refused>({ say: oneOf('refused'), why: string })

export const sessionMessage = variants<protocol.SessionMessage>('say', {
  status,
  probe,
  plot,
  marks,
  profile,
  measured,
  refused,
})

const runState = oneOf('evolving', 'paused', 'stopped', 'done', 'unreadable')

const spread = object<protocol.Spread>({
  draws: number,
  quantile: number,
  rank: number,
  lowest: number,
  median: number,
  highest: number,
})

const runFields = {
  name: string,
  task: string,
  family: string,
  algorithm: string,
  seed: number,
  count: number,
  evaluations: number,
  best_fitness: nullable(number),
  best_spread: nullable(spread),
  best_body_lengths: nullable(number),
  champion: nullable(number),
  state: runState,
  modified: nullable(number),
  error: nullable(string),
}
export const run = object<protocol.Run>(runFields)
export const runPage = object<protocol.RunPage>({
  version: string,
  total: number,
  found: number,
  unread: number,
  tasks: record(number),
  runs: list(run),
})
export const runDetail = object<protocol.RunDetail>({
  ...runFields,
  config: string,
  repeat: nullable(list(string)),
  descriptors: list(string),
  measures: list(string),
  hash: nullable(string),
  creature_seconds: number,
  faulty: number,
  retests: number,
})

const generation = object<protocol.Generation>({
  generation: number,
  born: number,
  scored: number,
  best: nullable(number),
  upper_quartile: nullable(number),
  median: nullable(number),
  lower_quartile: nullable(number),
  diversity: nullable(number),
  new_task: boolean,
})
export const curve = object({ generations: list(generation) })

const contestSide = object<protocol.ContestSide>({
  generation: number,
  side: number,
  leader: nullable(number),
  meetings: number,
  score: nullable(number),
})
export const contest = object<protocol.Contest>({ sides: list(contestSide) })

const tournamentPlayer = object<protocol.TournamentPlayer>({
  id: number,
  generation: number,
  side: number,
  elo: number,
  elo_error: number,
})
export const tournament = object<protocol.Tournament>({
  trials: number,
  players: list(tournamentPlayer),
  matrix: list(list(nullable(number))),
  triples: number,
  intransitive_share: nullable(number),
  leaders: list(number),
})

export const eliteMap = object<protocol.EliteMap>({
  dimensions: list(
    object<protocol.EliteMap['dimensions'][number]>({ descriptor: string, low: number, high: number, cells: number }),
  ),
  cells: list(object<protocol.EliteMap['cells'][number]>({ cell: list(number), id: number, fitness: number })),
})

const summaryFields = {
  id: number,
  generation: number,
  operator: string,
  parents: list(number),
  fitness: nullable(number),
  outcome: string,
  reason: nullable(string),
  descriptors: record(measuredNumber),
  measures: record(measuredNumber),
  favourite: boolean,
  removed: boolean,
}
const summary = object<protocol.IndividualSummary>(summaryFields)
export const individualList = object({ total: number, individuals: list(summary) })
export const lineage = object({ individuals: list(summary) })
export const individual = object<protocol.Individual>({
  ...summaryFields,
  seed: string,
  family: string,
  spread: nullable(spread),
  children: list(number),
  parts: number,
  neurons: number,
})

export const clipHeader = object<protocol.ClipHead>({
  appearance,
  rate: number,
  frames: number,
  bodies: number,
  fitness: nullable(number),
  outcome: string,
  hashes: list(string),
})

export const brain = object<protocol.Brain>({
  family: string,
  neurons: list(
    object<protocol.Brain['neurons'][number]>({
      name: string,
      kind: oneOf('sensor', 'neuron', 'effector'),
      function: optional(string),
      part: number,
    }),
  ),
  links: list(object<protocol.Brain['links'][number]>({ from: number, to: number, weight: number })),
  spectra: list(
    object<protocol.Brain['spectra'][number]>({
      name: string,
      period: number,
      amplitudes: list(number),
      phases: list(number),
      offset: number,
    }),
  ),
})

const progress = object<protocol.Progress>({
  say: oneOf('progress'),
  count: number,
  evaluations: number,
  best: nullable(number),
  median: nullable(number),
  per_second: number,
  seconds_left: nullable(number),
  state: runState,
  failure: nullable(string),
})
const born = object<protocol.Born>({ say: oneOf('born'), individuals: list(summary) })

export const runMessage = variants<protocol.RunMessage>('say', { progress, born })

export const child = object({ child: number })
export const children = object({ children: list(number) })

/** A take file; the server checks the rest. */
export const take = object({ version: number, source, events: list(anything) }) as unknown as Check<Take>
/** A creature file; the server checks its content. */
export const creature = record(anything)
