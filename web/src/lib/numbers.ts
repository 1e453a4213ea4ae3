// Numbers as people read them.

/** A few digits that matter, without exponents where they can be avoided: 12.3, 0.045, 1.2e7. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace('e+', 'e')
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)))
  return value.toFixed(Math.min(places, 6))
}

/** Fixed places with a sign that keeps its width: for columns of numbers that change. */
export function aligned(value: number, places = 3): string {
  const text = value.toFixed(places)
  return value < 0 || Object.is(value, -0) ? text.replace('-', '−') : ` ${text}`
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  if (count < 1e6) return `${(count / 1e3).toFixed(0)} kB`
  return `${(count / 1e6).toFixed(1)} MB`
}

/** A speed as a fraction: 1/4, 1, 2. */
export function speedText(speed: number): string {
  return speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`
}
