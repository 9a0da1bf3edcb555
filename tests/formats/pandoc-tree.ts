/** A Markdown document as pandoc reads it. */
import { ask } from './judge.ts'

type Node = { readonly t: string; readonly c?: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 't' in value
const spoken = new Set(['Str', 'Space', 'SoftBreak', 'Quoted'])

/** Its shape without its words: what is emphasised, which code and which addresses there are, in their order. With `words`: each block's words. */
export function pandocTree(source: string, words = false): unknown[] {
  const format = words ? 'commonmark' : 'gfm+yaml_metadata_block-gfm_auto_identifiers-emoji-autolink_bare_uris'
  const { blocks } = JSON.parse(ask('pandoc', ['-f', format, '-t', 'json'], source)) as { blocks: Node[] }
  return words ? blocks.map((block) => wordsOf(block).replace(/\s+/g, ' ').trim()) : blocks.flatMap(shapeOf)
}

function shapeOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(shapeOf)
  if (!isNode(value)) return []
  if (spoken.has(value.t)) return value.t === 'Quoted' ? shapeOf(value.c) : []
  if (value.t === 'RawBlock' || value.t === 'RawInline') return tagsOf(String((value.c as unknown[])[1]))
  if (/^(?:Code|CodeBlock)$/.test(value.t)) return [`${value.t} ${JSON.stringify(value.c)}`]
  const address = value.t === 'Link' || value.t === 'Image' ? (value.c as unknown[])[2] : undefined
  const inner = shapeOf(value.c)
  return [address ? `${value.t} ${JSON.stringify(address)}` : value.t, ...(inner.length > 0 ? [inner] : [])]
}

/** Each tag, without the attributes that are read out to people. */
const tagsOf = (html: string): string[] =>
  (html.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/\b(alt|title|placeholder|label|aria-label|content)=(?:"[^"]*"|'[^']*'|[^\s>]*)/gi, '$1'),
  )

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join('')
  if (!isNode(value)) return ''
  if (value.t === 'Str') return String(value.c)
  return value.t === 'Space' || value.t === 'SoftBreak' ? ' ' : value.t === 'Para' ? wordsOf(value.c) : `«${value.t}»`
}
