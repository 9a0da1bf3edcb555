/**
 * HTML as flat tokens, from the tokenizer of htmlparser2: its parser is quadratic on deep nesting
 * and repairs what must stay unchanged. What the tokenizer drops, such as a truncated tag at the
 * end, is in no token.
 */
import { Tokenizer } from 'htmlparser2'

export type HtmlToken =
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  | {
      readonly kind: 'reference'
      readonly start: number
      readonly end: number
      readonly character: string | undefined
    }
  | HtmlTag
  | { readonly kind: 'comment' | 'declaration'; readonly start: number; readonly end: number }

export type HtmlTag = {
  readonly kind: 'open' | 'close'
  readonly start: number
  readonly end: number
  readonly name: string
  /** Attributes that may be text or name the language. */
  readonly attributes?: readonly HtmlAttribute[]
}
/** The range of its value; `quote` is empty for an unquoted value. */
export type HtmlAttribute = {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly quote: string
}

/** Attributes that may be text, that decide whether one is, and that name the language. */
const kept = new Set(
  `title alt placeholder aria-label aria-description aria-placeholder aria-valuetext label value content type name property
   summary lang xml:lang`.split(/\s+/),
)

/** Elements whose text is code. */
const unspoken = new Set('script style iframe noembed noframes plaintext xmp'.split(' '))

/**
 * `others` are further attributes to report. Nothing is read behind the first opening tag named
 * `until`.
 */
export function scanHtml(
  text: string,
  others: ReadonlySet<string> = new Set(),
  until?: string,
): HtmlToken[] {
  const tokens: HtmlToken[] = []
  let name = ''
  let nameStart = 0
  let silent = ''
  let attributes: HtmlAttribute[] = []
  let attribute = ''
  let attributeEnd = 0
  const past = (from: number): number => {
    const closing = text.indexOf('>', from)
    return closing < 0 ? text.length : closing + 1
  }
  const opened = (end: number) => {
    const start = nameStart - 1
    if (attributes.length === 0) tokens.push({ kind: 'open', start, end: end + 1, name })
    else tokens.push({ kind: 'open', start, end: end + 1, name, attributes })
    attributes = []
    if (name === until) tokenizer.pause()
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
        attributes = []
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
        // Below zero: the end of a closing tag that was cut off.
        if (silent || start < 0 || start >= end) return
        if (last?.kind === 'text' && last.end === start)
          tokens[tokens.length - 1] = { ...last, end }
        else tokens.push({ kind: 'text', start, end })
      },
      ontextentity: (codePoint, end) => {
        const last = tokens.at(-1)
        if (silent) return
        // One reference may stand for two characters, which are reported one after the other.
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
      ondeclaration: (_, end) =>
        tokens.push({ kind: 'declaration', start: afterLast(), end: past(end) }),
      onprocessinginstruction: (_, end) =>
        tokens.push({ kind: 'declaration', start: afterLast(), end: past(end) }),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribname: (start, end) => {
        attribute = text.slice(start, Math.min(end, start + 200)).toLowerCase()
        attributeEnd = end
      },
      onattribend: (kind, end) => {
        if (kind === quotes.none || !(kept.has(attribute) || others.has(attribute))) return
        const quote = kind === quotes.double ? '"' : kind === quotes.single ? "'" : ''
        const value = valueIn(text, attributeEnd, end, quote)
        if (value) attributes.push({ name: attribute, ...value, quote })
      },
      onend: nothing,
    },
  )
  const afterLast = () => tokens.at(-1)?.end ?? 0
  tokenizer.write(text)
  tokenizer.end()
  return tokens
}

/** The tokenizer's own numbers. */
const quotes = { none: 0, single: 2, double: 3 }

/**
 * The range of the value between the name and the end of an attribute; undefined if it has none.
 */
function valueIn(
  text: string,
  from: number,
  end: number,
  quote: string,
): { start: number; end: number } | undefined {
  let start = text.indexOf('=', from) + 1
  while (start < end && ' \t\r\n\f'.includes(text.charAt(start))) start += 1
  const value = quote === '' ? { start, end } : { start: start + 1, end: end - 1 }
  return value.end > value.start ? value : undefined
}

/** Blanks written as references, and numbers without a character, stay codes. */
function characterOf(codePoint: number): string | undefined {
  return codePoint <= 32 || codePoint === 0xfffd ? undefined : String.fromCodePoint(codePoint)
}
