// Building blocks of overlays: lines, arrows and dots, each kind in one draw call, refilled for each frame.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'

/** Line segments with a colour for each end. */
export class Lines {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>
  private capacity = 0
  private count = 0
  private positions = new Float32Array()
  private colours = new Float32Array()

  constructor(through = false) {
    const material = new LineBasicMaterial({ vertexColors: true, depthTest: !through, transparent: through })
    this.object = new LineSegments(new BufferGeometry(), material)
    this.object.frustumCulled = false
    this.object.renderOrder = through ? 12 : 2
  }

  begin(): void {
    this.count = 0
  }

  add(ax: number, ay: number, az: number, bx: number, by: number, bz: number, colour: Color): void {
    if (this.count === this.capacity) this.grow()
    this.positions.set([ax, ay, az, bx, by, bz], 6 * this.count)
    this.colours.set([colour.r, colour.g, colour.b, colour.r, colour.g, colour.b], 6 * this.count)
    this.count++
  }

  /** Adds the twelve edges of a box. */
  box(low: readonly [number, number, number], high: readonly [number, number, number], colour: Color): void {
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
      for (let side = 0; side < 4; side++) {
        const a = [0, 0, 0]
        a[axis] = low[axis]!
        a[u] = (side & 1 ? high : low)[u]!
        a[v] = (side & 2 ? high : low)[v]!
        const b = a.slice()
        b[axis] = high[axis]!
        this.add(a[0]!, a[1]!, a[2]!, b[0]!, b[1]!, b[2]!, colour)
      }
    }
  }

  private grow(): void {
    this.capacity = Math.max(64, 2 * this.capacity)
    this.positions = enlarged(this.positions, 6 * this.capacity)
    this.colours = enlarged(this.colours, 6 * this.capacity)
    this.object.geometry.dispose()
    this.object.geometry = new BufferGeometry()
    this.object.geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage))
    this.object.geometry.setAttribute('color', new BufferAttribute(this.colours, 3).setUsage(DynamicDrawUsage))
  }

  end(): void {
    this.object.geometry.setDrawRange(0, 2 * this.count)
    this.object.visible = this.count > 0
    for (const name of ['position', 'color']) {
      const buffer = this.object.geometry.getAttribute(name) as BufferAttribute | undefined
      if (buffer) buffer.needsUpdate = true
    }
  }

  dispose(): void {
    this.object.geometry.dispose()
    this.object.material.dispose()
  }
}

function enlarged(old: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const made = new Float32Array(length)
  made.set(old)
  return made
}

/** Instances of a small solid shape, drawn over everything: arrows of length 1 along z, or dots of radius 1. */
export class Marks {
  object: InstancedMesh<BufferGeometry, MeshBasicMaterial>
  private count = 0

  constructor(
    private readonly geometry: BufferGeometry,
    through = true,
  ) {
    const material = new MeshBasicMaterial({ depthTest: !through, depthWrite: false, transparent: true, opacity: 0.92 })
    this.object = this.create(64, material)
  }

  private create(capacity: number, material: MeshBasicMaterial): InstancedMesh<BufferGeometry, MeshBasicMaterial> {
    const mesh = new InstancedMesh(this.geometry, material, capacity)
    mesh.setColorAt(0, new Color())
    // A new mesh counts all its instances, each of size 1 m. None has been added yet.
    mesh.count = 0
    mesh.visible = false
    mesh.frustumCulled = false
    mesh.renderOrder = 11
    return mesh
  }

  begin(): void {
    this.count = 0
  }

  add(matrix: Matrix4, colour: Color): void {
    if (this.count === this.object.instanceMatrix.count) this.grow()
    this.object.setMatrixAt(this.count, matrix)
    this.object.setColorAt(this.count, colour)
    this.count++
  }

  private grow(): void {
    const old = this.object
    const next = this.create(2 * old.instanceMatrix.count, old.material)
    next.instanceMatrix.array.set(old.instanceMatrix.array)
    next.instanceColor!.array.set(old.instanceColor!.array)
    old.parent?.add(next)
    old.removeFromParent()
    old.dispose()
    this.object = next
  }

  end(): void {
    this.object.count = this.count
    this.object.visible = this.count > 0
    this.object.instanceMatrix.needsUpdate = true
    this.object.instanceColor!.needsUpdate = true
  }

  dispose(): void {
    this.object.dispose()
    this.geometry.dispose()
    this.object.material.dispose()
  }
}

/** An arrow from 0 to 1 on z. Its width scales separately, so that long arrows are not thick. */
export function arrowGeometry(): BufferGeometry {
  const shaft = new CylinderGeometry(0.35, 0.35, 0.8, 8, 1).translate(0, 0.4, 0)
  const head = new ConeGeometry(1, 0.24, 12).translate(0, 0.88, 0)
  return mergeGeometries([shaft, head]).rotateX(Math.PI / 2)
}

/** A rod from -1 to 1 on z. */
export function rodGeometry(): BufferGeometry {
  return new CylinderGeometry(1, 1, 2, 8, 1).rotateX(Math.PI / 2)
}

export function dotGeometry(): BufferGeometry {
  return new SphereGeometry(1, 10, 6)
}

const up = new Vector3(0, 0, 1)
const turn = new Quaternion()
const along = new Vector3()
const size = new Vector3()
const where = new Vector3()

/** Writes the matrix of an arrow or rod at a point, along a direction. */
export function arrowMatrix(
  out: Matrix4,
  x: number,
  y: number,
  z: number,
  dx: number,
  dy: number,
  dz: number,
  length: number,
  width: number,
): Matrix4 {
  along.set(dx, dy, dz).normalize()
  return out.compose(where.set(x, y, z), turn.setFromUnitVectors(up, along), size.set(width, width, length))
}

export function dotMatrix(out: Matrix4, x: number, y: number, z: number, radius: number): Matrix4 {
  return out.makeScale(radius, radius, radius).setPosition(x, y, z)
}
