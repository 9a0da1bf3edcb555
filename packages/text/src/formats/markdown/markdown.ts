/**
 * Markdown (CommonMark and GFM): paragraphs, headings, list items and table cells are segments.
 * Code, URLs and markup stay. In front matter, the values of some keys are text. HTML between
 * paragraphs is read as HTML.
 */
import MarkdownIt from 'markdown-it'
import { defineFormat, type SegmentPlace } from '../define-format.ts'
import type { ReadOptions } from '../format.ts'
import { FormatError } from '../format-error.ts'
import { html } from '../html/html.ts'
import { placeTogether } from '../tag-holes.ts'
import { findValues } from '../yaml/yaml.ts'
import { readFootnotes } from './markdown-footnotes.ts'
import { type InlineRules, scanInline, spellMarkdown } from './markdown-inline.ts'
import { placeDefinition, placeTitle } from './markdown-titles.ts'
import { findTomlValues } from './toml-values.ts'

const parser = new MarkdownIt({ html: true })
readFootnotes(parser)
parser.core.ruler.enableOnly(['normalize', 'block'])
type Token = ReturnType<typeof parser.parse>[number]

/**
 * The parser makes a token by defining field after field, which takes longer than finding it. No
 * rule for blocks calls a method.
 */
parser.block.State.prototype.push = function (type, tag, nesting) {
  if (nesting < 0) this.level -= 1
  const fields = {
    type,
    tag,
    nesting,
    level: this.level,
    content: '',
    markup: '',
    info: '',
    attrs: null,
    map: null,
    children: null,
    meta: null,
    block: true,
    hidden: false,
  }
  const token = fields as unknown as Token
  if (nesting > 0) this.level += 1
  this.tokens.push(token)
  return token
}

export const frontMatterKeys = [
  'title',
  'linkTitle',
  'subtitle',
  'description',
  'summary',
  'excerpt',
  'lead',
  'caption',
  'alt',
  'tagline',
  'headline',
  'sidebar_label',
  'sidebar_title',
  'pagination_label',
  'keywords',
  'label',
  'details',
  'text',
]

export const markdown = defineFormat({
  id: 'markdown',
  charset: { fallsBack: true },
  find: function* (text, options) {
    const front = frontMatterOf(text)
    const keys = new Set(options.markdown?.frontMatter ?? frontMatterKeys)
    if (front) yield* valuesOf(text.slice(front.start, front.end), front, keys)
    const base = front?.after ?? 0
    const env: NonNullable<Parameters<typeof parser.parse>[1]> = {}
    const tokens = parser.parse(text.slice(base), env)
    const page: Page = {
      text,
      lines: linesOf(text, base),
      hasLabels: env.references !== undefined,
      isLabel: (label) =>
        Object.hasOwn(env.references ?? {}, parser.utils.normalizeReference(label)),
    }
    for (let at = 0; at < tokens.length; at += 1) yield* placesAt(page, tokens, at, options)
  },
})

type PageLine = { readonly start: number; readonly text: string; readonly eol: string }
type Page = Pick<InlineRules, 'isLabel'> & {
  readonly text: string
  readonly lines: readonly PageLine[]
  readonly hasLabels: boolean
}

const nothing: readonly SegmentPlace[] = []

function placesAt(
  page: Page,
  tokens: readonly Token[],
  at: number,
  options: ReadOptions,
): readonly SegmentPlace[] {
  const token = tokens[at]
  if (!token) return nothing
  if (token.type === 'html_block' && token.level === 0 && token.map) {
    const from = page.lines[token.map[0]]?.start ?? 0
    const to = page.lines[token.map[1]]?.start ?? page.text.length
    return Array.from(html.find(page.text.slice(from, to), options), (place) => ({
      ...place,
      start: place.start + from,
      end: place.end + from,
      ...(place.together && { together: `${from} ${place.together}` }),
    }))
  }
  if (token.type === 'tr_open') return placeRow(page, tokens, at)
  if (token.type === 'reference_definition')
    return placeDefinition(page.lines[token.map?.[0] ?? -1])
  const opening = tokens[at - 1]
  if (token.type !== 'inline' || !token.map || !opening || isCell(opening)) return nothing
  const isItem = opening.type === 'paragraph_open' && tokens[at - 2]?.type === 'list_item_open'
  const groups = spansOf(page, token, opening)
  if (groups.length === 1 && groups[0]) return placeLines(page, groups[0], opening, isItem)
  return groups.flatMap((spans, nth) => placeLines(page, spans, opening, isItem && nth === 0))
}

