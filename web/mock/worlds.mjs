// Worlds of the pretended server: where everything is, as plain functions of time. They move like nothing in nature, but in every shape.

const quaternion = (axis, angle) => {
  const n = Math.hypot(...axis) || 1
  const s = Math.sin(angle / 2) / n
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)]
}

const hue = (h, s = 0.55, l = 0.56) => {
  const f = (n) => {
    const k = (n + h * 12) % 12
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return [f(0), f(8), f(4)]
}

const STILL = [0, 0, 0, 0, 0, 0, 1]
const floor = { body: null, kind: 'half-space', size: [], pose: STILL, color: [0.8, 0.75, 0.65] }

function octahedron(r) {
  const corners = [[r, 0, 0], [-r, 0, 0], [0, r, 0], [0, -r, 0], [0, 0, r], [0, 0, -r]]
  const faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
  const positions = []
  const normals = []
  for (const face of faces) {
    const n = face.map((c) => corners[c]).reduce((a, b) => a.map((v, k) => v + b[k]))
    const length = Math.hypot(...n)
    for (const c of face) {
      positions.push(...corners[c])
      normals.push(...n.map((v) => v / length))
    }
  }
  return { positions, normals, triangles: [...Array(24).keys()] }
}

function zoo() {
  const kinds = [
    ['box', [0.4, 0.3, 0.25]],
    ['sphere', [0.35]],
    ['ellipsoid', [0.45, 0.28, 0.2]],
    ['cylinder', [0.25, 0.4]],
    ['capsule', [0.2, 0.35]],
    ['mesh', []],
  ]
  const shapes = kinds.map(([kind, size], body) => ({
    body, kind, size, pose: STILL, color: hue(0.02 + body / 6.5), ...(kind === 'mesh' ? { mesh: 0 } : {}),
  }))
  shapes.push(floor, { body: null, kind: 'box', size: [2.6, 0.06, 0.5], pose: [0, 1.4, 0.5, 0, 0, 0, 1], color: [0.72, 0.66, 0.54] })
  return {
    appearance: look(kinds.map(([kind]) => kind), shapes, [[-2.6, -1, 0], [2.6, 1.5, 1.6]], { meshes: [octahedron(0.45)] }),
    pose: (body, t) => [
      -2.2 + 0.88 * body, 0.25 * Math.sin(t + body), 0.55 + 0.35 * Math.abs(Math.sin(2 * t + 0.7 * body)),
      ...quaternion([1, 0.4 * body, 1], t + body),
    ],
    duration: 10,
  }
}

function stack() {
  const names = [...Array(10).keys()].map((n) => `brick-${n}`)
  const shapes = names.map((_, n) => ({
    body: n, kind: 'box', size: [0.5 - 0.03 * n, 0.4 - 0.02 * n, 0.15], pose: STILL, color: hue(0.04 + 0.05 * n, 0.5, 0.6),
  }))
  return {
    appearance: look(names, [...shapes, floor], [[-1, -1, 0], [1, 1, 3.2]]),
    pose: (body, t) => [
      0.02 * body * Math.sin(1.3 * t), 0, 0.15 + 0.3 * body + 0.6 * Math.exp(-t) * Math.abs(Math.cos(4 * t)) * (body / 10),
      ...quaternion([0, 0, 1], 0.15 * Math.sin(0.8 * t) * body),
    ],
    duration: 10,
  }
}

/** Creatures of ten parts: a trunk of two, and four legs of two. */
function herd(count) {
  const names = []
  const parents = []
  const shapes = []
  const side = Math.ceil(Math.sqrt(count))
  for (let c = 0; c < count; c++) {
    const tint = hue((c * 0.618) % 1, 0.45, 0.58)
    const dark = tint.map((v) => v * 0.75)
    for (let p = 0; p < 10; p++) {
      const body = 10 * c + p
      names.push(p < 2 ? `trunk-${p}` : `leg-${p - 2}`)
      parents.push(p === 0 ? null : p === 1 ? 10 * c : p < 6 ? 10 * c + (p < 4 ? 0 : 1) : body - 4)
      const shape = p < 2 ? ['ellipsoid', [0.34, 0.2, 0.16]] : p < 6 ? ['capsule', [0.06, 0.14]] : ['capsule', [0.045, 0.16]]
      shapes.push({ body, kind: shape[0], size: shape[1], pose: STILL, color: p < 2 ? tint : dark })
    }
  }
  const half = count === 1 ? 0.8 : side
  return {
    appearance: look(names, [...shapes, floor], [[-half, -half, 0], [half, half, 1]], { parents, followed: 0 }),
    pose: (body, t) => {
      const c = Math.floor(body / 10)
      const p = body % 10
      const x = (c % side) * 2 - (side - 1) + 0.6 * t
      const y = Math.floor(c / side) * 2 - (side - 1)
      const phase = 5 * t + c
      const bob = 0.62 + 0.03 * Math.sin(2 * phase)
      if (p < 2) return [x + (p ? -0.3 : 0.3), y, bob, ...quaternion([0, 1, 0], 0.08 * Math.sin(phase + p))]
      const leg = (p - 2) % 4
      const [hx, hy] = [leg < 2 ? 0.42 : -0.42, leg % 2 ? -0.2 : 0.2]
      const swing = 0.45 * Math.sin(phase + (leg === 0 || leg === 3 ? 0 : Math.PI))
      const lower = p >= 6
      const knee = lower ? 0.35 + 0.3 * Math.cos(phase + (leg === 0 || leg === 3 ? 0 : Math.PI)) : 0
      const kx = x + hx - 0.28 * Math.sin(swing)
      const kz = bob - 0.05 - 0.28 * Math.cos(swing)
      if (!lower) return [(x + hx + kx) / 2, y + hy, (bob - 0.05 + kz) / 2, ...quaternion([0, 1, 0], swing)]
      const angle = swing - knee
      return [kx - 0.16 * Math.sin(angle), y + hy, kz - 0.16 * Math.cos(angle), ...quaternion([0, 1, 0], angle)]
    },
    duration: null,
  }
}

function crowd(count) {
  const kinds = ['sphere', 'box', 'cylinder', 'capsule']
  const side = Math.ceil(Math.cbrt(count))
  const names = [...Array(count).keys()].map((n) => `body-${n}`)
  const shapes = names.map((_, n) => {
    const kind = kinds[n % 4]
    const size = kind === 'box' ? [0.2, 0.2, 0.2] : kind === 'sphere' ? [0.22] : [0.14, 0.14]
    return { body: n, kind, size, pose: STILL, color: hue((n * 0.618) % 1, 0.5, 0.58) }
  })
  return {
    appearance: look(names, [...shapes, floor], [[-side / 2, -side / 2, 0], [side / 2, side / 2, side]]),
    pose: (body, t) => {
      const [a, b, c] = [body % side, Math.floor(body / side) % side, Math.floor(body / side / side)]
      return [
        a - side / 2 + 0.2 * Math.sin(t + b), b - side / 2 + 0.2 * Math.cos(t + c), c + 0.5 + 0.2 * Math.sin(2 * t + a),
        ...quaternion([a, b, c + 1], t),
      ]
    },
    duration: null,
  }
}

function look(names, shapes, [min, max], { meshes = [], parents, followed = null } = {}) {
  const bodies = names.map((name, n) => ({
    name, mass: 1 + (n % 3), parent: parents?.[n] ?? null, joint: parents?.[n] == null ? null : 'revolute', collides: true,
  }))
  return { epoch: 0, ground: true, gravity: [0, 0, -9.81], fluid: false, bodies, shapes, meshes, followed, box: { min, max } }
}

export const WORLDS = {
  zoo: { make: zoo, description: 'One of every shape, turning.' },
  stack: { make: stack, description: 'Ten boxes stand on each other.' },
  walker: { make: () => herd(1), description: 'A creature of ten parts walks for ever.' },
  herd: { make: () => herd(500), description: 'Five hundred creatures of ten parts.' },
  crowd: { make: () => crowd(10_000), description: 'Ten thousand bodies of four kinds.' },
}
