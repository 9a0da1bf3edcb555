/**
 * HTML: the text between two block tags is a segment, with its inline tags as codes. Attributes
 * with text are segments too. `translate="no"` and the class `notranslate` are honoured; code,
 * scripts, styles and comments stay.
 */

import { buildParts, hasText } from '../../placeholders/parts.ts'
import { codeElements, keepsContent, type Piece, tagPiece } from '../../placeholders/protect.ts'
import { respell } from '../../placeholders/respell.ts'
import { defineFormat, type Edit, type SegmentPlace } from '../define-format.ts'
import { type Hollow, hollowOut, placeTogether } from '../tag-holes.ts'
import { refer } from '../xml/xml-text.ts'
import { readValue, spellValue, spokenAttributes } from './html-attributes.ts'
import { type HtmlTag, type HtmlToken, scanHtml } from './html-tokens.ts'

const inline = new Set(
  `a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp small
   span strike strong sub sup time tt u var wbr`.split(/\s+/),
)
const voids = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

export const html = defineFormat({
  id: 'html',
  charset: { declared: htmlCharset, fallsBack: true },
  refer,
  find: function* (text, { html: options }) {
    const others = new Set(options?.attributes?.map((name) => name.toLowerCase()))
    let run: HtmlToken[] = []
    const tokens = scanHtml(text, others)
    const closing = matchTags(tokens)
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]
      if (!token) break
      const isTag = token.kind === 'open' || token.kind === 'close'
      const locked = token.kind === 'open' && isLocked(text, token) ? (closing[at] ?? at) : at
      if (isTag ? !inline.has(token.name) : token.kind === 'declaration') {
        if (run.length > 0) {
          yield* placeRun(text, run, others)
          run = []
        }
        if (token.kind === 'open') yield* placeAttributes(text, token, others)
      } else if (locked > at)
        run.push({ ...token, kind: 'comment', end: tokens[locked]?.end ?? token.end })
      else run.push(token)
      at = locked
    }
    yield* placeRun(text, run, others)
  },
  retarget: (text, { targetLanguage, nameInFiles }): Edit[] => {
    if (!/<html/i.test(text)) return []
    const tokens = scanHtml(text, undefined, 'html')
    const root = tokens.find(
      (token): token is HtmlTag => token.kind === 'open' && token.name === 'html',
    )
    const named =
      root?.attributes?.filter(({ name }) => name === 'lang' || name === 'xml:lang') ?? []
    return named.map(({ start, end }) => ({ start, end, text: nameInFiles ?? targetLanguage }))
  },
})

const none: readonly SegmentPlace[] = []

/** The attributes of a tag that hold text, in their order. */
function placeAttributes(
  text: string,
  tag: HtmlTag,
  others: ReadonlySet<string>,
): readonly SegmentPlace[] {
  if (!tag.attributes || isLocked(text, tag)) return none
  return spokenAttributes(text, tag, others).flatMap(({ start, end, quote }): SegmentPlace[] => {
    const { pieces, spellings } = readValue(text.slice(start, end))
    const place = {
      pieces,
      start,
      end,
      spell: (words: string) => spellValue(words, quote, spellings),
    }
    return hasText(buildParts(pieces, place.spell)) ? [place] : []
  })
}

/**
 * The run as one segment, after the attributes of its tags. These are inside its codes, so their
 * values are empty there and are filled in when the run is written. In a run without text they stay
 * where they are.
 */
