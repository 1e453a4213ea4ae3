// Generated from the types of crates/server by `BURGESS_GENERATE=1 cargo test -p burgess-server schema`. Do not edit.
// SI units, z up, quaternions x, y, z, w.

/** The program and its settings. */
export interface About {
  /** What starts the program in a shell, such as `target/release/burgess`, quoted if necessary. */
  command: string
  /** Name of the directory of runs and recordings, without the path to it. */
  folder: string
  /** Time after which a session without viewers ends, in s; null if it does not. */
  idle_time: number | null
  /** Whether the page is part of this build of the program. */
  page: boolean
  /** Name of the program: `burgess`. */
  program: string
  /** Identifies the start of the server: another value means that the server was restarted, and that its sessions are gone. */
  start: string
  /** Version of the program. */
  version: string
}

/** An actuator. */
export interface ActuatorEntry {
  /** Index of the axis. */
  axis: number
  /** Index of the body whose joint it drives. */
  body: number | null
  /** Name of the actuator. */
  name: string
  /** Lowest and highest control, if they are limited. */
  range: [number, number] | null
  /** Unit of the control. */
  unit: string
}

/** A quantity of an actuator. */
export type ActuatorQuantity = 'control' | 'force'

/** The appearance of a world. */
export interface Appearance {
  /** Moving bodies, in the order of the poses of a frame. */
  bodies: Body[]
  /** Bounding box of the initial scene. */
  box: Bounds
  /** Number of the appearance. Each change of the world increases it. */
  epoch: number
  /** Whether the world is filled with a fluid. */
  fluid: boolean
  /** Index of the body that the camera follows. */
  followed: number | null
  /** Gravity, in m/s^2. */
  gravity: [number, number, number]
  /** Whether there is an infinite ground plane. */
  ground: boolean
  /** Meshes of the shapes of kind `mesh`. */
  meshes: Mesh[]
  /** Shapes of all bodies and of the world. */
  shapes: Shape[]
}

/** A moving body. */
export interface Body {
  /** Whether the body has colliding shapes. */
  collides: boolean
  /** Type of the joint to the parent. */
  joint: string | null
  /** Mass, in kg. It is 0 if forces do not move the body. */
  mass: number
  /** Name of the body. */
  name: string
  /** Index of the parent body. */
  parent: number | null
}

/** A quantity of a body. */
export type BodyQuantity =
  | 'position_x'
  | 'position_y'
  | 'position_z'
  | 'velocity_x'
  | 'velocity_y'
  | 'velocity_z'
  | 'speed'
  | 'angular_velocity_x'
  | 'angular_velocity_y'
  | 'angular_velocity_z'
  | 'angular_speed'
  | 'contact_force_x'
  | 'contact_force_y'
  | 'contact_force_z'
  | 'contact_force'
  | 'tilt'

/** The body of `POST /api/cave/body`. */
export interface BodyRequest {
  /** Whether the user's body is a collider. */
  on: boolean
}

/** An axis-aligned box. */
export interface Bounds {
  /** Highest corner, in m. */
  max: [number, number, number]
  /** Lowest corner, in m. */
  min: [number, number, number]
}

/** A brain as a graph. */
export interface Brain {
  /** Family of the genome. */
  family: string
  /** Weighted connections between nodes. */
  links: BrainLink[]
  /** Sensors, then neurons, then effectors. */
  neurons: BrainNode[]
  /** Curves of a brain by spectral synthesis, one for each joint axis. */
  spectra: Spectrum[]
}

/** A weighted connection. */
export interface BrainLink {
  /** Index of the source node. */
  from: number
  /** Index of the target node. */
  to: number
  /** Weight of the connection. */
  weight: number
}

/** A node of a brain. */
export interface BrainNode {
  /** Function that a neuron computes. */
  function?: string
  /** Kind of the node. */
  kind: BrainNodeKind
  /** Name for display. */
  name: string
  /** Index of the part of the body that the node belongs to or is nearest to. */
  part: number
}

/** The kind of a node of a brain. */
export type BrainNodeKind = 'sensor' | 'neuron' | 'effector'

/** The body of `POST .../breed`. */
export interface Breed {
  /** Ids of the parents. */
  parents: [number, number]
}

/** A place that a tracker reported, and where it was in the room. */
export interface CalibrationPoint {
  /** Place in the room, in m. */
  room: [number, number, number]
  /** Place in the tracker's axes, in m. */
  tracker: [number, number, number]
}

/** The body of `POST /api/cave/calibration`. */
export interface CalibrationRequest {
  /** Three places that the tracker reported, and where they were in the room. */
  points: [CalibrationPoint, CalibrationPoint, CalibrationPoint]
}

/** A camera that the scene names. */
export interface CameraEntry {
  /** Vertical field of view, in degrees. */
  field_of_view: number
  /** Index of the body that it follows. */
  follow: number | null
  /** Name of the camera. */
  name: string
  /** Position in the world, or from the body that it follows, in m. */
  position: [number, number, number]
  /** Point at the centre of the view, in the world, or from the body that it follows, in m. */
  target: [number, number, number]
}

/** Operations that a session supports. */
export interface Capabilities {
  /** Whether there is a brain. */
  brain: boolean
  /** Whether the session has a last step. */
  end: boolean
  /** Whether viewers can edit the world. */
  interfere: boolean
  /** Whether viewers can probe bodies. */
  probe: boolean
}

/** A room with walls. Lengths are in m. The room's axes are x to the right, y forward and z up. */
export interface Cave {
  /** Whether the user's body is a collider. */
  body: boolean
  /** Description in one sentence. */
  description: string
  /** How finely walls draw. */
  detail: Detail
  /** Place of the viewer's eyes until a tracker reports the head. */
  eye: [number, number, number]
  /** Distance between the eyes. */
  eye_separation: number
  /** Distance of the farthest visible surfaces from the eye. */
  far: number
  /** How walls agree on the frame that they show. */
  lock: Lock
  /** Name of the cave. */
  name: string
  /** Distance of the nearest visible surfaces from the eye. */
  near: number
  /** Time between two frames, in s. */
  period: number
  /** Built-in scene or creature that is shown first. */
  scene?: string
  /** Speed of walking and flying, in m/s. */
  speed: number
  /** Where the room is in the world at the start; in front of the world's bodies if it is missing. */
  start?: Start
  /** Maps points of the tracker to the room: three rows of four numbers, a rotation and a translation in m. */
  tracker?: [[number, number, number, number], [number, number, number, number], [number, number, number, number]]
  /** The walls. */
  walls: WallSpec[]
}

/** The body of `POST /api/cave`: a built-in cave, or the text of a cave file. */
export interface CaveChoice {
  /** Name of a built-in cave. */
  preset?: string | null
  /** The text of a cave file, in TOML. */
  text?: string | null
}

/** A built-in cave. */
export interface CavePreset {
  /** Description in one sentence. */
  description: string
  /** Name of the cave. */
  name: string
}

/** The cave, its walls, and what they show. */
export interface CaveStatus {
  /** Address of the page for other machines, with the token; null if only this machine can reach it. */
  address: string | null
  /** Whether the user's body is a collider. */
  body: boolean
  /** The cave; null if there is none. */
  cave: Cave | null
  /** Name of the file in which changes are saved. */
  file: string | null
  /** Name of the flow whose vortex tubes the walls show. */
  flow: string | null
  /** Number of the frame that is prepared. */
  frame: number
  /** Built-in caves. */
  presets: CavePreset[]
  /** The session that the walls show. */
  session: string | null
  /** Whether walls show their numbers, and handles at their corners. */
  setup: boolean
  /** The last report of a tracker, in its own axes. */
  tracking: Tracking | null
  /** The walls, in the order of the file. */
  walls: WallStatus[]
}

/** The JSON header of a clip, before the poses. */
export interface ClipHead {
  /** The bodies and shapes. */
  appearance: Appearance
  /** Number of bodies. */
  bodies: number
  /** Fitness of the trial, if it was scored. */
  fitness: number | null
  /** Number of frames. */
  frames: number
  /** State hash (16 hexadecimal digits) of every tenth frame. */
  hashes: string[]
  /** Outcome of the trial; empty if the clip does not show one. */
  outcome: string
  /** Frames per second. */
  rate: number
}

