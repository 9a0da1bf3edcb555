/**
 * Footnotes for the Markdown parser, as GitHub has them: `[^1]: text` is a paragraph of its own,
 * also directly after another one, and never the address of a link.
 */
import type MarkdownIt from 'markdown-it'

const footnote = /^\[\^[^\]\s]{1,100}\]:/

export function readFootnotes(parser: InstanceType<typeof MarkdownIt>): void {
  parser.block.ruler.before(
    'reference',
    'footnote',
    (state, start, end, silent) => {
      const from = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0)
      const isCode = (line: number) => (state.sCount[line] ?? 0) - state.blkIndent > 3
      if (
        isCode(start) ||
        !footnote.test(state.src.slice(from, Math.min(from + 128, state.eMarks[start] ?? from)))
      )
        return false
      if (silent) return true
      const others = parser.block.ruler.getRules('paragraph')
      const around = state.parentType
      state.parentType = 'paragraph'
      let next = start + 1
      for (; next < end && !state.isEmpty(next); next++)
        if (!isCode(next) && others.some((begins) => begins(state, next, end, true))) break
      state.parentType = around
      state.line = next
      state.push('paragraph_open', 'p', 1).map = [start, next]
      const inline = state.push('inline', '', 0)
      inline.content = state.getLines(start, next, state.blkIndent, false).trim()
      inline.map = [start, next]
      inline.children = []
      state.push('paragraph_close', 'p', -1)
      return true
    },
    { alt: ['paragraph'] },
  )
}