function placeRun(
  text: string,
  run: readonly HtmlToken[],
  others: ReadonlySet<string>,
): readonly SegmentPlace[] {
  if (run.every((token) => isBlank(text, token))) return none
  const said = run.map((token) =>
    token.kind === 'open' ? placeAttributes(text, token, others) : none,
  )
  const direct = said.flat()
  const spoken = run.findIndex((token) => !isBlank(text, token))
  const last = run.findLastIndex((token) => !isBlank(text, token))
  const [opening, closing] = [run[spoken], run[last]]
  if (!opening || !closing || !run.some(({ kind }) => kind === 'text' || kind === 'reference'))
    return direct
  const lead =
    opening.kind === 'text'
      ? (/^\s*/.exec(text.slice(opening.start, opening.end))?.[0].length ?? 0)
      : 0
  const tail = closing.kind === 'text' ? text.slice(closing.start, closing.end) : ''
  const trail = tail.length - tail.trimEnd().length
  const [start, end] = [opening.start + lead, closing.end - trail]
  const spellings = new Map<string, string>()
  const hollow: Hollow[] = []
  const pieces = joinTexts(
    run.slice(spoken, last + 1).flatMap((token, at): Piece | never[] => {
      const raw = text.slice(Math.max(start, token.start), Math.min(end, token.end))
      const inside = said[spoken + at] ?? none
      if (raw === '') return []
      if (inside.length === 0) return pieceOf(token, raw, spellings)
      const tag = hollowOut(raw, token.start, inside)
      hollow.push(tag)
      return tagPiece(tag.raw)
    }),
  )
  const place: SegmentPlace = { pieces, start, end, spell: (words) => spell(words, spellings) }
  if (hollow.length === 0) return [place]
  if (!hasText(buildParts(pieces, place.spell))) return direct
  return placeTogether(place, hollow, direct)
}

function isBlank(text: string, { kind, start, end }: HtmlToken): boolean {
  if (kind !== 'text') return false
  const first = text.charCodeAt(start)
  return !(first > 32 && first < 127) && !/\S/.test(text.slice(start, end))
}

function pieceOf(token: HtmlToken, raw: string, spellings: Map<string, string>): Piece {
  if (token.kind === 'text') return { text: raw }
  if (token.kind === 'reference') {
    if (token.character === undefined) return { kind: 'entity', raw }
    const reference = raw.endsWith(';') ? raw : `${raw};`
    if (!spellings.has(token.character)) spellings.set(token.character, reference)
    return { text: token.character }
  }
  return token.kind === 'open' || token.kind === 'close'
    ? tagPiece(raw)
    : { kind: 'tag-empty', raw }
}

function joinTexts(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  let texts: string[] = []
  const flush = () => {
    if (texts.length > 0) joined.push({ text: texts.join('') })
    texts = []
  }
  for (const piece of pieces) {
    if ('text' in piece) texts.push(piece.text)
    else {
      flush()
      joined.push(piece)
    }
  }
  flush()
  return joined
}

/** Keeps the references of the source; `>` and quotes need none in text. */
function spell(text: string, spellings: ReadonlyMap<string, string>): string {
  return respell(text, spellings, {
    special: /[&<]/g,
    spell: (character) => (character === '&' ? '&amp;' : '&lt;'),
  })
}

/** Code, and what the page itself keeps from translation. */
function isLocked(text: string, token: HtmlTag): boolean {
  if (codeElements.has(token.name) || token.end - token.start >= '<a translate=no>'.length)
    return keepsContent(
      token.name,
      text.slice(token.start, Math.min(token.end, token.start + 4096)),
    )
  return false
}

/** Maps opening tags to closing ones by name; an unclosed tag maps to itself. */
function matchTags(tokens: readonly HtmlToken[]): Int32Array {
  const closing = Int32Array.from(tokens, (_, at) => at)
  const open = new Map<string, number[]>()
  tokens.forEach((token, at) => {
    if (token.kind === 'open' && !voids.has(token.name)) {
      const waiting = open.get(token.name)
      if (waiting) waiting.push(at)
      else open.set(token.name, [at])
    }
    const partner = token.kind === 'close' ? open.get(token.name)?.pop() : undefined
    if (partner !== undefined) closing[partner] = at
  })
  return closing
}

export function htmlCharset(head: string): string | undefined {
  return /<meta\s[^<>]{0,512}?charset\s{0,8}=\s{0,8}["']?([\w.:-]{1,64})/i.exec(head)?.[1]
}