/** A command as JSON. */
export type Command =
  | {
    do: 'play'
  }
  | {
    do: 'pause'
  }
  | {
    do: 'speed'
    speed: number
  }
  | {
    do: 'restart'
  }
  | {
    do: 'step'
    steps: number
  }
  | {
    do: 'seek'
    step: number
  }
  | {
    do: 'overlays'
    overlays: OverlayName[]
  }
  | {
    body?: number | null
    do: 'probe'
  }
  | {
    body: number
    do: 'grab'
    point: [number, number, number]
    to: [number, number, number]
  }
  | {
    do: 'drag'
    to: [number, number, number]
  }
  | {
    along: [number, number, number]
    do: 'reach'
    from: [number, number, number]
    length: number
    push?: number | null
  }
  | {
    do: 'release'
    velocity?: [number, number, number] | null
  }
  | {
    do: 'body'
    foot: [number, number, number]
    height: number
    radius: number
  }
  | {
    body: number
    do: 'twist'
    torque: [number, number, number]
  }
  | {
    angular_impulse?: [number, number, number]
    body: number
    do: 'push'
    impulse: [number, number, number]
  }
  | {
    actuator: number
    control?: number | null
    do: 'control'
  }
  | {
    do: 'keyframe'
    name: string
  }
  | {
    density: number
    do: 'throw'
    from: [number, number, number]
    radius: number
    velocity: [number, number, number]
  }
  | {
    do: 'change'
    friction?: number | null
    gravity?: [number, number, number] | null
    restitution?: number | null
  }
  | {
    do: 'simulate'
    paradigm?: string | null
    sleeping?: boolean | null
    step?: number | null
  }
  | {
    do: 'guide'
    person: string
    to: [number, number]
  }
  | {
    at: [number, number]
    do: 'block'
  }
  | {
    do: 'gate'
    gate: string
    open: boolean
  }
  | {
    at: [number, number]
    do: 'join'
  }
  | {
    do: 'hurry'
    factor: number
  }
  | {
    do: 'measure'
    paradigm?: string | null
    sleeping?: boolean | null
    step?: number | null
  }
  | {
    do: 'plot'
    signals: Signal[]
  }
  | {
    do: 'profile'
    on: boolean
  }
  | {
    do: 'hashing'
    on: boolean
  }

/** The force of another body. */
export interface ContactProbe {
  /** Force on the probed body, in N. */
  force: [number, number, number]
  /** Name of the other body. */
  with: string
}

/** The contents of a world besides its bodies. */
export interface Contents {
  /** Actuators, in the order of the section `controls`. */
  actuators: ActuatorEntry[]
  /** Quantities of each body that can be plotted. */
  body_quantities: BodyQuantity[]
  /** Cameras that the scene names. */
  cameras: CameraEntry[]
  /** Index of the root body of each creature. */
  creatures: number[]
  /** Crowds, in the order of the section `crowd`. */
  crowds: CrowdEntry[]
  /** Joints with at least one axis. */
  joints: JointEntry[]
  /** Names of the keyframes. */
  keyframes: string[]
  /** Sensors. */
  sensors: SensorEntry[]
  /** Whether bodies at rest sleep; null if the subject is not simulated by a paradigm that can do that. */
  sleeping: boolean | null
  /** Quantities of the world that can be plotted. */
  world_quantities: WorldQuantity[]
}

/** Results of the meetings in a contest. */
export interface Contest {
  /** Results by generation and side, the first generation first; empty if the run is not a contest. */
  sides: ContestSide[]
}

/** Results of one side in one generation. */
export interface ContestSide {
  /** Number of the generation. */
  generation: number
  /** Id of the individual with the highest adjusted fitness, if one was scored. */
  leader: number | null
  /** Number of meetings with opponents. */
  meetings: number
  /** Share of the points that the individuals won, where a draw is half a point; null without meetings. */
  score: number | null
  /** Side: 0 or 1. */
  side: number
}

/** A built-in creature. */
export interface CreatureEntry {
  /** Description in one sentence. */
  description: string
  /** Name of the creature. */
  name: string
  /** Name of the task that it was designed or evolved for. */
  task: string
}

/** A crowd. Its values in the section `crowd` are: 1 or 0 for each gate (open or closed), the signals, then the number of the state of each network of the scene (-1: it does not run). Then, for each person: the states of the networks of people, the weights of the links, and distance (m) and angle (rad) of each node. */
export interface CrowdEntry {
  /** Gates. */
  gates: GateEntry[]
  /** Links of the behaviour net. */
  links: NetLinkEntry[]
  /** Transition networks. */
  networks: NetworkEntry[]
  /** Nodes of the behaviour net. */
  nodes: NetNodeEntry[]
  /** Indices of the people's bodies in a frame. */
  people: (number | null)[]
  /** Names of the signals. */
  signals: string[]
}

/** Fitness and diversity of a run by generation. */
export interface Curve {
  /** The generations, the first one first. */
  generations: Generation[]
}

/** How finely walls draw. */
export type Detail = 'full' | 'low'

/** A dimension of the grid of a run. */
export interface Dimension {
  /** Number of cells. */
  cells: number
  /** Name of a descriptor. */
  descriptor: string
  /** Highest value. Higher values count as this one. */
  high: number
  /** Lowest value. Lower values count as this one. */
  low: number
}

/** A change that a viewer makes to a simulation. */
export type Edit =
  | {
    /** Index of the body in a frame. */
    body: number
    do: 'grab'
    /** Number of the viewer. Several viewers may grab at once. */
    hand: number
    /** Attachment point in the frame of the body, in m. */
    point: [number, number, number]
    /** Target point in the world, in m. */
    to: [number, number, number]
  }
  | {
    do: 'drag'
    /** Number of the viewer. */
    hand: number
    /** Target point in the world, in m. */
    to: [number, number, number]
  }
  | {
    do: 'release'
    /** Number of the viewer. */
    hand: number
  }
  | {
    /** Index of the body in a frame. */
    body: number
    do: 'twist'
    /** Number of the viewer. */
    hand: number
    /** Torque along the axes of the world, in N m. */
    torque: [number, number, number]
  }
  | {
    do: 'body'
    /** Lowest point of the capsule, in m. */
    foot: [number, number, number]
    /** Number of the viewer. */
    hand: number
    /** Height of the capsule, in m. */
    height: number
    /** Radius of the capsule, in m. */
    radius: number
  }
  | {
    /** Angular impulse, in N m s. */
    angular_impulse: [number, number, number]
    /** Index of the body in a frame. */
    body: number
    do: 'push'
    /** Impulse, in N s. */
    impulse: [number, number, number]
  }
  | {
    /** Index of the actuator. */
    actuator: number
    /** The control, or null to end the override. */
    control: number | null
    do: 'control'
  }
  | {
    do: 'keyframe'
    /** Name of the keyframe. */
    name: string
  }
  | {
    /** Density of the ball, in kg/m^3. */
    density: number
    do: 'throw'
    /** Initial position of the ball, in m. */
    from: [number, number, number]
    /** Radius of the ball, in m. */
    radius: number
    /** Initial velocity of the ball, in m/s. */
    velocity: [number, number, number]
  }
  | {
    do: 'change'
    /** Friction coefficient of all surfaces. */
    friction?: number
    /** Gravity, in m/s^2. */
    gravity?: [number, number, number]
    /** Restitution coefficient of all surfaces. */
    restitution?: number
  }
  | {
    do: 'simulate'
    /** Name of a paradigm. */
    paradigm?: string
    /** Whether bodies at rest sleep, with time stepping. */
    sleeping?: boolean
    /** Length of a step, in s. */
    step?: number
  }
  | {
    do: 'guide'
    /** Name of the person's body. */
    person: string
    /** The place, in m. */
    to: [number, number]
  }
  | {
    /** Its middle, in m. */
    at: [number, number]
    do: 'block'
  }
  | {
    do: 'gate'
    /** Name of the gate. */
    gate: string
    /** Whether it is open. */
    open: boolean
  }
  | {
    /** Where it stands at first, in m. */
    at: [number, number]
    do: 'join'
  }
  | {
    do: 'hurry'
    /** The factor. */
    factor: number
  }
  | {
    do: 'hashing'
    /** Whether spatial hashing is used instead of testing every pair. */
    on: boolean
  }

/** The best individual of a cell. */
export interface Elite {
  /** Index of the cell along each dimension. */
  cell: number[]
  /** Fitness of the individual. */
  fitness: number
  /** Id of the individual. */
  id: number
}

/** The best individual of each cell of a grid of descriptors. */
export interface EliteMap {
  /** Occupied cells. */
  cells: Elite[]
  /** Dimensions of the grid. */
  dimensions: Dimension[]
}

