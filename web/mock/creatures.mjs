// Made-up creatures: boxes on a trunk that move by sines, with made-up fitness, for trying the pages out without a server.

/** A small random generator with a seed (mulberry32), giving numbers from 0 to 1. */
export function dice(seed) {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const clamp = (x, low, high) => Math.min(high, Math.max(low, x))

export function randomGenome(roll) {
  return {
    limbs: 1 + Math.floor(roll() * 4),
    segments: 1 + Math.floor(roll() * 2.4),
    trunk: 0.15 + roll() * 0.35,
    leg: 0.1 + roll() * 0.35,
    frequency: 0.4 + roll() * 2.2,
    swing: 0.2 + roll() * 0.7,
    skill: roll() * 0.35,
    hue: roll(),
    shape: Math.floor(roll() * 3),
  }
}

export function mutate(genome, roll) {
  const child = { ...genome }
  if (roll() < 0.25) child.limbs = clamp(child.limbs + (roll() < 0.5 ? -1 : 1), 1, 4)
  if (roll() < 0.1) child.segments = clamp(child.segments + (roll() < 0.5 ? -1 : 1), 1, 3)
  child.leg = clamp(child.leg + (roll() - 0.5) * 0.1, 0.06, 0.5)
  child.trunk = clamp(child.trunk + (roll() - 0.5) * 0.08, 0.1, 0.6)
  child.frequency = clamp(child.frequency + (roll() - 0.5) * 0.5, 0.2, 3.5)
  child.skill = clamp(child.skill + (roll() - 0.48) * 0.16, 0, 1)
  child.hue = (child.hue + (roll() - 0.5) * 0.12 + 1) % 1
  return child
}

export function cross(a, b, roll) {
  const child = {}
  for (const key of Object.keys(a)) child[key] = roll() < 0.5 ? a[key] : b[key]
  return mutate(child, roll)
}

/** What an evaluation would have found. */
export function measured(genome, roll) {
  const parts = 1 + 2 * genome.limbs * genome.segments
  const height = genome.leg * genome.segments * 0.9 + genome.trunk * 0.4
  const speed = genome.skill * genome.frequency * genome.swing * genome.leg * 4
  const length = 2 * genome.trunk
  const fitness = (speed * 10 * (0.9 + roll() * 0.1)) / Math.max(length, 0.3)
  const mass = 1000 * (genome.trunk ** 3 * 0.6 + parts * genome.leg * 0.002)
  const straightness = clamp(0.5 + genome.skill * 0.5, 0, 1)
  return {
    fitness,
    speed,
    descriptors: {
      parts,
      height,
      mass,
      active_joints: parts - 1,
      gait_frequency: genome.frequency,
      duty_factor: 0.3 + roll() * 0.4,
      straightness,
    },
    measures: {
      forward: speed * 10,
      distance: speed * 10,
      path: (speed * 10) / straightness,
      late_speed: speed,
      energy: mass * speed * 30,
      length,
      mass,
      parts,
      mean_height: height * 0.8,
      max_height: height,
      contact_share: 0.8,
      time: 10,
      duration: 10,
    },
  }
}

function hsv(h, s, v) {
  const f = (n) => {
    const k = (n + h * 6) % 6
    return v - v * s * Math.max(0, Math.min(k, 4 - k, 1))
  }
  return [f(5), f(3), f(1)]
}

/** Product of two quaternions x, y, z, w. */
function times([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ]
}

function turned([x, y, z], q) {
  const [a, b, c] = times(times(q, [x, y, z, 0]), [-q[0], -q[1], -q[2], q[3]])
  return [a, b, c]
}

/** Appearance and frames as the server's clip has them. */
export function clip(genome, speed, rate) {
  const bodies = [{ name: 'trunk', mass: 5, parent: null, joint: null, collides: true }]
  const kinds = ['box', 'capsule', 'ellipsoid']
  const color = hsv(genome.hue, 0.45, 0.78)
  const pale = hsv((genome.hue + 0.06) % 1, 0.35, 0.88)
  const width = genome.trunk * 0.45
  const shapes = [
    {
      body: 0,
      kind: genome.shape === 2 ? 'ellipsoid' : 'box',
      size: [genome.trunk, width, width * 0.6],
      pose: [0, 0, 0, 0, 0, 0, 1],
      color,
    },
  ]
  const limbs = []
  for (let pair = 0; pair < genome.limbs; pair++) {
    for (const side of [1, -1]) {
      const x = genome.limbs === 1 ? 0 : genome.trunk * (0.85 - (1.7 * pair) / (genome.limbs - 1))
      const limb = { x, y: side * width, phase: (pair * 0.5 + (side < 0 ? 0.5 : 0)) * 2 * Math.PI, first: bodies.length }
      limbs.push(limb)
      for (let s = 0; s < genome.segments; s++) {
        const half = genome.leg * 0.5
        const thick = genome.leg * (0.16 - 0.03 * s)
        const kind = kinds[genome.shape]
        const size = kind === 'capsule' ? [thick, half - thick] : [thick, thick, half]
        shapes.push({ body: bodies.length, kind, size, pose: [0, 0, 0, 0, 0, 0, 1], color: s % 2 ? color : pale })
        bodies.push({ name: `limb-${pair}-${s}`, mass: 1, parent: s ? bodies.length - 1 : 0, joint: 'revolute', collides: true })
      }
    }
  }
  const seconds = 8
  const frames = seconds * rate
  const data = new Float32Array(frames * bodies.length * 7)
  const lift = genome.leg * genome.segments * 0.85
  let at = 0
  const put = (p, q) => {
    data.set(p, at)
    data.set(q, at + 3)
    at += 7
  }
  for (let f = 0; f < frames; f++) {
    const t = f / rate
    const beat = 2 * Math.PI * genome.frequency * t
    const tilt = 0.06 * Math.sin(beat)
    const q0 = [0, Math.sin(tilt / 2), 0, Math.cos(tilt / 2)]
    const p0 = [speed * t, 0.05 * Math.sin(beat / 2), lift + 0.03 * Math.sin(2 * beat)]
    put(p0, q0)
    for (const limb of limbs) {
      let q = q0
      let joint = turned([limb.x, limb.y, 0], q0).map((v, i) => v + p0[i])
      for (let s = 0; s < genome.segments; s++) {
        const angle = genome.swing * Math.sin(beat + limb.phase - s * 0.9) * (s ? 0.7 : 1)
        q = times(q, [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)])
        const middle = turned([0, 0, -genome.leg * 0.5], q)
        put(
          joint.map((v, i) => v + middle[i]),
          q,
        )
        joint = joint.map((v, i) => v + 2 * middle[i])
      }
    }
  }
  const appearance = {
    epoch: 0,
    ground: true,
    gravity: [0, 0, -9.81],
    fluid: false,
    bodies,
    shapes,
    meshes: [],
    followed: 0,
    box: { min: [-0.6, -0.6, 0], max: [0.6, 0.6, 1] },
  }
  return { appearance, frames, bodies: bodies.length, data }
}

