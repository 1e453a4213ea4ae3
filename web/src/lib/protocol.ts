// The JSON that page and server exchange, as docs/protocol.md tells it. SI units, z up, quaternions x, y, z, w.

export type Vec3 = [number, number, number]
export type Pose = [number, number, number, number, number, number, number]
export type Color = [number, number, number]

export interface About {
  program: string
  version: string
  folder: string
  page: string | boolean | null
}

export interface Named {
  name: string
  description: string
}

export interface SceneEntry extends Named {
  duration: number | null
}

export interface RecordingEntry {
  name: string
  bytes: number
}

export type Source =
  | { type: 'scene'; name: string }
  | { type: 'creature'; name: string; task?: string; seed?: number }
  | { type: 'individual'; run: string; id?: number }
  | { type: 'recording'; name: string }
  | {
      type: 'bounce'
      objects?: number
      world?: number
      vertices?: number
      step_size?: number
      broad_phase?: string
      coherence?: boolean
    }
  | { type: 'take'; take: unknown }

export interface NewSession {
  source: Source
  paradigm?: string
  step?: number
  keyframe?: number
  paused?: boolean
}

export type OverlayName =
  'contacts' | 'closest' | 'boxes' | 'tiles' | 'groups' | 'centre' | 'joints' | 'activations' | 'counters'

export interface Session {
  id: string
  title: string
  description: string
  kind: 'scene' | 'creature' | 'recording' | 'bounce'
  paradigm: string | null
  /** length of a step, s */
  step: number
  steps_per_frame: number
  /** s */
  duration: number | null
  can: { interfere: boolean; probe: boolean; brain: boolean; end: boolean }
  overlays: OverlayName[]
  counters: string[]
  neurons: number
  source: Source
}

export type ShapeKind = 'box' | 'sphere' | 'ellipsoid' | 'cylinder' | 'capsule' | 'half-space' | 'mesh'

export interface Body {
  name: string
  mass: number
  parent: number | null
  joint: string | null
  collides: boolean
}

export interface Shape {
  body: number | null
  kind: ShapeKind
  size: number[]
  pose: Pose
  color: Color
  mesh?: number
}

export interface Mesh {
  positions: number[]
  normals: number[]
  triangles: number[]
}

export interface Appearance {
  epoch: number
  ground: boolean
  gravity: Vec3
  fluid: boolean
  bodies: Body[]
  shapes: Shape[]
  meshes: Mesh[]
  followed: number | null
  box: { min: Vec3; max: Vec3 }
}

export type Command =
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'restart' }
  | { do: 'speed'; speed: number }
  | { do: 'step'; steps: number }
  | { do: 'seek'; step: number }
  | { do: 'overlays'; overlays: OverlayName[] }
  | { do: 'probe'; body: number | null }
  | { do: 'grab'; body: number; point: Vec3; to: Vec3 }
  | { do: 'drag'; to: Vec3 }
  | { do: 'release' }
  | { do: 'throw'; from: Vec3; velocity: Vec3; radius: number; density: number }
  | { do: 'change'; gravity?: Vec3; friction?: number; restitution?: number }
  | { do: 'simulate'; paradigm?: string; step?: number }
  | { do: 'hashing'; on: boolean }

export interface Status {
  say: 'status'
  playing: boolean
  speed: number
  step: number
  latest: number
  epoch: number
  viewers: number
  exact: { checked: number; differing: number }
  paradigm: string | null
  step_length: number
  ended: string | null
  overlays: OverlayName[]
}

export interface Probe {
  say: 'probe'
  body: number
  name: string
  position: Vec3
  orientation: [number, number, number, number]
  velocity: Vec3
  angular_velocity: Vec3
  mass: number
  joint: { kind: string; positions: number[]; velocities: number[]; efforts: number[] } | null
  contacts: { with: string; force: Vec3 }[]
  force: Vec3
}

export interface Refused {
  say: 'refused'
  why: string
}

export type SessionMessage = Status | Probe | Refused

export type RunState = 'evolving' | 'paused' | 'stopped' | 'done'

export interface Run {
  name: string
  task: string
  family: string
  algorithm: string
  seed: number
  count: number
  evaluations: number
  best_fitness: number | null
  best_body_lengths: number | null
  champion: number | null
  state: RunState
}

export interface RunDetail extends Run {
  config: string
  descriptors: string[]
  measures: string[]
  hash: string | null
  creature_seconds: number
  faulty: number
}

export interface NewRun {
  task: string
  seed?: number
  evaluations?: number
  algorithm?: string
  family?: string
}

export interface Generation {
  generation: number
  born: number
  scored: number
  best: number | null
  upper_quartile: number | null
  median: number | null
  lower_quartile: number | null
  diversity: number | null
}

export interface EliteMap {
  dimensions: { descriptor: string; low: number; high: number; cells: number }[]
  cells: { cell: number[]; id: number; fitness: number }[]
}

export interface Brief {
  id: number
  generation: number
  operator: string
  parents: number[]
  fitness: number | null
  outcome: string
  reason: string | null
  descriptors: Record<string, number>
  measures: Record<string, number>
  favourite: boolean
  removed: boolean
}

export interface Individual extends Brief {
  seed: number | string
  family: string
  children: number[]
  parts: number
  neurons: number
}

export interface IndividualQuery {
  sort?: string
  order?: 'asc' | 'desc'
  operator?: string
  favourites?: boolean
  removed?: boolean
  least?: number
  offset?: number
  limit?: number
}

export interface ClipHead {
  appearance: Appearance
  rate: number
  frames: number
  bodies: number
  fitness: number | null
  outcome: string
  hashes: string[]
}

export interface Clip extends ClipHead {
  /** frames x bodies x 7: position and orientation */
  poses: Float32Array
}

export interface Brain {
  family: string
  neurons: { name: string; kind: 'sensor' | 'neuron' | 'effector'; function?: string; part: number }[]
  links: { from: number; to: number; weight: number }[]
  spectra: { name: string; period: number; amplitudes: number[]; phases: number[]; offset: number }[]
}

export interface Progress {
  say: 'progress'
  count: number
  evaluations: number
  best: number | null
  median: number | null
  per_second: number
  seconds_left: number | null
  state: RunState
  /** Why it stopped, if something went wrong. */
  failure: string | null
}

export interface Born {
  say: 'born'
  individuals: Brief[]
}

export type RunMessage = Progress | Born