/** The body of an error response. */
export interface ErrorBody {
  /** A sentence that says what was found and what was expected. */
  error: string
}

/** Result of comparing state hashes during replay. */
export interface Exactness {
  /** Number of hashes that were compared. */
  checked: number
  /** Number of hashes that differed. */
  differing: number
}

/** The body of `POST .../favourite`. */
export interface Favourite {
  /** Id of the individual. */
  id: number
  /** Whether it is a favourite. */
  on: boolean
}

/** A history of vortex tubes. */
export interface FlowDetail {
  /** Size of the file, in bytes. */
  bytes: number
  /** Smallest distance of points of the grid. */
  cell: number
  /** Largest distance of a core from the curve through its stored points, in cells. */
  core_error: number
  /** The events, by step. */
  events: FlowEvent[]
  /** Lengths of the box. */
  extent: [number, number, number]
  /** Name of the flow. */
  flow: string
  /** Position of the first point of the grid. */
  origin: [number, number, number]
  /** Whether each axis is periodic. */
  periodic: [boolean, boolean, boolean]
  /** The quantities, in the order of the values of a point. */
  quantities: FlowQuantity[]
  /** Number of points of the grid per axis. */
  size: [number, number, number]
  /** The steps. */
  steps: FlowStep[]
  /** Name of the file. */
  title: string
  /** The tracks, by number. */
  tracks: FlowTrack[]
  /** Bytes of the velocity of all fields, in single precision. */
  velocity_bytes: number
  /** Whether the plane of the lowest z is a wall. */
  wall: boolean
  /** Velocity of the outer flow. */
  wind: [number, number, number]
}

/** What happens to tubes between two steps. */
export interface FlowEvent {
  /** Tracks before the event. */
  from: number[]
  /** Kind: `born`, `split`, `merge` or `dies`. */
  kind: string
  /** The step after the event. */
  step: number
  /** Tracks after the event. */
  to: number[]
}

/** A quantity along the cores of tubes. */
export interface FlowQuantity {
  /** Least value in all steps. */
  least: number
  /** Largest value in all steps. */
  most: number
  /** Name: `circulation`, `pressure`, `speed` or `vorticity`. */
  name: string
}

/** The body of `POST /api/cave/flow`. */
export interface FlowRequest {
  /** Id of the history of vortex tubes that the walls show. */
  flow: string
}

/** A step of a history. */
export interface FlowStep {
  /** Number of core points. */
  points: number
  /** Time of the step. */
  time: number
  /** Number of tubes. */
  tubes: number
}

/** The life of a tube. */
export interface FlowTrack {
  /** First step. */
  first: number
  /** Last step. */
  last: number
}

/** A gate of a crowd. */
export interface GateEntry {
  /** Whether it is a door: people look for another way while it is closed. */
  door: boolean
  /** Highest corner, in m. */
  max: [number, number]
  /** Lowest corner, in m. */
  min: [number, number]
  /** Name of the gate. */
  name: string
}

/** Statistics of a generation. Numbers are null if no individual was scored. */
export interface Generation {
  /** Highest fitness. */
  best: number | null
  /** Number of individuals born. */
  born: number
  /** Diversity of the genomes. */
  diversity: number | null
  /** Number of the generation. */
  generation: number
  /** Lower quartile of the fitness. */
  lower_quartile: number | null
  /** Median of the fitness. */
  median: number | null
  /** Whether the task or its parameters changed before this generation. Fitness cannot be compared with earlier ones. */
  new_task: boolean
  /** Number of individuals scored. */
  scored: number
  /** Upper quartile of the fitness. */
  upper_quartile: number | null
}

/** What the trigger of a hand, or the button of the mouse, does. */
export type HandMode = 'grab' | 'push' | 'throw' | 'shoot'

/** An individual with everything but its genome. */
export interface Individual {
  /** Ids of the children. */
  children: number[]
  /** Descriptors by name. */
  descriptors: Record<string, number>
  /** Family of the genome. */
  family: string
  /** Whether a user marked it as a favourite. */
  favourite: boolean
  /** Fitness, if it was scored. */
  fitness: number | null
  /** Generation in which it was born. */
  generation: number
  /** Id of the individual. */
  id: number
  /** Measures by name. */
  measures: Record<string, number>
  /** Number of neurons or oscillators of the brain. */
  neurons: number
  /** Name of the operator that created it. */
  operator: string
  /** Outcome of the evaluation. */
  outcome: string
  /** Ids of the parents, the main parent first. */
  parents: number[]
  /** Number of parts of the body. */
  parts: number
  /** Reason why it was not scored. */
  reason: string | null
  /** Whether a user removed it from the parents. */
  removed: boolean
  /** Seed of the evaluation, as text: it has 64 bits, more than a JavaScript number holds. */
  seed: string
  /** Spread of its fitness over its evaluations, if it was scored. */
  spread: Spread | null
}

/** A page of the individuals of a run. */
export interface IndividualList {
  /** The individuals of this page. */
  individuals: IndividualSummary[]
  /** Number of individuals that match the query. */
  total: number
}

/** An individual in a list. */
export interface IndividualSummary {
  /** Descriptors by name. */
  descriptors: Record<string, number>
  /** Whether a user marked it as a favourite. */
  favourite: boolean
  /** Fitness, if it was scored. */
  fitness: number | null
  /** Generation in which it was born. */
  generation: number
  /** Id of the individual. */
  id: number
  /** Measures by name. */
  measures: Record<string, number>
  /** Name of the operator that created it. */
  operator: string
  /** Outcome of the evaluation. */
  outcome: string
  /** Ids of the parents, the main parent first. */
  parents: number[]
  /** Reason why it was not scored. */
  reason: string | null
  /** Whether a user removed it from the parents. */
  removed: boolean
}

/** The body of `POST .../inject`. */
export interface Inject {
  /** Content of a creature file. */
  creature: unknown
}

/** Kind of an item. */
export type ItemKind = 'button' | 'switch' | 'slider' | 'label'

/** A joint between a body and its parent. */
export interface JointEntry {
  /** Index of the body in a frame. */
  body: number
  /** Type of the joint, as in the appearance. */
  kind: string
  /** Unit of the position of each axis. */
  units: string[]
}

/** State of a joint. */
export interface JointProbe {
  /** Efforts of springs and motors, in N m or N. */
  efforts: number[]
  /** Type of the joint, as in the appearance. */
  kind: string
  /** Positions, in rad or m. A spherical joint has a quaternion. */
  positions: number[]
  /** Velocities, in rad/s or m/s. */
  velocities: number[]
}

/** A quantity of an axis of a joint. */
export type JointQuantity = 'position' | 'velocity' | 'effort'

/** An individual and its ancestors, the youngest first. */
export interface Lineage {
  /** The individuals. */
  individuals: IndividualSummary[]
}

/** How walls agree on the frame that they show. */
export type Lock = 'commit' | 'timed'

/** A mark on the time axis. */
export interface Mark {
  /** Kind of the mark. */
  kind: MarkKind
  /** Number of steps from the start. */
  step: number
  /** The command of an edit, or the reason of a fault; empty otherwise. */
  text: string
}

/** The kind of a mark. */
export type MarkKind = 'edit' | 'contact' | 'fall' | 'fault'

/** The measured speed of a copy of the world. */
export interface Measurement {
  /** Simulated seconds per second. */
  factor: number
  /** Reason why the copy could not be simulated further. */
  failure: string | null
  /** Name of the paradigm. */
  paradigm: string
  /** Whether bodies at rest sleep. */
  sleeping: boolean
  /** Length of a step, in s. */
  step: number
  /** Number of steps that were measured. */
  steps: number
}

/** An item of the menu. */
export interface MenuItem {
  /** Name of the item in messages. */
  id: string
  /** Kind of the item. */
  kind: ItemKind
  /** What the user sees. */
  label: string
  /** Middle of the item on the panel. */
  place: [number, number]
  /** The values of a slider; null for others. */
  scale: Scale | null
  /** Width and height of the item. */
  size: [number, number]
}

/** The items of the menu. Lengths are in m, from the middle of the panel: x to the right, y up. */
export interface MenuLayout {
  /** The items. */
  items: MenuItem[]
  /** Width and height of the panel. */
  size: [number, number]
}