const isCell = ({ type }: Token): boolean => type === 'th_open' || type === 'td_open'

/**
 * The lines of a paragraph or a heading. A definition (`: text`), which the parser does not know,
 * begins a group of its own.
 */
function spansOf(page: Page, token: Token, opening: Token): Span[][] {
  const from = token.map?.[0] ?? 0
  const isHeading = opening.type === 'heading_open'
  const mark = isHeading && opening.markup.startsWith('#') ? opening.markup : undefined
  const groups: Span[][] = []
  let group: Span[] | undefined
  const contents = token.content.split('\n')
  for (let at = 0; at < contents.length; at += 1) {
    const span = spanOf(page.lines[from + at], contents[at]?.trim() ?? '', mark)
    if (!span) return []
    const isDefinition = !isHeading && span.text.startsWith(':') && /^:[ \t]/.test(span.text)
    if (group && !isDefinition) group.push(span)
    else {
      group = [isDefinition ? withoutMark(span) : span]
      groups.push(group)
    }
  }
  return groups
}

function withoutMark(span: Span): Span {
  const text = span.text.slice(1).trimStart()
  const length = span.text.length - text.length
  return {
    ...span,
    start: span.start + length,
    before: span.before + span.text.slice(0, length),
    text,
  }
}

/** Lines of a container (`:::note`) are layout. */
const isWords = ({ text }: Span): boolean => !text.startsWith(':::')

/** Joins lines, except at hard line breaks. */
function placeLines(
  page: Page,
  lines: readonly Span[],
  opening: Token,
  isItem: boolean,
): SegmentPlace[] {
  const isContainer = lines[0] !== undefined && !isWords(lines[0])
  const words = withoutAlert(lines)
  const begin = words.findIndex(isWords)
  const spans = words.every(isWords)
    ? words
    : words.slice(Math.max(0, begin), words.findLastIndex(isWords) + 1)
  const titles = (begin < 0 ? words : words.slice(0, begin)).flatMap((line) =>
    placeContainerTitle(page, line),
  )
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return titles
  const task = isItem ? (/^\[[ xX]\]\s{1,8}/.exec(first.text)?.[0].length ?? 0) : 0
  const { text, gaps } = joinSpans(spans)
  // Behind its mark, only the end of a heading may be taken for something else.
  const isMarked = opening.type === 'heading_open' && opening.markup.startsWith('#')
  const hasBar = text.startsWith('|')
  const place = placeText(page, {
    text: text.slice(task),
    gaps,
    start: first.start + task,
    end: last.start + last.text.length,
    inTable: false,
    compose: isMarked ? guardEnd : (written) => guardStart(written, { isContainer, hasBar }),
  })
  return titles.length === 0 ? place : [...titles, ...place]
}

/** The lines of a quote without the marker that makes it an alert: `> [!NOTE]`. */
function withoutAlert(lines: readonly Span[]): readonly Span[] {
  const [first, ...others] = lines
  if (!first?.before.includes('>')) return lines
  const [marker] = /^\[![A-Za-z]{1,40}\][+-]?[ \t]{0,8}/.exec(first.text) ?? []
  if (marker === undefined) return lines
  const rest = first.text.slice(marker.length)
  if (rest === '') return others
  return [
    {
      ...first,
      start: first.start + marker.length,
      before: first.before + marker,
      text: rest,
    },
    ...others,
  ]
}

