/**
 * Rich text of WordPress: HTML with comments that delimit blocks. Only texts between tags, and the
 * attributes a person reads, are replaced; every other byte stays. Tags inside a sentence travel as
 * marks. Attributes in a block's comment are texts only where the schema names them.
 */
import { own, type RichSchema, type Schema, step } from '../schema.ts'
import { markId, marks } from './marks.ts'
import type { TakeRich, WalkInside } from './nodes.ts'

const inline = new Set(
  `a abbr b bdi bdo br cite data del dfn em font i img ins label mark q s small span strike strong
   sub sup time tt u wbr`.split(/\s+/),
)
const kept = new Set('code kbd samp var script style svg pre math textarea'.split(' '))
/** Attributes that a person reads. */
const readable = /\s(alt|title|placeholder|aria-label)="([^"]*)"/g

/** Longer ones are text: nobody writes them, and looking for their end takes time. */
const longestTag = 64 * 1024
const tagName = /<\/?([A-Za-z][\w:-]{0,63})(?=[\s/>])/y
const shortcode = /\[\/?[A-Za-z][\w-]{0,63}[^[\]<>]{0,1024}\]/y

type Token = { readonly raw: string; readonly name?: string | undefined }
export type VisitBlocks = {
  readonly schema: RichSchema
  readonly take: TakeRich
  readonly inside: WalkInside
}

function* tokensOf(content: string): Iterable<Token> {
  let from = 0
  let lastComment = content.lastIndexOf('-->')
  for (let at = 0; at < content.length; ) {
    const next = tokenAt(content, at, lastComment)
    if (!next) {
      at += 1
      continue
    }
    if (at > from) yield { raw: content.slice(from, at), name: '' }
    yield next
    at += next.raw.length
    from = at
    if (at > lastComment) lastComment = -1
  }
  if (from < content.length) yield { raw: content.slice(from), name: '' }
}

function tokenAt(content: string, at: number, lastComment: number): Token | undefined {
  if (content[at] === '[') {
    shortcode.lastIndex = at
    const found = shortcode.exec(content)
    return found ? { raw: found[0] } : undefined
  }
  if (content[at] !== '<') return undefined
  if (content.startsWith('<!--', at)) {
    if (lastComment < at) return undefined
    return { raw: content.slice(at, content.indexOf('-->', at) + 3) }
  }
  tagName.lastIndex = at
  const name = tagName.exec(content)?.[1]
  const end = name === undefined ? undefined : tagEnd(content, at)
  return end === undefined ? undefined : { raw: content.slice(at, end), name: name?.toLowerCase() }
}

/** Behind the > that is not in quotes. */
function tagEnd(content: string, from: number): number | undefined {
  let quote = ''
  const last = Math.min(content.length, from + longestTag)
  for (let at = from + 1; at < last; at += 1) {
    const one = content[at]
    if (quote !== '') {
      if (one === quote) quote = ''
    } else if (one === '"' || one === "'") quote = one
    else if (one === '>') return at + 1
    else if (one === '<') return undefined
  }
  return undefined
}

/** The content with its texts replaced. */
export function visitBlocks(content: string, path: string, visit: VisitBlocks): string {
  const out: string[] = []
  let run: Token[] = []
  /** Positions of the open blocks, the last one that of the next. */
  const at = [0]
  let runs = 0
  let keptUntil: string | undefined
  let depthKept = 0
  const place = () => at.slice(0, -1).reduce<string>((whole, one) => step(whole, one - 1), path)
  const flush = () => {
    if (run.length > 0) out.push(writeRun(run, step(place(), `t${runs++}`), visit.take))
    run = []
  }
  for (const one of tokensOf(content)) {
    const { raw, name } = one
    if (keptUntil !== undefined) {
      if (name === keptUntil) depthKept += raw.startsWith('</') ? -1 : 1
      const last = run.at(-1)
      if (last) run[run.length - 1] = { raw: last.raw + raw, name: 'kept' }
      if (depthKept === 0) keptUntil = undefined
      continue
    }
    if (name && kept.has(name) && !raw.startsWith('</') && !raw.endsWith('/>')) {
      keptUntil = name
      depthKept = 1
      run.push({ raw, name: 'kept' })
      continue
    }
    const isTag = name !== undefined && name !== ''
    const isShortcode = name === undefined && raw.startsWith('[')
    if (name === '' || isShortcode || (isTag && inline.has(name))) {
      run.push(one)
      continue
    }
    flush()
    const block = /^<!--\s+(\/)?wp:/.exec(raw)
    if (block?.[1]) {
      if (at.length > 1) at.pop()
      out.push(raw)
    } else if (block) {
      at[at.length - 1] = (at.at(-1) ?? 0) + 1
      runs = 0
      out.push(writeComment(raw, step(place(), (at.at(-1) ?? 1) - 1), visit))
      if (!/\/\s*-->$/.test(raw)) at.push(0)
    } else out.push(writeReadable(raw, () => step(place(), `a${runs++}`), visit.take))
  }
  flush()
  return out.join('')
}

