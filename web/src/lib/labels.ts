// Text for the user interface: names and units of measures and descriptors, numbers, times, operators and states.

import { DESCRIPTORS, MEASURES, type Spread } from './protocol.generated'

/** Returns a name as words: 'gait_frequency' becomes 'gait frequency'. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the unit of a measure or descriptor; empty for plain numbers. */
export function unit(name: string): string {
  return (MEASURES[name] ?? DESCRIPTORS[name])?.unit.replace('^2', '²') ?? ''
}

/** Formats a number with three or four significant digits. */
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

/** Formats a number with the unit of its measure or descriptor. */
export function quantity(name: string, value: number | null | undefined): string {
  const of = unit(name)
  return of && value !== null && value !== undefined ? `${number(value)} ${of}` : number(value)
}

/** Formats a time span. */
export function span(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return '–'
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`
}

/**
 * Describes the spread of a fitness over several evaluations:
 * '10 % quantile of 9 evaluations: 17.2, median 19.4, from 17.0 to 21.3'.
 */
export function spreadText(spread: Spread | null | undefined): string {
  if (!spread || spread.draws < 1) return ''
  if (spread.draws === 1) return 'one evaluation'
  const { draws, quantile, rank, lowest, median, highest } = spread
  const share = `${number(100 * quantile)} % quantile of ${draws} evaluations`
  return `${share}: ${number(rank)}, median ${number(median)}, from ${number(lowest)} to ${number(highest)}`
}

/** Labels of the operators that create individuals. */
export const OPERATORS: Record<string, string> = {
  random: 'random',
  immigrant: 'immigrant',
  copy: 'copy, evaluated again',
  retest: 'retest under new conditions',
  mutation: 'mutation',
  crossover: 'crossover',
  grafting: 'grafting',
  exchange: 'exchange',
  intermediate: 'mean of two',
  by_hand: 'manual birth',
  favoured: 'bred from favourites',
}

export function operatorName(operator: string): string {
  return OPERATORS[operator] ?? words(operator)
}

export const STATES: Record<string, string> = {
  evolving: 'Evolving',
  paused: 'Paused',
  stopped: 'Stopped',
  done: 'Done',
  unreadable: 'Not readable',
}

/** Returns the name of an algorithm as people write it. */
export function algorithmLabel(name: string): string {
  return capital((ALGORITHMS[name] ?? words(name)).split(':')[0]!)
}

export const ALGORITHMS: Record<string, string> = {
  map_elites: 'MAP-Elites: the best of each kind',
  age_fitness: 'age-fitness: competition within age groups',
  genetic: 'genetic algorithm',
  strategy: 'evolution strategy',
  diffusion: 'diffusion: neighbours on a torus',
  cma_es: 'CMA-ES: the numbers of one body',
  cma_me: 'CMA-ME: MAP-Elites filled by CMA-ES',
}
