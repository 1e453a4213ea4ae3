// The JSON that page and server exchange, as docs/protocol.md describes it. The types are generated from those of the server
// (`protocol.generated.ts`); this file adds the names that only the page uses. SI units, z up, quaternions x, y, z, w.
import type { ClipHead, RunMessage, SessionMessage, Shape } from './protocol.generated'

export type * from './protocol.generated'

export type Vec3 = [number, number, number]
export type Pose = Shape['pose']
export type Color = Shape['color']

export type Status = Extract<SessionMessage, { say: 'status' }>
export type Probe = Extract<SessionMessage, { say: 'probe' }>
export type PlotMessage = Extract<SessionMessage, { say: 'plot' }>
export type PlotData = Omit<PlotMessage, 'say'>
export type MarksMessage = Extract<SessionMessage, { say: 'marks' }>
export type ProfileMessage = Extract<SessionMessage, { say: 'profile' }>
export type MeasuredMessage = Extract<SessionMessage, { say: 'measured' }>
export type Refused = Extract<SessionMessage, { say: 'refused' }>
export type Progress = Extract<RunMessage, { say: 'progress' }>
export type Born = Extract<RunMessage, { say: 'born' }>

/** A clip with its poses. */
export interface Clip extends ClipHead {
  /** frames x bodies x 7: position and orientation */
  poses: Float32Array
}

/** The query parameters of a page of runs. */
export interface RunQuery {
  search?: string
  task?: string
  sort?: 'newest' | 'name' | 'fitness' | 'evaluations'
  grouped?: boolean
  offset?: number
  limit?: number
}

/** The query parameters of the individuals of a run. */
export interface IndividualQuery {
  sort?: string
  order?: 'asc' | 'desc'
  operator?: string
  favourites?: boolean
  removed?: boolean
  least?: number
  /** Figures that must be in intervals. */
  x?: string
  x_low?: number
  x_high?: number
  y?: string
  y_low?: number
  y_high?: number
  offset?: number
  limit?: number
}