/** The state of the menu: the object `menu` of wall frames, as JSON. */
export interface MenuView {
  /** Whether the user's body is a collider. */
  body: boolean
  /** Gravity downward, as a multiple of that of the Earth. */
  gravity: number
  /** What hands do. */
  hand: HandMode
  /** Whether the menu is shown. */
  open: boolean
  /** Orientation of the panel in the room as a quaternion: x to the right, y up, z to the user. */
  orientation: [number, number, number, number]
  /** Whether the session plays. */
  playing: boolean
  /** Items that are pointed at. */
  pointed: Pointed[]
  /** Middle of the panel in the room, in m. */
  position: [number, number, number]
  /** Size of the panel as a multiple of that of the layout. */
  scale: number
  /** Title of the scene that is shown. */
  scene: string
  /** Speed, as a multiple of real time. */
  speed: number
}

/** The body of `POST .../merge`. */
export interface Merge {
  /** Maximum number of individuals to take. */
  most?: number | null
  /** Name of the other run. */
  run: string
}

/** A triangle mesh with normals. */
export interface Mesh {
  /** Normals of the vertices, three numbers each. */
  normals: number[]
  /** Positions of the vertices, three numbers each, in m. */
  positions: number[]
  /** Vertex indices of the triangles, three each. */
  triangles: number[]
}

/** A built-in task. */
export interface Named {
  /** Description in one sentence. */
  description: string
  /** Name of the task. */
  name: string
}

/** A link of a behaviour net. */
export interface NetLinkEntry {
  /** Index of the node that emits. */
  from: number
  /** Whether it inhibits. */
  inhibits: boolean
  /** Name of the link; empty if it has none. */
  name: string
  /** Index of the node that loads. */
  to: number
}

/** A node of a behaviour net. */
export interface NetNodeEntry {
  /** Type of the node in scene files. */
  function: string
  /** `perceptual`, `control` or `motor`. */
  kind: string
  /** Name of the node. */
  name: string
}

/** A transition network. */
export interface NetworkEntry {
  /** Name of the network. */
  name: string
  /** Whether each person runs it; otherwise the scene runs it once. */
  of_people: boolean
  /** States. It starts in the first. */
  states: StateEntry[]
}

/** The id that a manual birth will have. */
export interface NewChild {
  /** Id of the child. */
  child: number
}

/** The ids that manual births will have. */
export interface NewChildren {
  /** Ids of the children. */
  children: number[]
}

/** The body of `POST /api/runs`. */
export interface NewRun {
  /** Name of the algorithm. */
  algorithm?: string | null
  /** Number of evaluations at which the run ends. */
  evaluations?: number | null
  /** Family of the genomes. */
  family?: string | null
  /** Seed of the run. */
  seed?: number | null
  /** Name of a built-in task. Task files are not accepted: clients must not make the server read files. */
  task: string
}

/** The body of `POST /api/scene-files`. */
export interface NewSceneFile {
  /** File name, which ends in `.toml`. */
  name: string
  /** Whether an existing file is replaced. */
  overwrite?: boolean
  /** The text, in TOML. */
  text: string
}

/** The body of `POST /api/sessions`. */
export interface NewSession {
  /** Name of the keyframe to start from. */
  keyframe?: string | null
  /** Name of a paradigm. Defaults to that of the source. */
  paradigm?: string | null
  /** Whether the session starts paused. */
  paused?: boolean
  /** What to show. */
  source: Source
  /** Length of a step, in s. Defaults to that of the source. */
  step?: number | null
}

/** The body of `POST /api/sessions/ID/scene`. */
export interface NewText {
  /** Name of the scene or of its file. */
  name: string
  /** The text, in TOML. */
  text: string
}

/** Name and version of an object in wall frames. */
export interface ObjectVersion {
  /** Name of the object. */
  name: string
  /** Version of its bytes. */
  version: number
}

/** Name of an overlay, which is a section of frames. */
export type OverlayName =
  | 'contacts'
  | 'closest'
  | 'boxes'
  | 'tiles'
  | 'groups'
  | 'centre'
  | 'joints'
  | 'activations'
  | 'counters'
  | 'controls'
  | 'figures'
  | 'crowd'

/** New values of signals. */
export interface PlotData {
  /** The last step of the message before; values of later steps are to be dropped. Null if this is the first one. */
  after: number | null
  /** The signals that the viewer asked for. */
  signals: Signal[]
  /** Numbers of steps from the start. */
  steps: number[]
  /** Simulated times, in s. */
  times: number[]
  /** Values of each signal; null where it did not exist or is not finite. */
  values: ((number | null)[])[]
}

/** An item that somebody points at. */
export interface Pointed {
  /** Id of the item. */
  item: string
  /** Whether it is pressed. */
  pressed: boolean
  /** Value of a slider that is pressed; it is set when the slider is let go. */
  value?: number
}

/** The state of a body. */
export interface Probe {
  /** Angular velocity, in rad/s. */
  angular_velocity: [number, number, number]
  /** Index of the body in a frame. */
  body: number
  /** Contact forces, one for each body in contact. */
  contacts: ContactProbe[]
  /** Sum of the contact forces on the body, in N. */
  force: [number, number, number]
  /** State of the joint to the parent. */
  joint: JointProbe | null
  /** Mass, in kg. */
  mass: number
  /** Name of the body. */
  name: string
  /** Orientation as quaternion x, y, z, w. */
  orientation: [number, number, number, number]
  /** Position of the frame of the body, in m. */
  position: [number, number, number]
  /** Velocity of the origin of the frame of the body, in m/s. */
  velocity: [number, number, number]
}

/** Mean times and work of a step. */
export interface Profile {
  /** Time of collision detection, in s. */
  collision_detection: number
  /** Time of the collision solver, in s. */
  collision_solver: number
  /** Number of collisions. */
  collisions: number
  /** Time of the constraint solver, in s. */
  constraint_solver: number
  /** Number of contacts. */
  contacts: number
  /** Time of high-level controllers, in s. */
  controllers: number
  /** Time of the motion solver, without the constraint solver, in s. */
  motion_solver: number
  /** Number of steps over which the other numbers are means. */
  steps: number
  /** Number of sub-steps. */
  sub_steps: number
  /** Number of sweeps of the contact solver. */
  sweeps: number
}

/** The progress of a run. */
export interface Progress {
  /** Highest fitness so far. */
  best: number | null
  /** Number of individuals evaluated so far. */
  count: number
  /** Number of evaluations at which the run ends. */
  evaluations: number
  /** Reason why the run stopped, if it failed. */
  failure: string | null
  /** Median fitness of the last individuals. */
  median: number | null
  /** Evaluations per second. */
  per_second: number
  /** Estimated time left, in s. */
  seconds_left: number | null
  /** Whether the run is being evolved. */
  state: RunState
}

/** An edit and the step at which it was made. */
export interface RecordedEdit {
  /** The edit. */
  deed: Edit
  /** Number of steps from the start. */
  step: number
}

/** A recording in the run directory. */
export interface RecordingEntry {
  /** Size of the file, in bytes. */
  bytes: number
  /** File name. */
  name: string
}

/** The body of `POST .../remove`. */
export interface Remove {
  /** Id of the individual. */
  id: number
}

/** The body of `POST .../go-on`. */
export interface ResumeRun {
  /** Number of evaluations at which the run ends. */
  evaluations?: number | null
}

/** A run in the run directory. */
export interface Run {
  /** Name of the algorithm. */
  algorithm: string
  /** Body lengths that the champion travels in 10 s, after the transient of the task. */
  best_body_lengths: number | null
  /** Fitness of the champion. */
  best_fitness: number | null
  /** Spread of the champion's fitness over its evaluations. */
  best_spread: Spread | null
  /** Id of the champion. */
  champion: number | null
  /** Number of individuals evaluated so far. */
  count: number
  /** Reason why the file cannot be read. */
  error: string | null
  /** Number of evaluations at which the run ends. */
  evaluations: number
  /** Family of the genomes. */
  family: string
  /** Time of the last change of the file, in s since 1970; none if the run was not read for a list. */
  modified: number | null
  /** Name of the file without `.burgess`. */
  name: string
  /** Seed of the run. */
  seed: number
  /** Whether the run is being evolved. */
  state: RunState
  /** Name of the task. It is empty if the file cannot be read. */
  task: string
}

