/**
 * Draws the tags of a document as chips: one atomic widget each, isolated from the direction of the
 * text around it. A chip stays the same widget while other text changes, so the text that an input
 * method composes is never drawn anew.
 */
import { type Extension, type Range, RangeSet, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, Direction, EditorView, WidgetType } from '@codemirror/view'
import type { TagCharacters } from './tag-characters.ts'

/** Makes the element of a chip. */
export type DrawChip = (tag: number) => HTMLElement

type Sets = { readonly chips: DecorationSet; readonly isolated: DecorationSet }

/**
 * To the text around it a chip has no direction, as in the browser's layout; CodeMirror would take
 * its character for Latin.
 */
const isolate = Decoration.mark({ bidiIsolate: Direction.LTR })

export function showChips(characters: TagCharacters, draw: DrawChip): Extension {
  // One widget for each tag: decorations that are made again are equal, and the element stays.
  const chips = new Map(
    characters.tags.map(({ tag }) => [
      characters.characterOf(tag),
      Decoration.replace({ widget: widgetOf(() => draw(tag)) }),
    ]),
  )
  const find = (document: Text, from: number, to: number) => {
    const text = document.sliceString(from, to)
    const found: [Range<Decoration>[], Range<Decoration>[]] = [[], []]
    for (let at = 0; at < text.length; at += 1) {
      const chip = chips.get(text.charAt(at))
      if (!chip) continue
      found[0].push(chip.range(from + at, from + at + 1))
      found[1].push(isolate.range(from + at, from + at + 1))
    }
    return found
  }
  const field = StateField.define<Sets>({
    create: ({ doc }) => {
      const [some, isolates] = find(doc, 0, doc.length)
      return { chips: RangeSet.of(some), isolated: RangeSet.of(isolates) }
    },
    update(sets, { docChanged, changes, newDoc }) {
      if (!docChanged) return sets
      let next: Sets = { chips: sets.chips.map(changes), isolated: sets.isolated.map(changes) }
      changes.iterChangedRanges((_from, _to, from, to) => {
        const [add, isolates] = find(newDoc, from, to)
        const outside = (start: number, end: number) => end <= from || start >= to
        next = {
          chips: next.chips.update({ filterFrom: from, filterTo: to, filter: outside, add }),
          isolated: next.isolated.update({
            filterFrom: from,
            filterTo: to,
            filter: outside,
            add: isolates,
          }),
        }
      })
      return next
    },
  })
  return [
    field,
    clicks,
    EditorView.decorations.compute([field], (state) => state.field(field).chips),
    EditorView.atomicRanges.of((view) => view.state.field(field).chips),
    EditorView.bidiIsolatedRanges.of((view) => view.state.field(field).isolated),
  ]
}

/**
 * CodeMirror asks for an object of its class. It leaves the press to the browser, which else could
 * not begin a drag.
 */
const widgetOf = (toDOM: () => HTMLElement): WidgetType =>
  Object.assign(Object.create(WidgetType.prototype) as WidgetType, {
    toDOM,
    ignoreEvent: ({ type }: Event) => type === 'mousedown',
  })

/** A click on a chip puts the caret on the nearer side of it. */
const clicks = EditorView.domEventHandlers({
  click(event, view) {
    const chip = event.target instanceof Element ? event.target.closest('[data-chip]') : null
    if (!chip) return false
    const { left, width } = chip.getBoundingClientRect()
    const isLater = event.clientX > left + width / 2 === (view.textDirection === Direction.LTR)
    view.dispatch({ selection: { anchor: view.posAtDOM(chip) + (isLater ? 1 : 0) } })
    view.focus()
    return true
  },
})
