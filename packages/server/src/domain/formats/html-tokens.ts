/**
 * HTML as flat tokens by the tokenizer of htmlparser2 alone: its parser is quadratic on deep nesting and would repair what
 * must come back as it was. What the tokenizer leaves out (a tag cut off at the end) is in no token.
 */
import { Tokenizer } from 'htmlparser2'

export type HtmlToken =
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  | { readonly kind: 'reference'; readonly start: number; readonly end: number; readonly character: string | undefined }
  | { readonly kind: 'open' | 'close'; readonly start: number; readonly end: number; readonly name: string }
  | { readonly kind: 'comment' | 'declaration'; readonly start: number; readonly end: number }

/** Elements whose text is a program's. */
const unspoken = new Set('script style iframe noembed noframes plaintext xmp'.split(' '))

export function scanHtml(text: string): HtmlToken[] {
  const tokens: HtmlToken[] = []
  let name = ''
  let nameStart = 0
  let silent = ''
  const past = (from: number): number => {
    const closing = text.indexOf('>', from)
    return closing < 0 ? text.length : closing + 1
  }
  const opened = (end: number) => {
    tokens.push({ kind: 'open', start: nameStart - 1, end: end + 1, name })
    if (unspoken.has(name)) silent = name
  }
  const nothing = () => {}
  const isXhtml = text.startsWith('<?xml')
  const tokenizer = new Tokenizer(
    { decodeEntities: true, recognizeSelfClosing: isXhtml },
    {
      onopentagname: (start, end) => {
        name = text.slice(start, end).toLowerCase()
        nameStart = start
      },
      onopentagend: opened,
      onselfclosingtag: (end) => {
        opened(end)
        if (isXhtml) silent = ''
      },
      onclosetag: (start, end) => {
        const closed = text.slice(start, end).toLowerCase()
        if (closed === silent) silent = ''
        tokens.push({ kind: 'close', start: start - 2, end: past(end), name: closed })
      },
      ontext: (start, end) => {
        const last = tokens.at(-1)
        if (silent || start >= end) return
        if (last?.kind === 'text' && last.end === start) tokens[tokens.length - 1] = { ...last, end }
        else tokens.push({ kind: 'text', start, end })
      },
      ontextentity: (codePoint, end) => {
        const last = tokens.at(-1)
        if (silent) return
        // One name may stand for two characters, told one after the other.
        if (last?.kind === 'reference' && last.end === end)
          tokens[tokens.length - 1] = { ...last, character: undefined }
        else
          tokens.push({
            kind: 'reference',
            start: text.lastIndexOf('&', end - 1),
            end,
            character: characterOf(codePoint),
          })
      },
      oncomment: (_, end) => tokens.push({ kind: 'comment', start: afterLast(), end: past(end) }),
      oncdata: (_, end) => tokens.push({ kind: 'comment', start: afterLast(), end: past(end) }),
      ondeclaration: (_, end) => tokens.push({ kind: 'declaration', start: afterLast(), end: past(end) }),
      onprocessinginstruction: (_, end) => tokens.push({ kind: 'declaration', start: afterLast(), end: past(end) }),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      onend: nothing,
    },
  )
  const afterLast = () => tokens.at(-1)?.end ?? 0
  tokenizer.write(text)
  tokenizer.end()
  return tokens
}

/** Blanks that are written as a reference, and numbers that name no character, stay as they are spelled. */
function characterOf(codePoint: number): string | undefined {
  return codePoint <= 32 || codePoint === 0xfffd ? undefined : String.fromCodePoint(codePoint)
}
