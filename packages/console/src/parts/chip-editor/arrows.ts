/**
 * The arrow keys in text that runs from right to left, or both ways: from letter to letter as they
 * were written. In the order in which they are drawn, one place beside a chip is two places on the
 * screen, and the caret would skip it.
 */
import {
  cursorCharBackwardLogical,
  cursorCharForwardLogical,
  selectCharBackwardLogical,
  selectCharForwardLogical,
} from '@codemirror/commands'
import type { Command, EditorView, KeyBinding } from '@codemirror/view'

const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

const inOrder =
  (key: 'ArrowLeft' | 'ArrowRight', forward: Command, backward: Command): Command =>
  (view: EditorView) => {
    // The view itself knows its direction only after it has been drawn.
    const isFromRight = view.contentDOM.dir === 'rtl'
    const { head } = view.state.selection.main
    if (!isFromRight && !fromRight.test(view.state.doc.lineAt(head).text)) return false
    return ((key === 'ArrowRight') === isFromRight ? backward : forward)(view)
  }

export const arrows: readonly KeyBinding[] = (['ArrowLeft', 'ArrowRight'] as const).map((key) => ({
  key,
  run: inOrder(key, cursorCharForwardLogical, cursorCharBackwardLogical),
  shift: inOrder(key, selectCharForwardLogical, selectCharBackwardLogical),
}))
