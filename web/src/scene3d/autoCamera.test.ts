import { Box3, PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import type { Appearance, Shape } from '../lib/protocol'
import { world } from '../lib/testSamples'
import { AutoCamera } from './autoCamera'
import { Cameras } from './cameras'
import { buildPieces, groundHeight, placePieces } from './pieces'

const FOV = 42
const ball = (body: number, radius = 0.1): Partial<Shape> => ({ body, kind: 'sphere', size: [radius] })
const wall = (y: number, half: [number, number, number]): Partial<Shape> => ({
  body: null,
  kind: 'box',
  size: half,
  pose: [0, y, half[2], 0, 0, 0, 1],
})

/** Shows frames, each a list of positions, and returns the subject's box in the picture: inside if all is within -1..1. */
function show(appearance: Appearance, frames: [number, number, number][][], aspect = 1.4) {
  const pieces = buildPieces(appearance)
  const worlds = new Float32Array(16 * pieces.count)
  const cameras = new Cameras()
  const auto = new AutoCamera(cameras, FOV, appearance, groundHeight(appearance, pieces))
  auto.setAspect(aspect)
  const camera = new PerspectiveCamera(FOV, aspect)
  const pictures = frames.map((positions, time) => {
    const poses = Float32Array.from(positions.flatMap((position) => [...position, 0, 0, 0, 1]))
    placePieces(pieces, poses, worlds)
    cameras.setFrame(poses, time)
    auto.addFrame(pieces, worlds, poses)
    cameras.apply(camera)
    return projected(auto.framing.current(pieces, worlds), camera)
  })
  return { pictures, auto, cameras, camera, hiding: () => auto.hiding(camera, pieces, worlds) }
}

function projected({ min, max }: Box3, camera: PerspectiveCamera): Box3 {
  const box = new Box3()
  for (const x of [min.x, max.x])
    for (const y of [min.y, max.y])
      for (const z of [min.z, max.z]) box.expandByPoint(new Vector3(x, y, z).project(camera))
  return box
}

function expectInside(picture: Box3): void {
  const { min, max } = picture
  expect(Math.max(-min.x, -min.y, max.x, max.y)).toBeLessThan(1)
}

const size = ({ min, max }: Box3) => 0.5 * Math.max(max.x - min.x, max.y - min.y)

describe('the automatic camera', () => {
  it('keeps bodies that fall and roll away in the picture, and does not move before they do', () => {
    const { pictures, cameras } = show(world([ball(0), ball(1)]), [
      [
        [0, 0, 2],
        [1, 0, 2],
      ],
    ])
    pictures.forEach(expectInside)
    const { distance } = cameras
    const falling = show(world([ball(0), ball(1)]), [
      [
        [0, 0, 2],
        [1, 0, 2],
      ],
      [
        [0, 0, 0.1],
        [1, 0, 1],
      ],
    ])
    falling.pictures.forEach(expectInside)
    expect(falling.cameras.distance).toBe(distance)
    const rolling = show(world([ball(0), ball(1)]), [
      [
        [0, 0, 2],
        [1, 0, 2],
      ],
      [
        [-3, 0, 0.1],
        [4, 1, 0.1],
      ],
    ])
    rolling.pictures.forEach(expectInside)
    expect(rolling.cameras.distance).toBeGreaterThan(distance)
  })

  it('ignores large fixed pieces and bodies that forces do not move', () => {
    const appearance = world([ball(0), { body: 1, size: [20, 20, 0.1] }, wall(30, [20, 1, 9])])
    appearance.bodies[1]!.mass = 0
    const { pictures } = show(appearance, [
      [
        [0, 0, 0.5],
        [0, 0, -0.1],
      ],
    ])
    expectInside(pictures[0]!)
    expect(size(pictures[0]!)).toBeGreaterThan(0.1)
  })

  it('shows both sides of a hinge from the start', () => {
    const appearance = world([{ body: 0, kind: 'box', size: [0.5, 0.02, 0.02], pose: [-0.5, 0, 0, 0, 0, 0, 1] }], 1)
    appearance.ground = false
    appearance.bodies[0]!.joint = 'revolute'
    const { auto } = show(appearance, [[[0, 0, 1]]])
    expect(auto.framing.box.max.x).toBeGreaterThanOrEqual(1)
    expect(auto.framing.box.min.z).toBeLessThanOrEqual(0.01)
  })

  it('follows a free articulated body wherever it goes, at the same size', () => {
    const appearance = world([ball(0, 0.3), ball(1, 0.2)])
    Object.assign(appearance.bodies[1]!, { parent: 0, joint: 'revolute' })
    const { pictures, cameras } = show(appearance, [
      [
        [0, 0, 1],
        [0.5, 0, 1],
      ],
      [
        [40, 3, 9],
        [40.5, 3, 9],
      ],
    ])
    expect(cameras.kind).toBe('follow')
    pictures.forEach(expectInside)
    for (const picture of pictures) expect(size(picture)).toBeGreaterThan(0.25)
  })

  it('stops counting bodies that have left the world', () => {
    const frames: [number, number, number][][] = [
      [
        [0, 0, 1],
        [1, 0, 1],
      ],
      [
        [0, 0, 1],
        [1000, 0, 1],
      ],
    ]
    const { pictures, cameras } = show(world([ball(0), ball(1)]), frames)
    pictures.forEach(expectInside)
    expect(cameras.distance).toBeLessThan(10)
  })

  it('looks over a wall that hides the bodies', () => {
    const { cameras, hiding } = show(world([ball(0), wall(-0.5, [2, 0.02, 0.4])], 1), [[[0, 0, 0.1]]])
    expect(cameras.elevation > 0.3 || Math.sin(cameras.azimuth) > 0).toBe(true)
    expect(hiding()).toEqual([])
  })

  it('leaves out the pane before bodies in a narrow case', () => {
    const panes = [wall(-0.2, [30, 0.01, 30]), wall(0.2, [30, 0.01, 30])]
    for (const x of [-0.5, 0.5])
      panes.push({ body: null, kind: 'box', size: [0.01, 0.2, 30], pose: [x, 0, 30, 0, 0, 0, 1] })
    const { hiding, camera } = show(world([ball(0), ...panes], 1), [[[0, 0, 3]]])
    expect(camera.position.y).toBeLessThan(-0.2)
    expect(hiding()).toEqual([1])
  })

  it('leaves the camera to the user once it was moved', () => {
    for (const move of ['turn', 'zoom'] as const) {
      const { cameras, auto } = show(world([ball(0)], 1), [[[0, 0, 1]]])
      if (move === 'turn') cameras.turn(0.1, 0)
      else cameras.zoom(0.5)
      const { distance } = cameras
      auto.setAspect(0.5)
      expect(cameras.distance).toBe(distance)
      auto.reset()
      expect(cameras.distance).not.toBe(distance)
    }
  })
})
