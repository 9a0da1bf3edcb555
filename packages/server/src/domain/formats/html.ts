/**
 * HTML: what stands between two block tags is a segment, with its inline tags as codes. `translate="no"` and the class
 * `notranslate` are honoured; scripts, styles, comments and attributes are left alone.
 */
import { defineFormat, type Place } from './define-format.ts'
import { type HtmlToken, scanHtml } from './html-tokens.ts'
import { type Piece, tagPiece } from './protect.ts'
import { refer } from './xml-text.ts'

const inline = new Set(
  `a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp small
   span strike strong sub sup time tt u var wbr`.split(/\s+/),
)
const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

export const html = defineFormat({
  id: 'html',
  charset: { declared: declaredCharset, fallsBack: true },
  refer,
  find: (text) => {
    const places: Place[] = []
    let run: HtmlToken[] = []
    const finish = () => {
      const place = placeRun(text, run)
      if (place) places.push(place)
      run = []
    }
    const tokens = scanHtml(text)
    const closing = matchTags(tokens)
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]
      if (!token) break
      const isTag = token.kind === 'open' || token.kind === 'close'
      const locked = token.kind === 'open' && isLocked(text, token) ? (closing[at] ?? at) : at
      if (isTag ? !inline.has(token.name) : token.kind === 'declaration') finish()
      else if (locked > at) run.push({ ...token, kind: 'comment', end: tokens[locked]?.end ?? token.end })
      else run.push(token)
      at = locked
    }
    finish()
    return places
  },
})

function placeRun(text: string, run: readonly HtmlToken[]): Place | undefined {
  const spoken = run.findIndex((token) => !isBlank(text, token))
  const last = run.findLastIndex((token) => !isBlank(text, token))
  const [opening, closing] = [run[spoken], run[last]]
  if (!opening || !closing || !run.some(({ kind }) => kind === 'text' || kind === 'reference')) return undefined
  const lead = opening.kind === 'text' ? (/^\s*/.exec(text.slice(opening.start, opening.end))?.[0].length ?? 0) : 0
  const tail = closing.kind === 'text' ? text.slice(closing.start, closing.end) : ''
  const trail = tail.length - tail.trimEnd().length
  const [start, end] = [opening.start + lead, closing.end - trail]
  const spellings = new Map<string, string>()
  const pieces = joinTexts(
    run.slice(spoken, last + 1).flatMap((token): Piece[] => {
      const raw = text.slice(Math.max(start, token.start), Math.min(end, token.end))
      return raw === '' ? [] : [pieceOf(token, raw, spellings)]
    }),
  )
  return { pieces, start, end, spell: (words) => spell(words, spellings) }
}

const isBlank = (text: string, token: HtmlToken): boolean =>
  token.kind === 'text' && !/\S/.test(text.slice(token.start, token.end))

function pieceOf(token: HtmlToken, raw: string, spellings: Map<string, string>): Piece {
  if (token.kind === 'text') return { text: raw }
  if (token.kind === 'reference') {
    if (token.character === undefined) return { kind: 'entity', raw }
    const reference = raw.endsWith(';') ? raw : `${raw};`
    if (!spellings.has(token.character)) spellings.set(token.character, reference)
    return { text: token.character }
  }
  return token.kind === 'open' || token.kind === 'close' ? tagPiece(raw) : { kind: 'tag-empty', raw }
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

/** The references of the source are kept; `>` and quotes need none in text. */
function spell(text: string, spellings: ReadonlyMap<string, string>): string {
  return Array.from(
    text,
    (character) => spellings.get(character) ?? (character === '&' ? '&amp;' : character === '<' ? '&lt;' : character),
  ).join('')
}

function isLocked(text: string, token: HtmlToken): boolean {
  const tag = text.slice(token.start, Math.min(token.end, token.start + 4096))
  return /\stranslate\s*=\s*["']?no["'\s/>]|\sclass\s*=\s*(?:"[^"]*\bnotranslate\b|'[^']*\bnotranslate\b|notranslate\b)/i.test(
    tag,
  )
}

/** Opening tags to their closing ones, by name alone; one that is never closed ends with itself. */
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

function declaredCharset(head: string): string | undefined {
  return /<meta\s[^<>]{0,512}?charset\s{0,8}=\s{0,8}["']?([\w.:-]{1,64})/i.exec(head)?.[1]
}
