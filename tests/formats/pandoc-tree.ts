/** A Markdown document as pandoc reads it. */
import { ask } from './judge.ts'

type Node = { readonly t: string; readonly c?: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 't' in value
const spoken = new Set(['Str', 'Space', 'SoftBreak', 'Quoted'])

const gfm = 'gfm+yaml_metadata_block-gfm_auto_identifiers-emoji-autolink_bare_uris'

function blocksOf(source: string, format: string): Node[] {
  return (JSON.parse(ask('pandoc', ['-f', format, '-t', 'json'], source)) as { blocks: Node[] })
    .blocks
}

/**
 * Its shape without its words: what is emphasised, which code and which addresses there are, in
 * their order. With `words`: each block's words.
 */
export function pandocTree(source: string, words = false): unknown[] {
  if (!words) return blocksOf(source, gfm).flatMap(shapeOf)
  return blocksOf(source, 'commonmark').map((block) => wordsOf(block).replace(/\s+/g, ' ').trim())
}

/**
 * Whether two documents have the same shape. After a line with a bar, which could be a heading of a
 * table, pandoc does not let the next line continue a list item without indentation, as CommonMark
 * does. Written on one line the item has no such line, so pandoc is asked again without tables, if
 * it sees the same number of tables.
 */
export function sameTree(one: string, other: string): boolean {
  const [left, right] = [one, other].map((source) => JSON.stringify(pandocTree(source)))
  if (left === right) return true
  const tables = (tree = '') => tree.split('"Table"').length
  const [plain, again] = [one, other].map((source) =>
    JSON.stringify(blocksOf(source, `${gfm}-pipe_tables`).flatMap(shapeOf)),
  )
  return tables(left) === tables(right) && plain === again
}

function shapeOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(shapeOf)
  if (!isNode(value)) return []
  if (spoken.has(value.t)) return value.t === 'Quoted' ? shapeOf(value.c) : []
  if (value.t === 'RawBlock' || value.t === 'RawInline')
    return tagsOf(String((value.c as unknown[])[1]))
  if (/^(?:Code|CodeBlock)$/.test(value.t)) return [`${value.t} ${JSON.stringify(value.c)}`]
  const isLink = value.t === 'Link' || value.t === 'Image'
  const [url, title] = isLink ? ((value.c as unknown[])[2] as string[]) : []
  // A title is text.
  const address = isLink && [url, title !== '']
  const inner = shapeOf(value.c)
  return [
    address ? `${value.t} ${JSON.stringify(address)}` : value.t,
    ...(inner.length > 0 ? [inner] : []),
  ]
}

/** Each tag, without attributes that are text, and with one blank for a line end. */
const tagsOf = (html: string): string[] =>
  (html.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag
      .replace(/\s+/g, ' ')
      .replace(
        /\b(alt|title|placeholder|label|aria-label|content)=(?:"[^"]*"|'[^']*'|[^\s>]*)/gi,
        '$1',
      ),
  )

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join('')
  if (!isNode(value)) return ''
  if (value.t === 'Str') return String(value.c)
  return value.t === 'Space' || value.t === 'SoftBreak'
    ? ' '
    : value.t === 'Para'
      ? wordsOf(value.c)
      : `«${value.t}»`
}
