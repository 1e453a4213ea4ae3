// Words and numbers for people: names of measures and descriptors, their units, and how numbers and times are written.

const UNITS: Record<string, string> = {
  height: 'm',
  mass: 'kg',
  gait_frequency: 'Hz',
  forward: 'm',
  sideways: 'm',
  distance: 'm',
  spatial_distance: 'm',
  path: 'm',
  spatial_path: 'm',
  trunk_forward: 'm',
  trunk_sideways: 'm',
  trunk_distance: 'm',
  trunk_path: 'm',
  steady_forward: 'm',
  steady_distance: 'm',
  steady_spatial_distance: 'm',
  steady_trunk_distance: 'm',
  late_speed: 'm/s',
  late_spatial_speed: 'm/s',
  max_lowest: 'm',
  mean_lowest: 'm',
  max_highest: 'm',
  mean_trunk_height: 'm',
  max_height: 'm',
  mean_height: 'm',
  rise: 'm',
  lowest_rise: 'm',
  ball_x: 'm',
  ball_y: 'm',
  ball_z: 'm',
  ball_distance: 'm',
  ball_gap: 'm',
  energy: 'J',
  work: 'J',
  roughness: 'rad/s²',
  length: 'm',
  max_extent: 'm',
  first_contact: 's',
  self_penetration: 'm',
  cube_gap: 'm',
  least_cube_gap: 'm',
  opponent_cube_gap: 'm',
  opponent_gap: 'm',
  time: 's',
  duration: 's',
}

/** 'gait_frequency' as 'gait frequency'. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Unit of a measure or descriptor; empty for plain numbers. */
export function unit(name: string): string {
  return UNITS[name] ?? ''
}

/** A number with as many digits as help: three or four that count. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2).replace('e+', 'e')
  if (Number.isInteger(value)) return value.toLocaleString('en-GB')
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)))
  return value.toLocaleString('en-GB', {
    maximumFractionDigits: digits,
    minimumFractionDigits: size < 1000 ? Math.min(digits, 2) : 0,
  })
}

/** A number with the unit of its name. */
export function quantity(name: string, value: number | null | undefined): string {
  const of = unit(name)
  return of && value !== null && value !== undefined ? `${number(value)} ${of}` : number(value)
}

/** A time to go, for people. */
export function span(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return '–'
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`
}

/** How an individual came about, in words. */
export const OPERATORS: Record<string, string> = {
  random: 'from nothing',
  immigrant: 'from elsewhere',
  copy: 'evaluated again',
  mutation: 'mutation',
  crossover: 'crossover',
  grafting: 'grafting',
  exchange: 'exchange',
  intermediate: 'mean of two',
  by_hand: 'by hand',
  favoured: 'of favourites',
}

export function operatorName(operator: string): string {
  return OPERATORS[operator] ?? words(operator)
}

export const STATES: Record<string, string> = {
  evolving: 'Evolving',
  paused: 'Paused',
  stopped: 'Stopped',
  done: 'Done',
}

export const ALGORITHMS: Record<string, string> = {
  map_elites: 'the best of every kind (MAP-Elites)',
  age_fitness: 'young against young (age and fitness)',
  genetic: 'the classic (genetic algorithm)',
  strategy: 'parents and children (evolution strategy)',
  diffusion: 'neighbours on a torus (diffusion)',
}