/** `<!-- wp:name {json} -->`: named attributes of its JSON. */
function writeComment(raw: string, path: string, { schema, inside }: VisitBlocks): string {
  const found = /^(<!--\s+wp:([a-z][\w/-]*)\s+)(\{[\s\S]*\})(\s+\/?-->)$/.exec(raw)
  const [, head = '', name = '', json = '', tail = ''] = found ?? []
  const block = own(schema.blocks ?? {}, name) as Schema | undefined
  if (!block) return raw
  let attributes: unknown
  try {
    attributes = JSON.parse(json)
  } catch {
    return raw
  }
  const before = JSON.stringify(attributes)
  inside(attributes, block, step(path, 'attrs'))
  const after = JSON.stringify(attributes)
  return before === after ? raw : `${head}${escapeAttributes(after)}${tail}`
}

/** As serialize_block_attributes() of WordPress does. */
const escapeAttributes = (json: string): string =>
  json
    .replace(/--/g, '\\u002d\\u002d')
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026')
    .replace(/\\"/g, '\\u0022')

function writeReadable(raw: string, pathOf: () => string, take: TakeRich): string {
  if (!raw.startsWith('<') || raw.startsWith('<!') || raw.startsWith('</')) return raw
  return raw.replace(readable, (all, name: string, value: string) => {
    if (value.trim() === '') return all
    const given = take(value, step(pathOf(), name))
    return given === undefined ? all : ` ${name}="${given.replace(/"/g, '&quot;')}"`
  })
}

/** A sentence with its tags as marks. Blanks around it are not sent. */
function writeRun(run: readonly Token[], path: string, take: TakeRich): string {
  const tags: { id: string; raw: string; isClosing: boolean }[] = []
  const open: string[] = []
  let number = 0
  const shown = run
    .map((one) => {
      if (one.name === '') return one.raw
      const raw = writeReadable(one.raw, () => step(path, `a${number++}`), take)
      const isClosing = raw.startsWith('</')
      const isPair = isClosing
        ? open.includes(String(one.name))
        : isClosedIn(run, one) && one.name !== 'kept'
      const id = markId(one.raw)
      tags.push({ id, raw, isClosing })
      if (!isPair) return `<x id="${id}"/>`
      if (!isClosing) {
        open.push(String(one.name))
        return `<g id="${id}">`
      }
      open.splice(open.lastIndexOf(String(one.name)), 1)
      return '</g>'
    })
    .join('')
  const text = shown.trim()
  const isText =
    text
      .replace(marks, '')
      .replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
      .trim() !== ''
  const given = isText ? take(text, path) : undefined
  if (given === undefined) return restore(shown, tags)
  const from = shown.indexOf(text)
  return shown.slice(0, from) + restore(given, tags) + shown.slice(from + text.length)
}

/** An opening tag counts as one of a pair only if its closing tag is in the same sentence. */
function isClosedIn(run: readonly Token[], opening: Token): boolean {
  const at = run.indexOf(opening)
  let depth = 0
  for (const { raw, name } of run.slice(at)) {
    if (name !== opening.name || raw.endsWith('/>')) continue
    depth += raw.startsWith('</') ? -1 : 1
    if (depth === 0) return true
  }
  return false
}

type Tag = { readonly id: string; readonly raw: string; readonly isClosing: boolean }

function restore(text: string, tags: readonly Tag[]): string {
  const free = [...tags.filter(({ isClosing }) => !isClosing)]
  const closings: string[] = []
  const takeTag = (id: string): Tag | undefined => {
    const exact = free.findIndex((tag) => tag.id === id)
    const [tag] = free.splice(Math.max(exact, 0), 1)
    return tag
  }
  const loose = tags.filter(({ isClosing }) => isClosing)
  return text.replace(marks, (mark) => {
    if (mark === '</g>') return closings.pop() ?? ''
    const id = /"(.*)"/.exec(mark)?.[1] ?? ''
    const closing = mark.startsWith('<x') ? loose.find((tag) => tag.id === id) : undefined
    if (closing) return closing.raw
    const tag = takeTag(id)
    if (!tag) return ''
    const name = /^<([A-Za-z][\w:-]*)/.exec(tag.raw)?.[1]
    if (mark.startsWith('<g')) closings.push(name ? closingOf(tags, name) : '')
    return tag.raw
  })
}

/** As the source spells it. */
const closingOf = (tags: readonly Tag[], name: string): string =>
  tags.find(({ raw }) => raw.toLowerCase().startsWith(`</${name.toLowerCase()}`))?.raw ??
  `</${name}>`