/** What a container is called: `:::note Title` or `:::note[Title]`. */
function placeContainerTitle(page: Page, { start, text }: Span): SegmentPlace[] {
  const [lead] =
    /^:{3,40}[ \t]{0,8}[A-Za-z][\w-]{0,60}(?:\[|[ \t]{1,8}(?=[^\s{[]))/.exec(text) ?? []
  if (lead === undefined) return []
  const closing = lead.endsWith('[') ? text.lastIndexOf(']') : text.length
  const title = text.slice(lead.length, closing).trimEnd()
  if (!/\p{L}/u.test(title)) return []
  return placeText(page, {
    text: title,
    gaps: noGaps,
    start: start + lead.length,
    end: start + lead.length + title.length,
    inTable: false,
    compose: (written) => written.replace(/^[{[]/, '\\$&'),
  })
}

type Span = {
  readonly start: number
  readonly text: string
  readonly before: string
  readonly after: string
  readonly eol: string
}

/** The range of the content in a line; undefined if the parser has changed the content. */
function spanOf(
  line: PageLine | undefined,
  content: string,
  mark: string | undefined,
): Span | undefined {
  if (!line) return undefined
  const whole = line.text.trimEnd()
  const at =
    mark === undefined
      ? whole.length - content.length
      : whole.indexOf(content, whole.indexOf(mark) + mark.length)
  if (at < 0 || !whole.startsWith(content, at)) return undefined
  const before = line.text.slice(0, at)
  return {
    start: line.start + at,
    text: content,
    before,
    after: line.text.slice(at + content.length),
    eol: line.eol,
  }
}

const noGaps: readonly string[] = []

/**
 * A line end becomes a blank. A hard line break (two blanks or a backslash) becomes \n, with its
 * source in `gaps`.
 */
function joinSpans(spans: readonly Span[]): { text: string; gaps: readonly string[] } {
  // A single line: `placeLines` has left out those of containers.
  if (spans.length === 1 && spans[0]) return { text: spans[0].text, gaps: noGaps }
  const gaps: string[] = []
  let text = ''
  let gap: string | undefined
  spans.forEach((span, at) => {
    const next = spans[at + 1]
    const isLayout = span.text.startsWith(':::')
    const bare =
      /(?:^|[^\\])(?:\\\\){0,64}\\$/.test(span.text.slice(-130)) && next
        ? span.text.slice(0, -1)
        : span.text
    const isHard = next !== undefined && (bare !== span.text || /^ {2,}$/.test(span.after))
    const between = next
      ? span.text.slice(bare.length) + (isHard ? span.after : '') + span.eol + next.before
      : ''
    if (isLayout)
      gap =
        (gap ?? `${span.eol}${span.before}`) +
        span.text +
        span.after +
        span.eol +
        (next?.before ?? '')
    else {
      if (gap !== undefined && text !== '') {
        text += '\n'
        gaps.push(gap)
      } else if (text !== '') text += ' '
      text += bare
      gap = isHard || next?.text.startsWith(':::') ? between : undefined
    }
  })
  return { text, gaps }
}

type PageText = Pick<SegmentPlace, 'start' | 'end' | 'compose'> & {
  readonly text: string
  readonly gaps: readonly string[]
  readonly inTable: boolean
}

/** The text, after the titles of its links. */
function placeText(
  page: Page,
  { text, gaps, start, end, inTable, compose }: PageText,
): SegmentPlace[] {
  const { pieces, titles } = scanInline(text, { gaps, isLabel: page.isLabel })
  const spell = (words: string) => spellMarkdown(words, { hasLabels: page.hasLabels, inTable })
  const place = { pieces, start, end, spell, compose }
  if (titles.length === 0) return [place]
  return placeTogether(
    place,
    titles.map(({ link }) => link),
    titles.map((title) => placeTitle(title, { start, end: start }, inTable)),
  )
}

/** Escapes number signs that would close a heading. */
function guardEnd(written: string): string {
  const text = written.trimEnd()
  let at = text.length
  while (text[at - 1] === '#') at -= 1
  const closes = at < text.length && (at === 0 || /[ \t]/.test(text.charAt(at - 1)))
  return closes ? `${text.slice(0, at)}\\${text.slice(at)}` : written
}

type Guarded = {
  readonly isContainer: boolean
  /** Whether the source begins with a bar, which is no table there. */
  readonly hasBar: boolean
}

/** Escapes what would start another kind of block. */
function guardStart(written: string, { isContainer, hasBar }: Guarded): string {
  const text = written.trimStart()
  if (hasBar && text.startsWith('|')) return text
  const number = /^\d{1,9}(?=[.)](?:\s|$))/.exec(text)?.[0]
  if (number !== undefined) return `${number}\\${text.slice(number.length)}`
  const isBlock = /^(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|=+\s*$|-+\s*$|~~~|\||:(?:\s|$))/.test(
    text.slice(0, 256),
  )
  return isBlock || (!isContainer && text.startsWith(':::')) ? `\\${text}` : text
}

/** The cells of a row, split at unescaped bars, if they are the cells that the parser sees. */
function placeRow(page: Page, tokens: readonly Token[], row: number): SegmentPlace[] {
  const line = page.lines[tokens[row]?.map?.[0] ?? -1]
  if (!line) return []
  const contents: string[] = []
  for (let at = row + 1; tokens[at] && tokens[at]?.type !== 'tr_close'; at++)
    if (tokens[at]?.type === 'inline') contents.push(tokens[at]?.content ?? '')
  const cells = cellsOf(line.text)
  if (/^[\s>]*$/.test(cells[0]?.raw ?? '') && cells.length > 1) cells.shift()
  return contents.flatMap((content, at): SegmentPlace[] => {
    const cell = cells[at]
    const raw = cell?.raw.trim() ?? ''
    const own = raw.replaceAll('\\|', '|').endsWith(content)
      ? raw.slice(raw.length - (content.length + raw.split('\\|').length - 1))
      : raw
    const exact = [raw, own].find((one) => one.replaceAll('\\|', '|') === content)
    if (!cell || exact === undefined || content === '') return []
    // It is the end of the cell, but for blanks. (Looking for it takes the square of its length if
    // it repeats itself.)
    const start = line.start + cell.from + cell.raw.trimEnd().length - exact.length
    return placeText(page, {
      text: exact,
      gaps: [],
      start,
      end: start + exact.length,
      inTable: true,
    })
  })
}

function cellsOf(text: string): { from: number; raw: string }[] {
  const cells: { from: number; raw: string }[] = []
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') {
      cells.push({ from, raw: text.slice(from, at) })
      from = at + 1
    }
  }
  cells.push({ from, raw: text.slice(from) })
  return cells
}

function linesOf(text: string, from: number): PageLine[] {
  const lines: PageLine[] = []
  const ending = /\r\n|\r|\n|$/g
  for (let start = from; ; start = ending.lastIndex) {
    ending.lastIndex = start
    const found = ending.exec(text)
    const eol = found?.[0] ?? ''
    lines.push({ start, text: text.slice(start, found?.index), eol })
    if (eol === '') return lines
  }
}

type FrontMatter = {
  readonly isToml: boolean
  readonly start: number
  readonly end: number
  readonly after: number
}

/** Front matter that is a template and not valid YAML or TOML stays. */
function valuesOf(
  text: string,
  { isToml, start }: FrontMatter,
  keys: ReadonlySet<string>,
): SegmentPlace[] {
  try {
    return isToml ? findTomlValues(text, start, keys) : findValues(text, start, keys)
  } catch (error) {
    if (error instanceof FormatError && error.code === 'MALFORMED') return []
    throw error
  }
}

/**
 * YAML between two lines of dashes, or TOML between two lines of plus signs, at the start of the
 * file.
 */
function frontMatterOf(text: string): FrontMatter | undefined {
  const opening = /^(?:---|\+\+\+)[ \t]{0,8}(?:\r\n|\r|\n)/.exec(text)?.[0]
  if (opening === undefined) return undefined
  const isToml = opening.startsWith('+')
  const closing = isToml
    ? /^\+\+\+[ \t]{0,8}(?:\r\n|\r|\n|$)/gm
    : /^(?:---|\.\.\.)[ \t]{0,8}(?:\r\n|\r|\n|$)/gm
  closing.lastIndex = opening.length
  const found = closing.exec(text)
  return found
    ? { isToml, start: opening.length, end: found.index, after: found.index + found[0].length }
    : undefined
}
