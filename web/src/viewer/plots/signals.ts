// Names and units of the signals that can be plotted.
import type {
  ActuatorQuantity,
  Body,
  BodyQuantity,
  Brain,
  Contents,
  JointQuantity,
  Signal,
  WorldQuantity,
} from '../../lib/protocol'

/** Names of the things that signals belong to. */
export interface Names {
  bodies: readonly Pick<Body, 'name'>[]
  contents: Contents | null
  brain: Brain | null
}

type Named = readonly [label: string, unit: string]

export const WORLD_QUANTITIES: Record<WorldQuantity, Named> = {
  kinetic_energy: ['kinetic energy', 'J'],
  potential_energy: ['potential energy', 'J'],
  total_energy: ['total energy', 'J'],
  centre_x: ['centre of mass, x', 'm'],
  centre_y: ['centre of mass, y', 'm'],
  centre_z: ['centre of mass, height', 'm'],
  contacts: ['number of contacts', ''],
  contact_force: ['contact forces, sum', 'N'],
  penetration: ['deepest penetration', 'm'],
}

export const BODY_QUANTITIES: Record<BodyQuantity, Named> = {
  position_z: ['height', 'm'],
  speed: ['speed', 'm/s'],
  contact_force: ['contact force', 'N'],
  tilt: ['tilt', 'rad'],
  position_x: ['position x', 'm'],
  position_y: ['position y', 'm'],
  velocity_x: ['velocity x', 'm/s'],
  velocity_y: ['velocity y', 'm/s'],
  velocity_z: ['velocity z', 'm/s'],
  angular_speed: ['angular speed', 'rad/s'],
  angular_velocity_x: ['angular velocity x', 'rad/s'],
  angular_velocity_y: ['angular velocity y', 'rad/s'],
  angular_velocity_z: ['angular velocity z', 'rad/s'],
  contact_force_x: ['contact force x', 'N'],
  contact_force_y: ['contact force y', 'N'],
  contact_force_z: ['contact force z', 'N'],
}

export const JOINT_QUANTITIES: Record<JointQuantity, string> = {
  position: 'position',
  velocity: 'velocity',
  effort: 'effort',
}

export const ACTUATOR_QUANTITIES: Record<ActuatorQuantity, string> = { control: 'control', force: 'force' }

/** Text that is equal for equal signals. */
export function keyOf(signal: Signal): string {
  const fields = Object.entries(signal).sort(([a], [b]) => (a < b ? -1 : 1))
  return fields.map(([name, value]) => `${name}=${value}`).join(' ')
}

function jointUnit(quantity: JointQuantity, unit: string): string {
  if (quantity === 'position') return unit
  if (quantity === 'velocity') return `${unit}/s`
  return unit === 'm' ? 'N' : 'N m'
}

/** Returns the name and the unit of a signal. */
export function describe(signal: Signal, names: Names): { label: string; unit: string } {
  const { bodies, contents, brain } = names
  const body = (index: number) => bodies[index]?.name ?? `body ${index}`
  switch (signal.of) {
    case 'world': {
      const [label, unit] = WORLD_QUANTITIES[signal.quantity]
      return { label, unit }
    }
    case 'body': {
      const [label, unit] = BODY_QUANTITIES[signal.quantity]
      return { label: `${body(signal.body)}: ${label}`, unit }
    }
    case 'joint': {
      const units = contents?.joints.find((joint) => joint.body === signal.body)?.units ?? []
      const axis = units.length > 1 ? ` ${signal.axis + 1}` : ''
      const label = `${body(signal.body)}: joint ${JOINT_QUANTITIES[signal.quantity]}${axis}`
      return { label, unit: jointUnit(signal.quantity, units[signal.axis] ?? 'rad') }
    }
    case 'actuator': {
      const actuator = contents?.actuators[signal.actuator]
      const label = `${actuator?.name ?? `actuator ${signal.actuator}`}: ${ACTUATOR_QUANTITIES[signal.quantity]}`
      return { label, unit: signal.quantity === 'control' ? (actuator?.unit ?? '') : '' }
    }
    case 'sensor': {
      const sensor = contents?.sensors[signal.sensor]
      const value = (sensor?.values ?? 1) > 1 ? ` ${signal.component + 1}` : ''
      return { label: `${sensor?.name ?? `sensor ${signal.sensor}`}${value}`, unit: sensor?.unit ?? '' }
    }
    case 'neuron':
      return { label: brain?.neurons[signal.neuron]?.name ?? `node ${signal.neuron}`, unit: '' }
  }
}