/** A run with its configuration and totals. */
export interface RunDetail {
  /** Name of the algorithm. */
  algorithm: string
  /** Body lengths that the champion travels in 10 s, after the transient of the task. */
  best_body_lengths: number | null
  /** Fitness of the champion. */
  best_fitness: number | null
  /** Spread of the champion's fitness over its evaluations. */
  best_spread: Spread | null
  /** Id of the champion. */
  champion: number | null
  /** Configuration as TOML. */
  config: string
  /** Number of individuals evaluated so far. */
  count: number
  /** Simulated time of all evaluations, in s. */
  creature_seconds: number
  /** Names of the descriptors. */
  descriptors: string[]
  /** Reason why the file cannot be read. */
  error: string | null
  /** Number of evaluations at which the run ends. */
  evaluations: number
  /** Family of the genomes. */
  family: string
  /** Number of individuals without fitness because their motion was physically implausible. */
  faulty: number
  /** Hash of the archive (16 hexadecimal digits), or null while the run evolves or if rows are damaged. */
  hash: string | null
  /** Names of the measures. */
  measures: string[]
  /** Time of the last change of the file, in s since 1970; none if the run was not read for a list. */
  modified: number | null
  /** Name of the file without `.burgess`. */
  name: string
  /** Arguments of `burgess` that start a run with the same configuration, or null if only a file with the configuration can express it, or if the run started from given creatures. */
  repeat: string[] | null
  /** Number of evaluations that tested known individuals again under new draws of the conditions. */
  retests: number
  /** Seed of the run. */
  seed: number
  /** Whether the run is being evolved. */
  state: RunState
  /** Name of the task. It is empty if the file cannot be read. */
  task: string
}

/** The progress of a run over its evaluations. The lists have one entry for each point. */
export interface RunHistory {
  /** Name of the algorithm. */
  algorithm: string
  /** Highest fitness so far; it starts anew when the task or its parameters change. Null if none was scored. */
  best: (number | null)[]
  /** Configuration as TOML. */
  config: string
  /** Whether individuals compete, so that the fitness of different moments cannot be compared. */
  contest: boolean
  /** Number of evaluations so far. */
  count: number
  /** Number of evaluations at each point: multiples of a round number, and the last one. */
  evaluations: number[]
  /** Family of the genomes. */
  family: string
  /** Median fitness of the individuals since the previous point; null if none was scored. */
  median: (number | null)[]
  /** Name of the file without `.burgess`. */
  name: string
  /** Number of evaluations at which the run ends. */
  planned: number
  /** Seed of the run. */
  seed: number
  /** Name of the task. */
  task: string
}

/** A message to the viewers of a run. */
export type RunMessage =
  | Progress & {
    say: 'progress'
  }
  | {
    /** The individuals, in the order of their evaluation. */
    individuals: IndividualSummary[]
    say: 'born'
  }

/** Some of the runs in the run directory. */
export interface RunPage {
  /** Number of runs that match the search and the task. */
  found: number
  /** The runs of this page. */
  runs: Run[]
  /** Number of runs of each task that match the search, by name of the task. */
  tasks: Record<string, number>
  /** Number of all runs that were read. */
  total: number
  /** Number of runs that are new or have changed and were not read yet. */
  unread: number
  /** Identifies the content of the list of runs. */
  version: string
}

/** Whether a run is being evolved. */
export type RunState = 'evolving' | 'paused' | 'stopped' | 'done' | 'unreadable'

/** The values of a slider. */
export interface Scale {
  /** Value at the right end. */
  high: number
  /** Whether the value is set while the slider moves, instead of when it is let go. */
  live: boolean
  /** Whether equal distances are equal factors. */
  logarithmic: boolean
  /** Value at the left end. */
  low: number
}

/** Two figures of the individuals of a run. The lists have one entry for each point. */
export interface Scatter {
  /** Fitness, if the individual was scored. */
  fitness: (number | null)[]
  /** Ids of the individuals that have both figures. */
  id: number[]
  /** Number of individuals that were considered: all, or, of more than 5,000, those at equal distances in the order of births and the 100 fittest. */
  sampled: number
  /** Number of individuals of the run. */
  total: number
  /** First figure. */
  x: number[]
  /** Second figure. */
  y: number[]
}

/** A built-in scene. */
export interface SceneEntry {
  /** Description in one sentence. */
  description: string
  /** Duration, in s. */
  duration: number
  /** Name of the scene. */
  name: string
}

/** A scene file in the run directory. */
export interface SceneFileEntry {
  /** Size of the file, in bytes. */
  bytes: number
  /** File name. */
  name: string
}

/** The scene of a session as text. */
export interface SceneText {
  /** Name of the scene or of its file. */
  name: string
  /** The text, in TOML. */
  text: string
}

/** A sensor. */
export interface SensorEntry {
  /** Index of the body that it measures. */
  body: number | null
  /** Type of the sensor, as in scene files. */
  kind: string
  /** Name of the sensor. */
  name: string
  /** Unit of the values. */
  unit: string
  /** Number of values. */
  values: number
}

/** The description of a session that clients receive. */
export interface Session {
  /** Operations that the session supports. */
  can: Capabilities
  /** Names of the counters. */
  counters: string[]
  /** Description in one or more sentences. */
  description: string
  /** Duration of the scene, trial or recording, in s. */
  duration: number | null
  /** Id of the session, as in its routes. */
  id: string
  /** Kind of the subject. */
  kind: SessionKind
  /** Number of values of the overlay `activations`. */
  neurons: number
  /** Overlays that frames can contain. */
  overlays: OverlayName[]
  /** Name of the paradigm, if the subject is simulated. */
  paradigm: string | null
  /** What the session was opened with. For a file named on the command line, its name. */
  source: Source
  /** Length of a step, in s. */
  step: number
  /** Number of steps between frames at normal speed. */
  steps_per_frame: number
  /** Short title. */
  title: string
}

/** A session in the list. */
export interface SessionEntry {
  /** Time since the session was opened, in s. */
  age: number
  /** Operations that the session supports. */
  can: Capabilities
  /** Names of the counters. */
  counters: string[]
  /** Description in one or more sentences. */
  description: string
  /** Duration of the scene, trial or recording, in s. */
  duration: number | null
  /** Id of the session, as in its routes. */
  id: string
  /** Kind of the subject. */
  kind: SessionKind
  /** Number of values of the overlay `activations`. */
  neurons: number
  /** Overlays that frames can contain. */
  overlays: OverlayName[]
  /** Name of the paradigm, if the subject is simulated. */
  paradigm: string | null
  /** What the session was opened with. For a file named on the command line, its name. */
  source: Source
  /** Length of a step, in s. */
  step: number
  /** Number of steps between frames at normal speed. */
  steps_per_frame: number
  /** Short title. */
  title: string
  /** Number of viewers. */
  viewers: number
}

/** Kind of the subject of a session. */
export type SessionKind = 'scene' | 'creature' | 'recording' | 'bounce'

/** A message to a viewer. */
export type SessionMessage =
  | Status & {
    say: 'status'
  }
  | Probe & {
    say: 'probe'
  }
  | PlotData & {
    say: 'plot'
  }
  | {
    /** Marks in the order of their steps. */
    marks: Mark[]
    say: 'marks'
  }
  | Profile & {
    say: 'profile'
  }
  | Measurement & {
    say: 'measured'
  }
  | {
    say: 'refused'
    /** A sentence with the reason. */
    why: string
  }

/** The body of `POST /api/cave/setup`. */
export interface SetupRequest {
  /** Whether walls show their numbers, and handles at their corners. */
  on: boolean
}

/** A shape of a body or of the world. */
export interface Shape {
  /** Index of the body, or null for a shape fixed in the world. */
  body: number | null
  /** sRGB color, each component from 0 to 1. */
  color: [number, number, number]
  /** Kind of the shape. */
  kind: ShapeKind
  /** Index of the mesh, for the kind `mesh`. */
  mesh?: number
  /** Pose in the body or in the world: position in m, quaternion x, y, z, w. */
  pose: [number, number, number, number, number, number, number]
  /** Sizes, in m; the kind decides their meaning. */
  size: number[]
}

/** The kind of a drawn shape, which decides the meaning of its sizes. */
export type ShapeKind = 'box' | 'sphere' | 'ellipsoid' | 'cylinder' | 'capsule' | 'half-space' | 'mesh'

/** The body of `POST /api/cave/session`. */
export interface ShowRequest {
  /** Id of the session that the walls show. */
  session: string
}

