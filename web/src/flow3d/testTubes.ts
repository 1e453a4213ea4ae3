// Random steps of tubes for tests, as the server sends them.
import { POINT } from './tubes'

/** Returns numbers from 0 to 1 that depend on the seed only. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The bytes of a step with rings and open tubes of random size and place. */
export function randomStep(tubes: number, random: () => number): ArrayBuffer {
  const counts = Array.from({ length: tubes }, () => 3 + Math.floor(random() * 30))
  const points = counts.reduce((a, b) => a + b, 0)
  const bytes = new ArrayBuffer(4 + 24 * tubes + 4 * POINT * points)
  const view = new DataView(bytes)
  view.setUint32(0, tubes, true)
  let at = 4 + 24 * tubes
  counts.forEach((count, tube) => {
    const closed = random() < 0.5
    ;[tube, count, closed ? 1 : 0].forEach((value, k) => view.setUint32(4 + 24 * tube + 4 * k, value, true))
    const [x, y, z, size] = [10 * random(), 10 * random(), 10 * random(), 0.3 + random()]
    for (let point = 0; point < count; point++) {
      const angle = ((closed ? 2 : 1) * Math.PI * point) / count
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      const values = [x + size * cos, y + size * sin, z, 0, 0, 1, 0.05 + 0.05 * random()]
      while (values.length < POINT) values.push(0.005 * random())
      for (const value of values) {
        view.setFloat32(at, value, true)
        at += 4
      }
    }
  })
  return bytes
}
