// A text editor for TOML with marks for faults. This file is loaded when it is needed, because CodeMirror is large.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { toml } from '@codemirror/legacy-modes/mode/toml'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { TextFault } from '../../lib/protocol'

const colors = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-faint)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--kelp)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'var(--violet)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--teal)' },
  { tag: [tags.keyword, tags.heading], color: 'var(--coral)', fontWeight: '600' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-faint)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--teal) 6%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--teal-soft) !important' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', border: '1px solid var(--line)' },
})

export interface CodeEditor {
  /** Marks the line of a fault; null removes the mark. */
  setFault(fault: TextFault | null): void
  /** Goes to the line of a fault. */
  goTo(line: number): void
  focus(): void
  destroy(): void
}

/** Creates an editor in an element. `onchange` is called with the whole text after each change. */
export function createEditor(parent: HTMLElement, text: string, onchange: (text: string) => void): CodeEditor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        StreamLanguage.define(toml),
        syntaxHighlighting(colors),
        lintGutter(),
        look,
        EditorView.contentAttributes.of({ 'aria-label': 'Scene as text', tabindex: '0', 'data-testid': 'scene-text' }),
        EditorView.updateListener.of((update) => update.docChanged && onchange(update.state.doc.toString())),
      ],
    }),
  })
  const lineAt = (line: number) => view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
  return {
    setFault(fault) {
      const marked = fault && fault.line !== null && fault.file === null ? lineAt(fault.line) : null
      const mark = marked && {
        // Without the blanks at its beginning. An empty line is marked, too.
        from: marked.from + (marked.text.length - marked.text.trimStart().length),
        to: marked.to,
        severity: 'error' as const,
        message: fault!.field ? `${fault!.field}: ${fault!.message}` : fault!.message,
      }
      view.dispatch(setDiagnostics(view.state, mark ? [mark] : []))
    },
    goTo(line) {
      const { from } = lineAt(line)
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
      view.focus()
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}