/** A number of a session that changes over time. */
export type Signal =
  | {
    of: 'world'
    /** The quantity. */
    quantity: WorldQuantity
  }
  | {
    /** Index of the body in a frame. */
    body: number
    of: 'body'
    /** The quantity. */
    quantity: BodyQuantity
  }
  | {
    /** Index of the axis. */
    axis: number
    /** Index of the body in a frame. */
    body: number
    of: 'joint'
    /** The quantity. */
    quantity: JointQuantity
  }
  | {
    /** Index of the actuator. */
    actuator: number
    of: 'actuator'
    /** The quantity. */
    quantity: ActuatorQuantity
  }
  | {
    /** Index of the value. */
    component: number
    of: 'sensor'
    /** Index of the sensor. */
    sensor: number
  }
  | {
    /** Index of the node. */
    neuron: number
    of: 'neuron'
  }

/** The subject of a session. */
export type Source =
  | {
    /** Name of the scene. */
    name: string
    type: 'scene'
  }
  | {
    /** Name of the creature. */
    name: string
    /** Seed of the trial. Defaults to 0. */
    seed?: number
    /** Name of a task. Defaults to the creature's own task. */
    task?: string
    type: 'creature'
  }
  | {
    /** Id of the individual. Defaults to the champion. */
    id?: number
    /** Name of the run. */
    run: string
    type: 'individual'
  }
  | {
    /** File name. */
    name: string
    type: 'recording'
  }
  | {
    /** Broad phase: `hash` (the default), `sweep`, `exhaustive` or `off`. */
    broad_phase?: string
    /** Whether the hash table is updated incrementally (the default) instead of rebuilt at each step. */
    coherence?: boolean
    /** Number of bodies. Defaults to 50. */
    objects?: number
    /** Length of a step in hundredths of a time unit. Defaults to 1. */
    step_size?: number
    type: 'bounce'
    /** Number of vertices of each hull. By default the bodies are primitives. */
    vertices?: number
    /** Side length of the world. By default the bodies have ample space. */
    world?: number
  }
  | {
    /** The content of the take. */
    take: Take
    type: 'take'
  }
  | {
    /** Name of the text, such as that of its file. */
    name: string
    /** The text, in TOML. Defaults to that of the scene file with this name in the run directory. Lists of sessions leave it out. */
    text?: string
    type: 'text'
  }
  | {
    /** Name for display. */
    name: string
    /** The file as it was named, so that `burgess watch` can replay a take of it. */
    path?: string
    /** Seed that was chosen for a creature. */
    seed?: number
    /** Task that was chosen for a creature. */
    task?: string
    type: 'file'
  }

/** A space: its domain, its pairings and copies of the domain. Points are `(x, y, z, w)` with `w = 1` in flat space, `x^2 + y^2 + z^2 + w^2 = 1` in spherical and `w^2 - x^2 - y^2 - z^2 = 1` in hyperbolic space. */
export interface SpaceDetail {
  /** Matrices of the copies of the domain, 16 numbers each by columns, layer by layer. */
  copies: number[]
  /** Number of covers with the chosen number of sheets. */
  covers: number
  /** Description in one sentence. */
  description: string
  /** Edges of the domain. */
  edges: SpaceEdge[]
  /** Faces of the domain. */
  faces: SpaceFace[]
  /** Geometry. */
  geometry: SpaceGeometry
  /** Name or structure of the group. */
  group: string
  /** Order of the group, if it is finite. */
  group_order: number | null
  /** Distance from the base point to the nearest face; pi without faces. */
  in_radius: number
  /** Whether the space has no axes about which it is turned into itself. */
  is_manifold: boolean
  /** Layer of each copy: the number of faces between it and the domain. */
  layers: number[]
  /** Name of the space, or of a generator file in the run directory. */
  name: string
  /** Distance from the base point to the farthest corner. */
  out_radius: number
  /** Parameters by which the space can be deformed. */
  parameters: SpaceParameter[]
  /** Sheet of each copy in the chosen cover. */
  sheets: number[]
  /** Vertices of the domain. */
  vertices: [number, number, number, number][]
  /** Volume of the domain. */
  volume: number
}

/** An edge of a domain. */
export interface SpaceEdge {
  /** Cycle of edges that the group identifies. */
  cycle: number
  /** Both vertices. */
  ends: [number, number]
  /** Both faces. */
  faces: [number, number]
  /** Order of the axis along the edge: 1 in a manifold. */
  order: number
}

/** A space that can be shown. */
export interface SpaceEntry {
  /** Description in one sentence. */
  description: string
  /** Geometry. */
  geometry: SpaceGeometry
  /** Name of the space, or of a generator file in the run directory. */
  name: string
}

/** A face of a domain. */
export interface SpaceFace {
  /** Point inside the face. */
  centre: [number, number, number, number]
  /** Vertices, anticlockwise seen from outside. */
  corners: number[]
  /** Matrix that maps the domain to its copy beyond the face, by columns. */
  pairing: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number, number]
  /** Face that `pairing` maps to this one. */
  partner: number
  /** Covector that is negative in the domain and zero on the face. */
  plane: [number, number, number, number]
}

/** Geometry of a space. */
export type SpaceGeometry = 'spherical' | 'flat' | 'hyperbolic'

/** A parameter of a space. */
export interface SpaceParameter {
  /** Largest value. */
  max: number
  /** Smallest value. */
  min: number
  /** Name of the parameter. */
  name: string
  /** Current value. */
  value: number
  /** Whether only whole numbers are allowed. */
  whole: boolean
}

/** A periodic curve: offset plus the sum of `amplitude sin(2 pi n t / period + phase)` for n = 1, 2, ... */
export interface Spectrum {
  /** Amplitudes of the sines, in rad. */
  amplitudes: number[]
  /** Name of the joint axis. */
  name: string
  /** Mean angle, in rad. */
  offset: number
  /** Period, in s. */
  period: number
  /** Phases of the sines, in rad. */
  phases: number[]
}

/** Spread of an individual's fitness over several draws of the conditions. */
export interface Spread {
  /** Number of evaluations: 1 and the number of retests. */
  draws: number
  /** Highest fitness. */
  highest: number
  /** Lowest fitness. */
  lowest: number
  /** Median fitness. */
  median: number
  /** Quantile by which individuals rank, from 0 to 1. */
  quantile: number
  /** Fitness at this quantile. */
  rank: number
}

/** Pose of the room in the world. */
export interface Start {
  /** Turn of the room about the vertical, in degrees. At 0 the viewer looks along the world's y axis. */
  heading: number
  /** Place of the room's origin in the world. */
  position: [number, number, number]
}

/** A state of a transition network. */
export interface StateEntry {
  /** What happens when it is entered. */
  actions: string[]
  /** Name of the state. */
  name: string
  /** Ways to other states, the first that is open is taken. */
  transitions: TransitionEntry[]
}

/** The state of a session. */
export interface Status {
  /** Reason why the session cannot advance beyond this step. */
  ended: string | null
  /** Number of the current appearance. */
  epoch: number
  /** Result of comparing state hashes. */
  exact: Exactness
  /** The latest step that was reached. */
  latest: number
  /** Overlays that frames contain now. */
  overlays: OverlayName[]
  /** Name of the paradigm, if the subject is simulated. */
  paradigm: string | null
  /** Whether the session is playing. */
  playing: boolean
  /** Speed, as a multiple of real time. */
  speed: number
  /** The step that is shown. */
  step: number
  /** Length of a step, in s. */
  step_length: number
  /** Number of viewers. */
  viewers: number
}

/** How a wall shows the pictures of both eyes. */
export type Stereo = 'none' | 'side-by-side' | 'top-bottom' | 'anaglyph' | 'left' | 'right'

/** A recorded session. */
export interface Take {
  /** All edits, in order. */
  events: RecordedEdit[]
  /** Step and state hash (16 hexadecimal digits) of every tenth frame. */
  hashes: [number, string][]
  /** Name of the keyframe that the session started from. */
  keyframe?: string
  /** The latest step that was reached. */
  latest: number
  /** Name of the paradigm, if it is not that of the source. */
  paradigm?: string
  /** The subject of the session. */
  source: Source
  /** Length of a step, in s, if it is not that of the source. */
  step?: number
  /** Version of the format. */
  version: number
}

/** What the check of a text found. */
export interface TextCheck {
  /** What is wrong with the text; null if it was accepted. */
  fault: TextFault | null
}

/** What is wrong with the text of a scene. */
export interface TextFault {
  /** The field, such as `bodies[3].shapes[0].radius`; empty for the text as a whole. */
  field: string
  /** Name of the included file that has the fault; null if it is in the text itself. */
  file: string | null
  /** Line of the fault, from 1, if it has one. */
  line: number | null
  /** What was found and what was expected. */
  message: string
}

