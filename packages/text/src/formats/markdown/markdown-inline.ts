/**
 * The content of a Markdown paragraph: code, links, images, URLs, tags and emphasis become codes,
 * everything else is text. Escapes are resolved; when a text is written, every character that could
 * be markup is escaped again.
 */

import { keepsContent, type Piece, protect, tagPiece } from '../../placeholders/protect.ts'
import { type Hollow, hollowOut } from '../tag-holes.ts'
import {
  findLinks,
  type IsLabel,
  type Link,
  openCode,
  openMarkup,
  runLength,
} from './markdown-spans.ts'

/** `gaps` are the hard line breaks, one for each \n of the text. */
export type InlineRules = {
  readonly gaps?: readonly string[]
  readonly isLabel: IsLabel
}

const longestComment = 256
const punctuation = /[!-/:-@[-`{-~]/

/** Where none of these is, there is no markup. */
const marks = /[\\\n`<*_~[\]@$]|:[a-z0-9+-]|\{\/\*/

/** By the code of a character: 1 if a code may begin with it. */
const beginnings = new Uint8Array(128)
for (const one of '\\\n`<{hw*_~![]@:$') beginnings[one.charCodeAt(0)] = 1

/** The pieces of a paragraph, and the titles of its links: their place in the pieces is empty. */
export type Inline = {
  readonly pieces: Piece[]
  readonly titles: readonly {
    readonly value: string
    readonly quote: string
    readonly link: Hollow
  }[]
}

export function scanInline(text: string, { gaps = [], isLabel }: InlineRules): Inline {
  if (!marks.test(text)) return { pieces: protect(text), titles: [] }
  const titles: Inline['titles'][number][] = []
  /** A title over several lines, or without a word, stays in the code. */
  const withoutTitle = ({ piece, title }: Link): Piece => {
    if (!title || !('kind' in piece)) return piece
    const value = piece.raw.slice(title.start, title.end)
    if (!/\p{L}/u.test(value) || piece.raw.includes('\n')) return piece
    const link = hollowOut(piece.raw, 0, [title])
    titles.push({ value, quote: title.quote, link })
    return { ...piece, raw: link.raw }
  }
  const pieces: Piece[] = []
  const codeEnd = openCode(text)
  const markup = openMarkup(text)
  const closings = openClosings(text)
  const links = text.includes(']') ? findLinks(text, codeEnd, isLabel) : undefined
  let gap = 0
  let from = 0
  let at = 0
  const take = (piece: Piece, length: number) => {
    if (at > from) for (const one of protect(text.slice(from, at))) pieces.push(one)
    const isBroken = 'kind' in piece && piece.raw.includes('\n')
    pieces.push(
      isBroken ? { ...piece, raw: piece.raw.replaceAll('\n', () => gaps[gap++] ?? ' ') } : piece,
    )
    at += length
    from = at
  }
  while (at < text.length) {
    if (beginnings[text.charCodeAt(at)] !== 1) {
      at += 1
      continue
    }
    const one = text.charAt(at)
    const link = links?.get(at)
    if (link) take(withoutTitle(link), link.length)
    else if (one === '\\' && text.startsWith('\\![', at))
      take({ kind: 'placeholder', raw: '\\!' }, 2)
    else if (one === '\\' && punctuation.test(text.charAt(at + 1)))
      take({ text: text.charAt(at + 1) }, 2)
    else if (one === '\n') take({ kind: 'newline', raw: '\n' }, 1)
    else if (one === '`') {
      const end = codeEnd(at)
      const length = end === undefined ? runLength(text, at) : end - at
      take(
        end === undefined
          ? { text: text.slice(at, at + length) }
          : { kind: 'placeholder', raw: text.slice(at, end) },
        length,
      )
    } else if (one === '<') {
      const raw = markup(at)
      if (raw === undefined) at += 1
      else if (!/^<[A-Za-z/]/.test(raw)) take({ kind: 'placeholder', raw }, raw.length)
      else if (/^<[^\s>]{0,64}[:@]/.test(raw)) take({ kind: 'url', raw }, raw.length)
      else {
        const tag = tagPiece(raw)
        const kept = tag.kind === 'tag-open' && keepsContent(tag.name ?? '', raw)
        const end = kept ? closings(tag.name ?? '', at + raw.length) : undefined
        if (end === undefined) take(tag, raw.length)
        else take({ kind: 'placeholder', raw: text.slice(at, end) }, end - at)
      }
    } else if (one === '{' && text.startsWith('{/*', at)) {
      // A comment of MDX, such as the id of a heading.
      const end = text.slice(at, at + longestComment).indexOf('*/}')
      if (end < 0) at += 1
      else take({ kind: 'placeholder', raw: text.slice(at, at + end + 3) }, end + 3)
    } else if (one === '@' || one === ':' || one === '$') {
      const length = symbolLength(text, at)
      if (length === 0) at += 1
      else take({ kind: 'placeholder', raw: text.slice(at, at + length) }, length)
    } else if (one === 'h' || one === 'w') at += addressLength(text, at) || 1
    else if (one === '*' || one === '_' || (one === '~' && text[at + 1] === '~')) {
      const length = runLength(text, at)
      const piece = emphasisAt(text, at, length)
      if (piece) take(piece, length)
      else at += length
    } else at += 1
  }
  if (at > from) for (const one of protect(text.slice(from, at))) pieces.push(one)
  return { pieces, titles }
}

/**
 * Finds the end of the first closing tag of a name, from positions that only grow: an element of
 * code holds no other one of its name.
 */
function openClosings(text: string): (name: string, from: number) => number | undefined {
  let lower: string | undefined
  const next = new Map<string, number>()
  return (name, from) => {
    lower ??= text.toLowerCase()
    const closing = `</${name}>`
    let at = next.get(name) ?? -1
    if (at < from && at !== Number.POSITIVE_INFINITY) {
      at = lower.indexOf(closing, from)
      if (at < 0) at = Number.POSITIVE_INFINITY
      next.set(name, at)
    }
    return at > from + longestKept ? undefined : at + closing.length
  }
}

const longestKept = 4_096

/**
 * What sites read in Markdown beyond its own marks: a mention (`@user`), an emoji by its name
 * (`:tada:`), and maths between dollar signs, which touch no blank inside and no digit behind, so
 * that `$5 and $6` are prices. Maths that holds a sign of other markup is read as that.
 */
const symbols =
  /@[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:\/[A-Za-z0-9][\w-]{0,99})?(?![\w@.-]{0,64}@)|:[a-z0-9_+-]{1,40}:(?![\p{L}\p{N}_:])|\$\$[^$\n`[\]<*~]{1,1000}\$\$|\$(?![\s$])[^$\n`[\]<*~]{0,499}(?<![\s\\])\$(?![\d$])/uy

function symbolLength(text: string, at: number): number {
  // Behind a word it is an address, a time or an amount.
  if (/[\p{L}\p{N}_$:@/.-]/u.test(text.charAt(at - 1))) return 0
  symbols.lastIndex = at
  const [found = ''] = symbols.exec(text) ?? []
  const isNumber = found.startsWith(':') && /^:\d+:$/.test(found)
  return isNumber ? 0 : found.length
}

/**
 * Characters in a URL are not emphasis. Punctuation and emphasis marks at its end are not part of
 * it.
 */
function addressLength(text: string, at: number): number {
  if (
    /[A-Za-z0-9]/.test(text.charAt(at - 1)) ||
    !/^(?:https?:\/\/|www\.)/.test(text.slice(at, at + 8))
  )
    return 0
  let end = at
  while (end < text.length && end - at < 2_048 && !/[\s<>"`[\])]/.test(text.charAt(end))) end += 1
  while (/[*_~.,;:!?']/.test(text.charAt(end - 1))) end -= 1
  return end - at
}

const isSpace = (one: string): boolean => one === '' || /\s/.test(one)
const isMark = (one: string): boolean => /[\p{P}\p{S}]/u.test(one)

/**
 * The rules of CommonMark: a run opens before a word and closes after one; inside a word only stars
 * do.
 */
function emphasisAt(text: string, at: number, length: number): Piece | undefined {
  const [before, after] = [text.charAt(at - 1), text.charAt(at + length)]
  const left = !isSpace(after) && (!isMark(after) || isSpace(before) || isMark(before))
  const right = !isSpace(before) && (!isMark(before) || isSpace(after) || isMark(after))
  const isLine = text[at] === '_'
  const opens = left && (!isLine || !right || isMark(before))
  const closes = right && (!isLine || !left || isMark(after))
  if (!opens && !closes) return undefined
  const raw = text.slice(at, at + length)
  return {
    kind: closes && (!opens || isMark(after) || isSpace(after)) ? 'tag-close' : 'tag-open',
    raw,
    name: raw,
  }
}

/** Escapes a text, so that none of its characters is read as markup. */
export function spellMarkdown(text: string, rules: EscapeRules): string {
  if (!/[\r\n\\`*_~<&[\]|@:$]/.test(text)) return text
  const words = text.replace(/[\r\n]+/g, ' ')
  const isMarkup = ({ index }: RegExpExecArray) =>
    needsEscape(words, index, { ...rules, brackets: false })
  const brackets = hasLoneBracket(words) || [...words.matchAll(/[[\]]/g)].some(isMarkup)
  const own = { ...rules, brackets }
  return words.replace(/[\\`*_~<&[\]|@:$]/g, (one, at: number) =>
    needsEscape(words, at, own) ? `\\${one}` : one,
  )
}

/** One without its partner would end or begin the link around it: if one is escaped, all are. */
function hasLoneBracket(words: string): boolean {
  let open = 0
  for (const one of words) {
    if (one === '[') open += 1
    if (one === ']') open -= 1
    if (open < 0) return true
  }
  return open > 0
}

/** `hasLabels`: the page defines links by labels. */
type EscapeRules = { readonly hasLabels: boolean; readonly inTable: boolean }

const isBlank = (one: string): boolean => /\s/.test(one)
const isWord = (one: string): boolean => /[\p{L}\p{N}]/u.test(one)

function needsEscape(
  words: string,
  at: number,
  { hasLabels, inTable, brackets }: EscapeRules & { readonly brackets: boolean },
): boolean {
  const [before, one, after] = [words.charAt(at - 1), words.charAt(at), words.charAt(at + 1)]
  if (one === '@' || one === ':' || one === '$') return symbolLength(words, at) > 0
  if (one === '\\') return after === '' || punctuation.test(after)
  if (one === '*') return !(isBlank(before) && isBlank(after))
  if (one === '_') return !(isBlank(before) && isBlank(after)) && !(isWord(before) && isWord(after))
  if (one === '~') return before === '' || after === '' || before === '~' || after === '~'
  if (one === '<') return after === '' || /[A-Za-z/!?]/.test(after)
  if (one === '&')
    return after === '' || /^&(?:#\w{1,8}|[A-Za-z]\w{1,31});/.test(words.slice(at, at + 40))
  if (one === '[') return hasLabels || brackets || after === '' || after === '^'
  if (one === ']') return hasLabels || brackets || after === '' || /[([:]/.test(after)
  return one === '`' || inTable
}
