/**
 * Renders our Markdown as HTML: headings and table rows have ids, code is coloured, links lead to
 * pages of the site, and examples use the address of the running hub. Of inline markup only `<kbd>`
 * is kept; the rest is escaped.
 */
import { posix } from 'node:path'
import MarkdownIt from 'markdown-it'
import { highlight } from './highlight.ts'
import { escapeHtml, type Html } from './html.ts'

export type Heading = {
  readonly level: number
  readonly text: string
  readonly id: string
  readonly says: string
}
/** The text before the first heading after the title has neither a title nor an id. */
export type Section = { readonly title: string; readonly id: string; readonly text: string }
type GuidePlace = {
  /** The file of the guide, from docs/ on. */
  readonly file: string
  readonly prefix: string
  readonly base: string
  /** The name of the guide in such a file, if there is one. */
  readonly guideOf: (file: string) => string | undefined
  /** The path of the page that shows such a file, if there is one. */
  readonly findShown: (file: string) => string | undefined
}

const parser = new MarkdownIt({ html: true })
type Token = ReturnType<typeof parser.parse>[number]

/** The address of the hub in the examples of the guides. */
const exampleHubs = ['http://127.0.0.1:8080', 'http://localhost:8080']

/** The tokens of a text; headings and named table rows have their ids. */
function read(text: string): Token[] {
  const tokens = parser.parse(text, {})
  const ids = new Set<string>()
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open')
      token.attrSet('id', fresh(ids, slugOf(plainText(tokens[at + 1]))))
    if (token.type === 'tr_open') nameRow(token, tokens[at + 2], ids)
  })
  return tokens
}

const levelOf = ({ tag }: Token): number => Number(tag.slice(1))
const idOf = (token: Token): string => String(token.attrGet('id'))

export function readHeadings(text: string): Heading[] {
  const tokens = read(text)
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const next = tokens[at + 3]?.type === 'paragraph_open' ? plainText(tokens[at + 4]) : ''
    return [{ level: levelOf(token), text: plainText(tokens[at + 1]), id: idOf(token), says: next }]
  })
}

/**
 * The text between two headings as readers see it, each paragraph, item, table row and line of code
 * on a line of its own.
 */
export function readSections(text: string): Section[] {
  const tokens = read(text)
  const sections: { title: string; id: string; lines: string[] }[] = [
    { title: '', id: '', lines: [] },
  ]
  let cells: string[] | undefined
  tokens.forEach((token, at) => {
    const lines = sections.at(-1)?.lines ?? []
    if (token.type === 'heading_open') {
      if (levelOf(token) > 1)
        sections.push({ title: plainText(tokens[at + 1]), id: idOf(token), lines: [] })
    } else if (token.type === 'tr_open') cells = []
    else if (token.type === 'tr_close') {
      lines.push((cells ?? []).join(' · '))
      cells = undefined
    } else if (token.type === 'fence' || token.type === 'code_block')
      lines.push(token.content.trim())
    else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      const words = plainText(token)
      if (words !== '') (cells ?? lines).push(words)
    }
  })
  return sections.map(({ title, id, lines }) => ({
    title,
    id,
    text: lines.join('\n').normalize('NFC'),
  }))
}

export function renderMarkdown(text: string, place: GuidePlace): Html {
  const tokens = read(withHub(text, place.base))
  labelCells(tokens)
  tokens.forEach((token) => {
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') relink(child, place)
      if (child.type === 'image') child.attrSet('src', pictureOf(child, place))
    }
  })
  return { markup: parser.renderer.render(tokens, parser.options, {}) }
}

const withHub = (text: string, base: string): string =>
  exampleHubs.reduce((whole, hub) => whole.replaceAll(hub, base), text)

const plainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) =>
      type === 'softbreak' ? ' ' : type === 'html_inline' ? '' : content,
    )
    .join('')

/** Slugs as GitHub makes them, so that the same link works there. */
function slugOf(words: string): string {
  return [...words.toLowerCase().trim()]
    .map((sign) => (/[\p{L}\p{N}_-]/u.test(sign) ? sign : /\s/.test(sign) ? '-' : ''))
    .join('')
}

function fresh(ids: Set<string>, id: string): string {
  let free = id
  for (let n = 1; ids.has(free); n++) free = `${id}-${n}`
  ids.add(free)
  return free
}

/**
 * On a narrow screen the cells are stacked: each then shows its column heading, and the roles keep
 * it a table.
 */