/** A tournament of the champions of a contest, all against all. */
export interface Tournament {
  /** Share of these in which A beats B, B beats C and C beats A; null without triples. */
  intransitive_share: number | null
  /** Ids of the players with the highest rating of each side. */
  leaders: number[]
  /** Share of the points that the player of the row won against that of the column; null without a match. */
  matrix: ((number | null)[])[]
  /** Champions by side and generation. */
  players: TournamentPlayer[]
  /** Number of trials. */
  trials: number
  /** Number of triples of players of whom every pair has a winner. */
  triples: number
}

/** A champion in a tournament. */
export interface TournamentPlayer {
  /** Elo rating; the mean of all players is 0. */
  elo: number
  /** Standard error of the rating. */
  elo_error: number
  /** Generation whose champion it is. */
  generation: number
  /** Id of the individual. */
  id: number
  /** Side for which it evolved: 0 or 1. */
  side: number
}

/** A tracked hand or wand. */
export interface TrackedHand {
  /** Whether the hand holds on. */
  grab: boolean
  /** Whether the hand opens or closes the menu; counts once until it is false again. */
  menu: boolean
  /** Orientation as a quaternion x, y, z, w. At 0, 0, 0, 1 the hand points along the y axis, and z is up. */
  orientation: [number, number, number, number]
  /** Place, in m. */
  position: [number, number, number]
  /** Whether the hand shoots a ball; counts once until it is false again. */
  shoot: boolean
}

/** A tracked pose. */
export interface TrackedPose {
  /** Orientation as a quaternion x, y, z, w. At 0, 0, 0, 1 the head looks along the y axis, and z is up. */
  orientation: [number, number, number, number]
  /** Place, in m. */
  position: [number, number, number]
}

/** A report of a tracker, in the tracker's axes. Fields that are missing stay as they are. */
export interface Tracking {
  /** The hands. */
  hands?: TrackedHand[]
  /** The head. */
  head?: TrackedPose
}

/** A way from a state to another. */
export interface TransitionEntry {
  /** The formula that opens it. */
  guard: string
  /** Index of the state that it leads to. */
  to: number
}

/** Versions of the lists. A list has changed if its version is another one. */
export interface Versions {
  /** Version of the list of recordings. */
  recordings: string
  /** Version of the list of runs. */
  runs: string
  /** Version of the list of sessions. */
  sessions: string
  /** Identifies the start of the server. */
  start: string
}

/** A message of a wall. Every other message is a command to the session. */
export type WallCommand =
  | {
    do: 'ready'
    /** Number of the frame. */
    frame: number
  }
  | {
    do: 'shown'
    /** Number of the frame. */
    frame: number
    /** Time of the animation frame by the wall's clock, in ms. */
    time: number
  }
  | {
    do: 'ping'
    /** Any number, which the answer repeats. */
    sent: number
  }
  | {
    do: 'move'
    /** To the left. */
    turn: number
    /** To the right, forward and up. */
    velocity: [number, number, number]
  }
  | {
    /** From lower left counter-clockwise, as fractions of the window's width and height. */
    corners: [[number, number], [number, number], [number, number], [number, number]]
    do: 'corners'
  }
  | {
    do: 'menu'
    /** Whether it is shown. */
    open: boolean
  }
  | {
    do: 'point'
    /** Place on the panel in units of its layout; null if the mouse is not on its plane. */
    place?: [number, number] | null
    /** Whether the mouse's button is down. */
    pressed: boolean
  }

/** A message to a wall. */
export type WallMessage =
  | Welcome & {
    say: 'welcome'
  }
  | {
    /** Number of the frame. */
    frame: number
    /** Whether the wall is locked. */
    locked: boolean
    say: 'commit'
    /** The server's clock, in s. */
    time: number
  }
  | {
    /** Whether the wall is locked. */
    locked: boolean
    say: 'lock'
  }
  | {
    say: 'pong'
    /** The number of the ping. */
    sent: number
    /** The server's clock, in s. */
    server: number
  }
  | {
    /** Whether it does. */
    on: boolean
    say: 'setup'
  }
  | {
    say: 'refused'
    /** A sentence with the reason. */
    why: string
  }
  | {
    say: 'restart'
    /** A sentence with the reason. */
    why: string
  }

/** A wall: a rectangle in the room, and how its window shows it. */
export interface WallSpec {
  /** Where the corners of the picture are in the window, from lower left counter-clockwise, as fractions of its width and height. Corrects the keystone of a projector. */
  corners: [[number, number], [number, number], [number, number], [number, number]]
  /** Lower left corner, seen from the viewer. */
  lower_left: [number, number, number]
  /** Lower right corner. */
  lower_right: [number, number, number]
  /** Polygon outside which the window is black, as fractions of its width and height from the lower left; the whole window if it is empty. */
  mask?: [number, number][]
  /** Name of the wall, as in its address. */
  name: string
  /** How the wall shows the pictures of both eyes. */
  stereo: Stereo
  /** Upper left corner. */
  upper_left: [number, number, number]
}

/** State of a wall. */
export interface WallStatus {
  /** Time from sending the last frame to the answer, in ms. */
  drawing: number
  /** Whether it is locked. A wall with a window that is not locked is late, or has just been opened. */
  locked: boolean
  /** Name of the wall. */
  name: string
  /** Number of the wall, from 1. */
  number: number
  /** Number of the frame that it shows. */
  shown: number
  /** Largest such time lately, in ms. */
  slowest: number
  /** How often it has left the lock. */
  times_late: number
  /** Address of the machine whose window shows it; null without a window. */
  window: string | null
}

/** The first message to a wall. */
export interface Welcome {
  /** The cave. */
  cave: Cave
  /** Name of the flow whose vortex tubes the walls show; null if there is none. */
  flow: string | null
  /** Where the items of the menu are on its panel. */
  menu: MenuLayout
  /** Number of the wall in the cave, from 1. */
  number: number
  /** Names and versions of the objects in wall frames. */
  objects: ObjectVersion[]
  /** The session that the walls show; null if there is none. */
  session: string | null
  /** Whether the wall shows its name, its number, and handles at its corners. */
  setup: boolean
  /** Version of the messages. */
  version: number
  /** The wall. */
  wall: WallSpec
}

/** A quantity of the whole world. */
export type WorldQuantity =
  | 'kinetic_energy'
  | 'potential_energy'
  | 'total_energy'
  | 'centre_x'
  | 'centre_y'
  | 'centre_z'
  | 'contacts'
  | 'contact_force'
  | 'penetration'

/** First four bytes of a frame: the letters BRGF. */
export const FRAME_MAGIC = 0x46475242

/** Version of the layout of frames. */
export const FRAME_VERSION = 1

/** Number of bytes before the poses. */
export const FRAME_HEADER_BYTES = 64

/** Number of floats of a pose: position, then quaternion. */
export const FLOATS_PER_BODY = 7

/** Flag: the session is playing. */
export const FLAG_PLAYING = 1

/** Flag: the frame contains the state hash. */
export const FLAG_HASHED = 2

/** Flag: the step is before the latest step. */
export const FLAG_AGAIN = 4

/** Flag: the simulation failed, or the recording is at its end. */
export const FLAG_ENDED = 8

/** Kind of a section of a frame. */
export enum Section {
  /** Contact: bodies a and b (-1: fixed in the world), point, normal from a to b, force on b in N, gap in m. */
  Contacts = 1,
  /** Closest points of bodies a and b, and the feature of each (0 vertex, 1 edge, 2 face, 3 smooth). */
  Closest = 2,
  /** Bounding box of a collider in the broad phase: body, lowest corner, highest corner. */
  Boxes = 3,
  /** Occupied tile of the spatial hash: lowest corner, edge length, number of boxes in it. */
  Tiles = 4,
  /** Body and the number of its contact group. */
  Groups = 5,
  /** Centre of mass of all moving bodies, and their mass in kg. */
  Centre = 6,
  /** Joint axis: body, kind (1 revolute, 2 prismatic), anchor, axis. */
  Joints = 7,
  /** Output of a node of the brain, in the order of the brain's nodes. */
  Activations = 8,
  /** Value of a counter, in the order of the session's `counters`. */
  Counters = 9,
  /** Control of an actuator, its force before the gear, and 1 if a viewer overrides the control (otherwise 0). */
  Controls = 10,
  /** Person who walks: body, then the left and the right foot: x, y, height of the sole, heading in rad. */
  Figures = 11,
  /** Value of a crowd, in the order that `CrowdEntry` describes. */
  Crowd = 12,
}

