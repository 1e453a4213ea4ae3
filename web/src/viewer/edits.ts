// The edits of a session: which of them is in force at a step.
import type { Edit, RecordedEdit } from '../lib/protocol'

/** Returns the last edit of a kind until a step that `accepts` it. */
export function lastEdit<Kind extends Edit['do']>(
  edits: readonly RecordedEdit[],
  step: number,
  kind: Kind,
  accepts: (edit: Extract<Edit, { do: Kind }>) => boolean = () => true,
): Extract<Edit, { do: Kind }> | undefined {
  const found = edits.findLast(
    (each) => each.step <= step && each.deed.do === kind && accepts(each.deed as Extract<Edit, { do: Kind }>),
  )
  return found?.deed as Extract<Edit, { do: Kind }> | undefined
}
