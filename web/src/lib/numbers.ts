// Formats of numbers.

/** Formats a number with a few significant digits, and an exponent only if it is very large or small: 12.3, 0.045, 1.2e7. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace('e+', 'e')
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)))
  return value.toFixed(Math.min(places, 6))
}

/** Formats a number with fixed decimals and a sign of constant width, for columns. */
export function aligned(value: number, places = 3): string {
  const text = value.toFixed(places)
  return value < 0 || Object.is(value, -0) ? text.replace('-', '−') : ` ${text}`
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  if (count < 1e6) return `${(count / 1e3).toFixed(0)} kB`
  return `${(count / 1e6).toFixed(1)} MB`
}

/** Formats a speed: 1/4×, 1×, 2×. */
export function speedText(speed: number): string {
  return speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`
}

/** Formats a duration in the unit that fits: 40 s, 3 min, 2 h, 5 days. */
export function age(seconds: number): string {
  if (!(seconds > 0)) return '0 s'
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} days`
}
