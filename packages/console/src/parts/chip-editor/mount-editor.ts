/**
 * One CodeMirror editor for one text with tags. A value from outside begins a new document with a
 * new history, so that undo never leads into another segment; while an input method is composing,
 * it waits. The caret of a new document is at its end, so that typing goes on where it was when a
 * page puts another editor in place of this one.
 */
import { history, historyKeymap, insertNewline, standardKeymap } from '@codemirror/commands'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import { arrows } from './arrows.ts'
import { type DrawChip, showChips } from './chips.ts'
import { openEchoes } from './echoes.ts'
import type { ChipEditorHandle } from './editor-props.ts'
import { guardTags, placing } from './guard.ts'
import { openTagCharacters, type TagCharacters } from './tag-characters.ts'
import { joined, sameText } from './texts.ts'
import { transfers } from './transfers.ts'
import { typing } from './typing.ts'

export type EditorOptions = {
  readonly value: TextParts
  readonly tags: readonly TextTag[]
  readonly source?: TextParts
  readonly nonce: string
  readonly attributes: Readonly<Record<string, string>>
  readonly draw: DrawChip
  readonly onChange: (value: TextParts) => void
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onLeave: () => void
  /** Begins with the focus here instead of at its end without it. */
  readonly caret?: number | undefined
}

export type MountedEditor = ChipEditorHandle & {
  readonly view: EditorView
  /** The value that the page has now. */
  take(value: TextParts): void
  describe(attributes: EditorOptions['attributes']): void
  destroy(): void
}

/** What every document of the editor has, drawn or not. */
export const chipDocument = (characters: TagCharacters): Extension => [
  guardTags(characters),
  history(),
  // A carriage return of a text is kept as it is.
  EditorState.lineSeparator.of('\n'),
]

/** Without the indentation that code would get. */
const enter = { key: 'Enter', run: insertNewline, shift: insertNewline }

export function mountEditor(parent: HTMLElement, options: EditorOptions): MountedEditor {
  const { tags, source, draw, onChange, onKey, onLeave } = options
  const echoes = openEchoes(options.value)
  const described = new Compartment()
  let attributes = options.attributes
  let characters: TagCharacters
  /** Came while an input method was composing. */
  let waiting: TextParts | undefined

  const stateOf = (value: TextParts): EditorState => {
    const found = openTagCharacters(tags, [value], source)
    if (!found) throw new RangeError('The segment has more tags than an editor can show.')
    characters = found
    const events = EditorView.domEventHandlers({
      keydown: (event, { composing }) => !composing && !event.isComposing && onKey(event),
      blur: () => onLeave(),
      compositionend: () => void setTimeout(() => waiting && put(waiting)),
    })
    const document = characters.write(value)
    return EditorState.create({
      doc: document,
      selection: { anchor: document.length },
      extensions: [
        chipDocument(characters),
        showChips(characters, draw),
        transfers(characters),
        typing,
        Prec.highest(events),
        keymap.of([...arrows, enter, ...standardKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(options.nonce),
        described.of(EditorView.contentAttributes.of(attributes)),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return
          const now = characters.read(state.sliceDoc())
          echoes.sent(now)
          onChange(now)
        }),
      ],
    })
  }
  const read = () => characters.read(view.state.sliceDoc())
  const put = (value: TextParts) => {
    waiting = view.composing ? value : undefined
    if (!waiting && !sameText(value, read())) view.setState(stateOf(joined(value)))
  }
  const take = (value: TextParts) => {
    const found = echoes.judge(value)
    if (found === 'chosen') put(value)
    if (found === 'echo') waiting = undefined
  }
  const insert = (text: string, isPlaced: boolean) =>
    view.dispatch({
      ...view.state.replaceSelection(text),
      scrollIntoView: true,
      userEvent: 'input',
      ...(isPlaced && { annotations: placing.of(true) }),
    })
  const view = new EditorView({ state: stateOf(joined(options.value)), parent })
  if (options.caret !== undefined) {
    view.dispatch({ selection: { anchor: Math.min(options.caret, view.state.doc.length) } })
    view.focus()
  }
  return {
    view,
    take,
    describe(now) {
      attributes = now
      view.dispatch({ effects: described.reconfigure(EditorView.contentAttributes.of(now)) })
    },
    insertTag: (tag) => insert(characters.characterOf(tag) ?? '', true),
    insertText: (text) => insert(characters.strip(text), false),
    replace(text) {
      const document = characters.write(text)
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: document },
        selection: { anchor: document.length },
        annotations: placing.of(true),
        userEvent: 'input.replace',
      })
    },
    focus: () => view.focus(),
    selection() {
      const { from, to } = view.state.selection.main
      return characters.strip(view.state.sliceDoc(from, to))
    },
    destroy: () => view.destroy(),
  }
}