/** A portrait in the style of the server's. */
export function portrait(genome) {
  const [r, g, b] = hsv(genome.hue, 0.45, 0.78).map((v) => Math.round(v * 255))
  const color = `rgb(${r},${g},${b})`
  let legs = ''
  for (let i = 0; i < genome.limbs; i++) {
    const x = 320 - genome.trunk * 240 + (genome.limbs === 1 ? genome.trunk * 240 : (i * genome.trunk * 480) / (genome.limbs - 1))
    legs += `<rect x="${x - 10}" y="210" width="20" height="${genome.leg * genome.segments * 240}" rx="8" fill="${color}" stroke="#333"/>`
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 420" width="640" height="420"><rect width="640" height="420" fill="#e6ebf2"/>${legs}` +
    `<rect x="${320 - genome.trunk * 280}" y="170" width="${genome.trunk * 560}" height="70" rx="12" fill="${color}" stroke="#333"/></svg>`
  )
}

/** A brain as `.../brain` tells it. */
export function brain(genome, roll) {
  const neurons = []
  const links = []
  const spectra = []
  const axes = 2 * genome.limbs * genome.segments
  for (let i = 0; i < axes; i++) neurons.push({ name: `angle ${i}`, kind: 'sensor', part: i + 1 })
  neurons.push({ name: 'up', kind: 'sensor', part: 0 }, { name: 'height', kind: 'sensor', part: 0 })
  const sensors = neurons.length
  const functions = ['sum', 'sine wave', 'sigmoid', 'product', 'memory', 'oscillate saw']
  const hidden = 4 + Math.floor(roll() * 10)
  for (let i = 0; i < hidden; i++)
    neurons.push({ name: `n${i}`, kind: 'neuron', function: functions[Math.floor(roll() * functions.length)], part: i % (axes + 1) })
  for (let i = 0; i < axes; i++) neurons.push({ name: `axis ${i}`, kind: 'effector', part: i + 1 })
  const link = (from, to) => links.push({ from, to, weight: (roll() - 0.5) * 6 })
  for (let i = 0; i < hidden; i++) {
    for (let k = 0; k < 3; k++) link(roll() < 0.6 ? Math.floor(roll() * sensors) : sensors + Math.floor(roll() * hidden), sensors + i)
  }
  for (let i = 0; i < axes; i++) {
    link(sensors + Math.floor(roll() * hidden), sensors + hidden + i)
    spectra.push({
      name: `axis ${i}`,
      period: 1 / genome.frequency,
      amplitudes: [genome.swing, genome.swing * 0.3 * roll(), 0.1 * roll()],
      phases: [i, roll() * 6, roll() * 6],
      offset: (roll() - 0.5) * 0.3,
    })
  }
  return { family: 'legged', neurons, links, spectra }
}
