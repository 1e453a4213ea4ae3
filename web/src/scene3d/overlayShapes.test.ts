import { Color, Matrix4 } from 'three'
import { describe, expect, it } from 'vitest'
import { dotGeometry, Marks } from './overlayShapes'

describe('marks', () => {
  it('show nothing before something was added', () => {
    const marks = new Marks(dotGeometry())
    expect(marks.object.count).toBe(0)
    expect(marks.object.visible).toBe(false)
    marks.begin()
    marks.add(new Matrix4(), new Color())
    marks.end()
    expect(marks.object.count).toBe(1)
    expect(marks.object.visible).toBe(true)
  })
})