function labelCells(tokens: readonly Token[]): void {
  let heads: string[] = []
  let column = 0
  tokens.forEach((token, at) => {
    const role = roles[token.type]
    if (role !== undefined) token.attrSet('role', role)
    if (token.type === 'thead_open') heads = []
    if (token.type === 'tr_open') column = 0
    if (token.type === 'th_open') heads.push(plainText(tokens[at + 1]))
    if (token.type === 'td_open') token.attrSet('data-label', heads[column++] ?? '')
  })
}
const roles: Readonly<Record<string, string>> = {
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
}

/** A table row whose first cell is a name, such as a setting, gets an id to link to. */
function nameRow(row: Token, first: Token | undefined, ids: Set<string>): void {
  const name = plainText(first)
  if (/^[A-Za-z_][A-Za-z0-9_.:-]{2,60}$/.test(name) && !ids.has(name))
    row.attrSet('id', fresh(ids, name))
}

/** Links to files that are not part of the site become plain text. */
function relink(link: Token, { file: from, prefix, guideOf, findShown }: GuidePlace): void {
  const href = String(link.attrGet('href') ?? '')
  if (href.startsWith('#') || /^[a-z]+:/.test(href)) return
  const [path = '', anchor] = href.split('#')
  const file = posix.normalize(posix.join(posix.dirname(from), path))
  const shown = findShown(file)
  if (shown !== undefined) {
    link.attrSet('href', prefix + shown)
    return
  }
  const guide = file === '../README.md' ? 'README' : guideOf(file)
  if (guide === undefined) {
    link.tag = 'span'
    link.attrs = [['title', `In the repository: ${posix.normalize(posix.join('docs', file))}`]]
    return
  }
  const page =
    ({ README: '/docs', errors: '/docs/errors' } as Record<string, string>)[guide] ??
    `/docs/guides/${guide}`
  link.attrSet('href', `${prefix}${page}${anchor === undefined ? '' : `#${anchor}`}`)
}

const pictureOf = (image: Token, { prefix }: GuidePlace): string =>
  `${prefix}/docs/pictures/${posix.basename(String(image.attrGet('src')))}`

const { rules } = parser.renderer

rules.fence = (tokens, at) => {
  const { info, content } = tokens[at] as Token
  const language = info.trim().split(' ', 1)[0] ?? ''
  if (language === 'mermaid') return movesOf(content)
  const code = highlight(content.replace(/\n$/, ''), language || 'text').markup
  return `<div class="code" data-copy><pre tabindex="0"><code>${code}</code></pre></div>\n`
}
rules.code_block = rules.fence

/** A link that became a span must be closed as a span. */
rules.link_close = (tokens, at) => {
  let depth = 0
  for (let before = at; before >= 0; before--) {
    const { type, tag } = tokens[before] as Token
    if (type === 'link_close') depth++
    if (type === 'link_open' && --depth === 0) return `</${tag}>`
  }
  return '</a>'
}

rules.image = (tokens, at) => {
  const token = tokens[at] as Token
  const src = escapeHtml(String(token.attrGet('src')))
  return `<a class="picture" href="${src}"><img src="${src}" alt="${escapeHtml(token.content)}" loading="lazy"></a>`
}

/** Tags for keys are kept; comments are only for those who edit the file. */
const kept = ['<kbd>', '</kbd>']
rules.html_inline = (tokens, at) => {
  const { content } = tokens[at] as Token
  return kept.includes(content) ? content : escapeHtml(content)
}
rules.html_block = (tokens, at) => {
  const { content } = tokens[at] as Token
  return content.startsWith('<!--') ? '' : `<p>${escapeHtml(content)}</p>\n`
}

rules.table_open = () =>
  '<div class="wide" tabindex="0" role="group" aria-label="Table">\n<table role="table">\n'
rules.table_close = () => '</table></div>\n'

/** The arrows of a diagram as a list, for readers who cannot see the drawing. */
function movesOf(diagram: string): string {
  const rows = diagram.split('\n').flatMap((line) => {
    const [from = '', rest = ''] = line.trim().split(' --> ')
    const [to = '', on = ''] = rest.split(': ')
    return to === '' || from === '[*]' ? [] : [{ from, to, on }]
  })
  const item = ({ from, to, on }: (typeof rows)[number]): string =>
    `<li><span class="state ${escapeHtml(from)}">${escapeHtml(from)}</span> <span class="on">${escapeHtml(on)} →</span> <span class="state ${escapeHtml(to)}">${escapeHtml(to)}</span></li>`
  return `<ul class="moves">${rows.map(item).join('')}</ul>\n`
}