/** Number of floats of an item of each section. */
export const SECTION_FLOATS: Record<Section, number> = {
  [Section.Contacts]: 12,
  [Section.Closest]: 10,
  [Section.Boxes]: 7,
  [Section.Tiles]: 5,
  [Section.Groups]: 2,
  [Section.Centre]: 4,
  [Section.Joints]: 8,
  [Section.Activations]: 1,
  [Section.Counters]: 1,
  [Section.Controls]: 3,
  [Section.Figures]: 9,
  [Section.Crowd]: 1,
}

/** Offsets of the fields of an item of each section, in floats. */
export const SECTION_FIELDS = {
  contacts: { a: 0, b: 1, point: 2, normal: 5, force: 8, gap: 11 },
  closest: { a: 0, b: 1, point_a: 2, point_b: 5, feature_a: 8, feature_b: 9 },
  boxes: { body: 0, min: 1, max: 4 },
  tiles: { corner: 0, edge: 3, boxes: 4 },
  groups: { body: 0, group: 1 },
  centre: { point: 0, mass: 3 },
  joints: { body: 0, kind: 1, anchor: 2, axis: 5 },
  activations: { output: 0 },
  counters: { value: 0 },
  controls: { control: 0, force: 1, overridden: 2 },
  figures: { body: 0, left: 1, right: 5 },
  crowd: { value: 0 },
} as const

/** A measure or descriptor of individuals. */
export interface Quantity {
  unit: string
  description: string
}

/** All measures, by name. The unit of a plain number is empty. */
export const MEASURES: Record<string, Quantity> = {
  forward: { unit: 'm', description: 'Displacement of the centre of mass along x.' },
  sideways: { unit: 'm', description: 'Magnitude of the displacement of the centre of mass along y.' },
  distance: { unit: 'm', description: 'Horizontal distance of the centre of mass from its start.' },
  spatial_distance: { unit: 'm', description: 'Distance of the centre of mass from its start in space.' },
  path: { unit: 'm', description: 'Horizontal length of the path of the centre of mass.' },
  spatial_path: { unit: 'm', description: 'Length of the path of the centre of mass in space.' },
  trunk_forward: { unit: 'm', description: 'Displacement of the trunk along x.' },
  trunk_sideways: { unit: 'm', description: 'Magnitude of the displacement of the trunk along y.' },
  trunk_distance: { unit: 'm', description: 'Horizontal distance of the trunk from its start.' },
  trunk_path: { unit: 'm', description: 'Horizontal length of the path of the trunk.' },
  steady_forward: { unit: 'm', description: 'Displacement of the centre of mass along x after the transient.' },
  steady_distance: { unit: 'm', description: 'Horizontal distance of the centre of mass after the transient.' },
  steady_spatial_distance: { unit: 'm', description: 'Distance of the centre of mass in space after the transient.' },
  steady_trunk_distance: { unit: 'm', description: 'Horizontal distance of the trunk after the transient.' },
  late_speed: { unit: 'm/s', description: 'Horizontal distance of the centre of mass in the last quarter of the trial, divided by its duration.' },
  late_spatial_speed: { unit: 'm/s', description: 'Distance of the centre of mass in space in the last quarter of the trial, divided by its duration.' },
  straightness: { unit: '', description: 'Distance divided by the length of the path, 0 to 1: horizontal on ground, otherwise in space.' },
  max_lowest: { unit: 'm', description: 'Maximum height of the lowest point of the creature.' },
  mean_lowest: { unit: 'm', description: 'Mean height of the lowest point of the creature.' },
  max_highest: { unit: 'm', description: 'Maximum height of the highest point of the creature.' },
  mean_trunk_height: { unit: 'm', description: 'Mean height of the trunk.' },
  max_height: { unit: 'm', description: 'Maximum height of the centre of mass.' },
  mean_height: { unit: 'm', description: 'Mean height of the centre of mass.' },
  rise: { unit: 'm', description: 'Height of the centre of mass at the end minus that at the start.' },
  lowest_rise: { unit: 'm', description: 'Height of the lowest point at the end minus that at the start. Standing up does not change it.' },
  ball_x: { unit: 'm', description: 'Displacement of the ball along x.' },
  ball_y: { unit: 'm', description: 'Displacement of the ball along y.' },
  ball_z: { unit: 'm', description: 'Displacement of the ball along z.' },
  ball_distance: { unit: 'm', description: 'Distance of the ball from its start.' },
  ball_gap: { unit: 'm', description: 'Smallest gap between the creature and the ball.' },
  targets: { unit: '', description: 'Number of positions of the target that were reached.' },
  target_progress: { unit: '', description: 'Largest progress from the last position reached to the next, 0 to 1.' },
  energy: { unit: 'J', description: 'Sum of |effort x rate| of the muscles over axes and time. The effort includes the loss with speed.' },
  work: { unit: 'J', description: 'Net work of the muscles: the sum of effort x rate over axes and time.' },
  roughness: { unit: 'rad/s^2', description: 'Root mean square of the joints\' angular accelerations.' },
  smoothness: { unit: '', description: '1 / (1 + roughness / 100), from 0 to 1.' },
  parts: { unit: '', description: 'Number of parts.' },
  axes: { unit: '', description: 'Number of axes of all joints.' },
  mass: { unit: 'kg', description: 'Mass of the creature.' },
  length: { unit: 'm', description: 'Body length: longest side of the bounding box in the rest pose.' },
  max_extent: { unit: 'm', description: 'Maximum of the longest side of the bounding box along the world\'s axes.' },
  first_contact: { unit: 's', description: 'Time of the first contact with another body after the muscles start; the trial\'s duration if there is none.' },
  contact_share: { unit: '', description: 'Fraction of the time in contact with another body.' },
  self_penetration: { unit: 'm', description: 'Maximum depth of the creature\'s parts in each other.' },
  cube_gap: { unit: 'm', description: 'Gap between the creature and the cube at the end.' },
  least_cube_gap: { unit: 'm', description: 'Smallest gap between the creature and the cube.' },
  opponent_cube_gap: { unit: 'm', description: 'Gap between the opponent and the cube at the end.' },
  opponent_gap: { unit: 'm', description: 'Smallest gap between the creature and its opponent.' },
  time: { unit: 's', description: 'Duration of the trial without settling, shorter than `duration` if it was stopped early.' },
  duration: { unit: 's', description: 'Duration of a trial that is not stopped early, without settling.' },
  side: { unit: '', description: '0 for the creature that starts at negative x, 1 for its opponent.' },
  mean_cube_gap: { unit: 'm', description: 'Mean gap between the creature and the cube.' },
  mean_opponent_gap: { unit: 'm', description: 'Mean gap between the creature and its opponent.' },
  catch_time: { unit: 's', description: 'Time of the first touch of the two creatures; the trial\'s duration if there is none.' },
  ring_time: { unit: 's', description: 'Time until the centre of mass leaves the ring; the trial\'s duration if it stays.' },
  ring_distance: { unit: 'm', description: 'Horizontal distance of the centre of mass from the middle of the ring at the end.' },
  ball_advance: { unit: 'm', description: 'Displacement of the ball along x away from the creature\'s own side.' },
  leave_time: { unit: 's', description: 'Time until everybody is at their goal; the trial\'s duration if that does not happen.' },
  arrived_share: { unit: '', description: 'Share of the people who have reached a goal, 0 to 1.' },
  crowd_speed: { unit: 'm/s', description: 'Mean speed after the transient of the people who are not at their goal.' },
  crowd_density: { unit: '1/m^2', description: 'Mean number of people per area of the region, after the transient.' },
  max_crowd_density: { unit: '1/m^2', description: 'Maximum number of people per area of the region, after the transient.' },
  crowd_flow: { unit: '1/s', description: 'People who cross the line, in either direction, per second after the transient.' },
  foot_clearance: { unit: 'm', description: 'Median height to which feet are lifted between two touches of the ground.' },
}

/** All descriptors, by name. */
export const DESCRIPTORS: Record<string, { unit: string }> = {
  parts: { unit: '' },
  height: { unit: 'm' },
  mass: { unit: 'kg' },
  active_joints: { unit: '' },
  gait_frequency: { unit: 'Hz' },
  duty_factor: { unit: '' },
  straightness: { unit: '' },
}
