// Colour scales that are safe for colour blindness: viridis for magnitudes, blue to orange for signed values.

type Rgb = [number, number, number]

const VIRIDIS: Rgb[] = [
  [68, 1, 84],
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
]
const SIGNED: Rgb[] = [
  [45, 120, 210],
  [120, 165, 220],
  [150, 150, 150],
  [235, 165, 90],
  [228, 105, 20],
]

function mix(stops: Rgb[], share: number): Rgb {
  const at = Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * (stops.length - 1)
  const low = Math.min(Math.floor(at), stops.length - 2)
  const part = at - low
  const [a, b] = [stops[low]!, stops[low + 1]!]
  return [0, 1, 2].map((k) => Math.round(a[k]! + (b[k]! - a[k]!) * part)) as Rgb
}

/** Returns red, green and blue, from 0 to 255, of the colour from dark violet at 0 to yellow at 1. */
export function rgb(share: number): Rgb {
  return mix(VIRIDIS, share)
}

/** Returns a colour from dark violet at 0 to yellow at 1. */
export function viridis(share: number): string {
  return `rgb(${mix(VIRIDIS, share).join(' ')})`
}

/** Returns black or white, whichever is more readable on `viridis(share)`. */
export function inkOn(share: number): string {
  const [red, green, blue] = mix(VIRIDIS, share).map((value) => (value / 255) ** 2.2) as Rgb
  // At this luminance both have the same contrast, which is above 4.5.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000' : '#fff'
}

/** Returns a colour from blue at -1 over grey at 0 to orange at 1. */
export function signed(value: number): string {
  return `rgb(${mix(SIGNED, (value + 1) / 2).join(' ')})`
}

/** Returns the position of a value in a range, from 0 to 1; 0.5 if the range is empty. */
export function share(value: number, low: number, high: number): number {
  return high > low ? (value - low) / (high - low) : 0.5
}
