/**
 * Copy, cut, paste and drag. What leaves the editor is plain text, with each tag as it stands in
 * the file, and beside it the parts in a type of our own: they come back with their tags in a
 * segment that has the same ones. Anything else comes in as text without tags.
 */

import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { TextParts } from '@dragoman/contract/wire'
import { placing } from './guard.ts'
import type { TagCharacters } from './tag-characters.ts'
import { plainOf } from './texts.ts'

const ownType = 'application/x-dragoman-text'
type Carried = { readonly of: string; readonly text: TextParts }
type Spot = { readonly from: number; readonly to: number }

export function transfers(characters: TagCharacters): Extension {
  const of = JSON.stringify(characters.tags)
  let dragged: Spot | undefined

  const give = (data: DataTransfer, document: string) => {
    const text = characters.read(document)
    data.setData('text/plain', plainOf(text, characters.tags))
    data.setData(ownType, JSON.stringify({ of, text } satisfies Carried))
  }
  const copy = (event: ClipboardEvent, view: EditorView): boolean => {
    const { main } = view.state.selection
    // Nothing is selected: the clipboard stays as it is.
    if (main.empty || !event.clipboardData) return true
    event.clipboardData.clearData()
    give(event.clipboardData, view.state.sliceDoc(main.from, main.to))
    if (event.type === 'cut')
      view.dispatch({
        changes: { from: main.from, to: main.to },
        scrollIntoView: true,
        userEvent: 'delete.cut',
      })
    return true
  }
  const take = (data: DataTransfer): { readonly insert: string; readonly isOwn: boolean } => {
    const carried = readCarried(data.getData(ownType))
    if (carried?.of === of) return { insert: characters.write(carried.text), isOwn: true }
    const text = carried
      ? carried.text.filter((part) => typeof part === 'string').join('')
      : data.getData('text/plain')
    return { insert: characters.strip(text.replace(/\r\n?/g, '\n')), isOwn: false }
  }
  const events = EditorView.domEventHandlers({
    copy,
    cut: copy,
    paste(event, view) {
      if (!event.clipboardData) return false
      const { insert, isOwn } = take(event.clipboardData)
      view.dispatch({
        ...view.state.replaceSelection(insert),
        scrollIntoView: true,
        userEvent: 'input.paste',
        ...(isOwn && { annotations: placing.of(true) }),
      })
      return true
    },
    dragstart(event, view) {
      dragged = draggedBy(event, view)
      if (event.dataTransfer) {
        event.dataTransfer.clearData()
        give(event.dataTransfer, view.state.sliceDoc(dragged.from, dragged.to))
        event.dataTransfer.effectAllowed = 'copyMove'
      }
      return false
    },
    dragend() {
      dragged = undefined
    },
    drop(event, view) {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
      const { insert, isOwn } = event.dataTransfer
        ? take(event.dataTransfer)
        : { insert: '', isOwn: false }
      const from = dragged && !event.ctrlKey && !event.altKey ? dragged : undefined
      dragged = undefined
      // Dropped on itself: nothing moves.
      if (insert === '' || (from && at >= from.from && at <= from.to)) return true
      const changes = view.state.changes([
        ...(from ? [{ from: from.from, to: from.to }] : []),
        { from: at, insert },
      ])
      view.focus()
      view.dispatch({
        changes,
        selection: { anchor: changes.mapPos(at, 1) },
        userEvent: from ? 'move.drop' : 'input.drop',
        ...(isOwn && { annotations: placing.of(true) }),
      })
      return true
    },
  })
  // CodeMirror itself writes the text of a drag.
  const plain = EditorView.clipboardOutputFilter.of((text) =>
    plainOf(characters.read(text), characters.tags),
  )
  return [events, plain]
}

/** The selection, or the chip under the pointer if it is not selected. */
function draggedBy(event: DragEvent, view: EditorView): Spot {
  const { main } = view.state.selection
  const chip = event.target instanceof Element ? event.target.closest('[data-chip]') : null
  if (!chip) return main
  const at = view.posAtDOM(chip)
  return at >= main.from && at < main.to ? main : { from: at, to: at + 1 }
}

function readCarried(text: string): Carried | undefined {
  try {
    const found = JSON.parse(text) as Partial<Carried> | null
    return typeof found?.of === 'string' && Array.isArray(found.text)
      ? (found as Carried)
      : undefined
  } catch {
    return undefined
  }
}
