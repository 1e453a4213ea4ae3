import { PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { CAMERAS, Cameras, connectedBodies } from './cameras'

const at = (x: number, y: number, z: number) => Float32Array.of(x, y, z, 0, 0, 0, 1)

function seen(cameras: Cameras): number[] {
  const camera = new PerspectiveCamera(42, 1.5)
  cameras.apply(camera)
  return [...camera.matrixWorld.elements]
}

describe('cameras', () => {
  it('depend only on the frame, not on the frames shown before', () => {
    for (const kind of CAMERAS) {
      const cameras = new Cameras()
      cameras.follow(0, [null])
      cameras.setKind(kind)
      cameras.setFrame(at(1, 2, 3), 4)
      const first = seen(cameras)
      cameras.setFrame(at(7, -2, 1), 9)
      seen(cameras)
      cameras.setFrame(at(1, 2, 3), 4)
      expect(seen(cameras), kind).toEqual(first)
    }
  })

  it('do not jump when the kind changes', () => {
    const cameras = new Cameras()
    cameras.follow(0, [null])
    cameras.setFrame(at(1, 2, 3), 5)
    cameras.setKind('follow')
    const first = seen(cameras)
    for (const kind of ['static', 'orbit', 'strobe', 'follow'] as const) {
      cameras.setFrame(at(1, 2, 3), 5)
      cameras.setKind(kind)
      seen(cameras).forEach((value, k) => expect(value, kind).toBeCloseTo(first[k]!, 9))
    }
  })

  it('return to the body that they follow', () => {
    const cameras = new Cameras()
    cameras.setKind('static')
    cameras.setFrame(at(50, 0, 0), 0)
    cameras.setKind('follow')
    expect(cameras.lookedAt(new Vector3()).toArray()).toEqual([50, 0, 0])
  })

  it('restore a saved view', () => {
    const cameras = new Cameras()
    cameras.setFrame(at(1, 2, 3), 5)
    cameras.pan(0.2, 0.1, 42)
    const first = seen(cameras)
    const back = cameras.save()
    cameras.setKind('strobe')
    cameras.frameBox([0, 0, 0], [9, 9, 9], 1, 42)
    back()
    expect(seen(cameras)).toEqual(first)
  })

  it('follow all bodies of the creature', () => {
    expect(connectedBodies(2, [null, 0, 1, null, 3])).toEqual([0, 1, 2])
    expect(connectedBodies(0, [1, 0])).toContain(0)
    const cameras = new Cameras()
    cameras.setKind('follow')
    cameras.follow(0, [null, 0])
    cameras.setFrame(Float32Array.of(...at(0, 0, 0), ...at(2, 0, 0)), 0)
    expect(cameras.lookedAt(new Vector3()).x).toBe(1)
  })

  it('show the whole bounding box', () => {
    const cameras = new Cameras()
    cameras.setKind('static')
    cameras.frameBox([-1, -1, 0], [1, 1, 2], 1.5, 42)
    const camera = new PerspectiveCamera(42, 1.5)
    cameras.apply(camera)
    for (const x of [-1, 1]) {
      for (const y of [-1, 1]) {
        for (const z of [0, 2]) {
          const place = new Vector3(x, y, z).project(camera)
          expect(Math.max(Math.abs(place.x), Math.abs(place.y))).toBeLessThan(1)
        }
      }
    }
  })

  it('look forward in first person, from the front of the body, whatever was shown before', () => {
    const cameras = new Cameras()
    cameras.follow(0, [null])
    cameras.eyeDistance = 0.5
    cameras.setFrame(at(1, 2, 3), 4)
    cameras.turn(1, 0.2)
    cameras.setKind('orbit')
    cameras.setKind('first-person')
    const camera = new PerspectiveCamera(42, 1.5)
    cameras.apply(camera)
    expect(camera.position.toArray()).toEqual([1.5, 2, 3])
    expect(camera.getWorldDirection(new Vector3()).x).toBeCloseTo(1, 9)
    cameras.turn(Math.PI / 2, 0)
    cameras.apply(camera)
    expect(camera.getWorldDirection(new Vector3()).y).toBeCloseTo(1, 9)
  })

  it('take the place of a camera that the scene names, also beside a body', () => {
    const cameras = new Cameras()
    cameras.setFrame(Float32Array.of(...at(10, 0, 0), ...at(0, 5, 1)), 0)
    const named = { name: 'side', position: [1, -6, 4], target: [1, 0, 1], field_of_view: 60 } as const
    const place = (follow: number | null) => {
      cameras.useNamed({ ...named, position: [...named.position], target: [...named.target], follow }, [null, 0])
      cameras.setFrame(Float32Array.of(...at(10, 0, 0), ...at(0, 5, 1)), 0)
      const camera = new PerspectiveCamera(60, 1.5)
      cameras.apply(camera)
      return [...camera.position.toArray(), ...cameras.lookedAt(new Vector3()).toArray()]
    }
    place(null).forEach((value, k) => expect(value).toBeCloseTo([1, -6, 4, 1, 0, 1][k]!, 9))
    // The other body of the same tree does not count.
    place(1).forEach((value, k) => expect(value).toBeCloseTo([1, -1, 5, 1, 5, 2][k]!, 9))
    expect(cameras.auto).toBe(false)
  })

  it('limit the elevation', () => {
    const cameras = new Cameras()
    cameras.turn(0, 100)
    expect(cameras.elevation).toBeLessThan(Math.PI / 2)
  })
})
