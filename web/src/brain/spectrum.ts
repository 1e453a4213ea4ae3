// A spectrum: a sum of sines that moves one axis of a body.

import type { Brain } from '../lib/protocol'

/** A spectrum; `period` is that of the lowest sine, in s. */
export type Spectrum = Brain['spectra'][number]

/** Returns the value at a time: offset + sum of a_k sin(2 pi k t / period + phase_k), k from 1. */
export function spectrumAt(spectrum: Spectrum, time: number): number {
  let sum = spectrum.offset
  spectrum.amplitudes.forEach((amplitude, k) => {
    sum += amplitude * Math.sin((2 * Math.PI * (k + 1) * time) / spectrum.period + (spectrum.phases[k] ?? 0))
  })
  return sum
}

/** Returns samples over one period, both ends included. */
export function samples(spectrum: Spectrum, count: number): number[] {
  return Array.from({ length: count }, (_, i) => spectrumAt(spectrum, (spectrum.period * i) / (count - 1)))
}
