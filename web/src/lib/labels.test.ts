import { describe, expect, it } from 'vitest'
import { number, quantity, span, spreadText } from './labels'

describe('formatted numbers', () => {
  it('have the significant digits', () => {
    expect(number(12.3456)).toBe('12.3')
    expect(number(1.23456)).toBe('1.23')
    expect(number(0.0123456)).toBe('0.0123')
    expect(number(12345.6)).toBe('12,346')
    expect(number(17)).toBe('17')
    expect(number(0)).toBe('0')
    expect(number(1.5e-7)).toBe('1.50e-7')
    expect(number(null)).toBe('–')
    expect(number(Number.NaN)).toBe('–')
  })

  it('have units', () => {
    expect(quantity('gait_frequency', 1.5)).toBe('1.50 Hz')
    expect(quantity('parts', 9)).toBe('9')
  })

  it('format times', () => {
    expect(span(12.4)).toBe('12 s')
    expect(span(600)).toBe('10 min')
    expect(span(3600 * 3 + 120)).toBe('3 h 2 min')
    expect(span(null)).toBe('–')
  })

  it('show the spread of a fitness', () => {
    const spread = { draws: 9, quantile: 0.1, rank: 17.2, lowest: 17.2, median: 19.4, highest: 21 }
    expect(spreadText(spread)).toBe('10 % quantile of 9 evaluations: 17.2, median 19.4, from 17.2 to 21')
    expect(spreadText({ ...spread, draws: 1 })).toBe('one evaluation')
    expect(spreadText(null)).toBe('')
  })
})
