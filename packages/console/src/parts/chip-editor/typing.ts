/**
 * Text that is typed over a selection, by key or input method. The editor itself removes what was
 * selected: the browser would carry the look of it into style attributes, which the console's
 * policy refuses.
 */
import { EditorView } from '@codemirror/view'

export const typing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const selection = getSelection()
    if (
      event.inputType !== 'insertText' ||
      event.data === null ||
      !selection ||
      selection.isCollapsed
    )
      return false
    // What the browser would replace; the editor may not have heard of it yet.
    const range = selection.getRangeAt(0)
    const from = view.posAtDOM(range.startContainer, range.startOffset)
    const to = view.posAtDOM(range.endContainer, range.endOffset)
    view.dispatch({
      changes: { from, to, insert: event.data },
      selection: { anchor: from + event.data.length },
      scrollIntoView: true,
      userEvent: 'input.type',
    })
    return true
  },
  compositionstart(_event, view) {
    if (!view.state.selection.main.empty)
      view.dispatch(view.state.replaceSelection(''), { userEvent: 'input.type.compose' })
    return false
  },
})
