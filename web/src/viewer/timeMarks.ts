// Places of the marks on the time slider, and their names.
import type { Mark } from '../lib/protocol'

/** Marks of one kind that are nearer than this share of the slider are one. */
const MIN_DISTANCE = 0.004

const NAMES: Record<string, string> = {
  grab: 'pulled a body',
  twist: 'twisted a body',
  push: 'pushed a body',
  control: 'moved a control',
  keyframe: 'went to a keyframe',
  throw: 'threw a ball',
  change: 'changed the physics',
  simulate: 'changed the simulation',
  hashing: 'switched hashing',
}

export function titleOf(mark: Mark): string {
  if (mark.kind === 'edit') return `Somebody ${NAMES[mark.text] ?? mark.text}`
  if (mark.kind === 'contact') return 'Contact'
  if (mark.kind === 'fall') return 'Fall: below half of the height at the start'
  return `Fault: ${mark.text}`
}

export interface PlacedMark {
  /** Place on the slider, from 0 to 1. */
  share: number
  kind: Mark['kind']
  title: string
}

/** Returns the places of the marks that can be told apart. */
export function placeMarks(marks: readonly Mark[], latest: number): PlacedMark[] {
  const last = new Map<Mark['kind'], number>()
  const placed: PlacedMark[] = []
  for (const mark of marks) {
    const share = latest > 0 ? Math.min(1, mark.step / latest) : 0
    const before = last.get(mark.kind)
    if (before !== undefined && share - before < MIN_DISTANCE) continue
    last.set(mark.kind, share)
    placed.push({ share, kind: mark.kind, title: titleOf(mark) })
  }
  return placed
}

/** Says how many marks there are, for people who do not see them. */
export function summaryOf(marks: readonly Mark[]): string {
  const count = (kind: Mark['kind']) => marks.filter((mark) => mark.kind === kind).length
  const text = (number: number, one: string, many: string) =>
    number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]
  const parts = [
    ...text(count('edit'), 'edit', 'edits'),
    ...text(count('contact'), 'contact', 'contacts'),
    ...text(count('fall'), 'fall', 'falls'),
    ...text(count('fault'), 'fault', 'faults'),
  ]
  return parts.length ? `Marks: ${parts.join(', ')}` : ''
}
