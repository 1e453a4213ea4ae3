// Lines that show where tracked hands and wands point.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three'
import type { MenuView } from '../lib/protocol'
import { meet } from './menu'
import { turned, type Point } from './projection'
import { toWorld, type Room, type User } from './wallFrame'

/** Length of a line that does not end at the menu, in m. */
const LENGTH = 3
const MAX_HANDS = 4

export class HandRays {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>
  private readonly ends = new BufferAttribute(new Float32Array(6 * MAX_HANDS), 3)

  constructor() {
    this.ends.setUsage(DynamicDrawUsage)
    const geometry = new BufferGeometry().setAttribute('position', this.ends)
    this.object = new LineSegments(geometry, new LineBasicMaterial({ color: '#ff6a4d', fog: false, toneMapped: false }))
    this.object.frustumCulled = false
    this.object.visible = false
  }

  set({ hands }: User, room: Room, menu: MenuView): void {
    const count = Math.min(hands.length, MAX_HANDS)
    for (let hand = 0; hand < count; hand++) {
      const { position, orientation } = hands[hand]!
      const along = turned(orientation, [0, 1, 0])
      const length = Math.min(LENGTH, meet(menu, position, along)?.distance ?? LENGTH)
      const end: Point = [
        position[0] + length * along[0],
        position[1] + length * along[1],
        position[2] + length * along[2],
      ]
      this.ends.setXYZ(2 * hand, ...toWorld(room, position))
      this.ends.setXYZ(2 * hand + 1, ...toWorld(room, end))
    }
    this.ends.needsUpdate = true
    this.object.geometry.setDrawRange(0, 2 * count)
    this.object.visible = count > 0
  }

  dispose(): void {
    this.object.removeFromParent()
    this.object.geometry.dispose()
    this.object.material.dispose()
  }
}
