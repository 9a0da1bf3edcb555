/**
 * Rich text for translators: a sentence is one text, however many nodes it has. Formatted nodes and
 * links are `<g id="…">…</g>`, everything without text is `<x id="…"/>`; characters are escaped as
 * in XML. The id is made from the node's own attributes: a mark finds its node in whatever order
 * it comes back, and nodes with equal attributes may stand for each other.
 */
import { createHash } from 'node:crypto'
import { isObject, type Members } from '../schema.ts'

export const marks = /<g id="[^"<>]{0,64}">|<\/g>|<x id="[^"<>]{0,64}"\/>/g

/** What differs between the editors whose rich text is a tree of nodes. */
export type Nodes = {
  isText(node: Members): boolean
  /** A text without any format: it gets no mark. */
  isPlain(node: Members): boolean
  /** A text that is the same in every language, such as code. */
  isKept(node: Members): boolean
  plain(text: string): Members
  /** The last touch on the children of a parent. */
  finish?(children: Members[]): Members[]
}

export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'))

const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
export const unescapeText = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos);/g, (all, name: string) => names[name] ?? all)

/** The same for equal attributes, in whatever order they were written. */
export const markId = (attributes: string): string =>
  createHash('sha256').update(attributes).digest('hex').slice(0, 8)

const childrenOf = (node: Members): Members[] | undefined =>
  Array.isArray(node.children) ? (node.children as Members[]) : undefined

function idOf(node: Members): string {
  const { text: _, children: __, fields, ...attributes } = node
  // The texts of a block inside a sentence are texts of their own, and change.
  const named = isObject(fields) && 'blockType' in fields ? [fields.blockType, fields.id] : fields
  return markId(canonical([attributes, named ?? null]))
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join()}}`
}

const textOf = (node: Members): string => (typeof node.text === 'string' ? node.text : '')

/** The text of a run of inline nodes; empty if it has nothing to translate. */
export function encode(run: readonly Members[], how: Nodes): string {
  const only = run[0]
  if (run.length === 1 && only && how.isText(only))
    return how.isKept(only) ? '' : escapeText(textOf(only))
  const text = run.map((node) => encodeNode(node, how)).join('')
  return text.replace(marks, '').trim() === '' ? '' : text
}

function encodeNode(node: Members, how: Nodes): string {
  if (how.isText(node)) {
    if (textOf(node) === '') return ''
    if (how.isKept(node)) return `<x id="${markId(`${idOf(node)} ${textOf(node)}`)}"/>`
    const text = escapeText(textOf(node))
    return how.isPlain(node) ? text : `<g id="${idOf(node)}">${text}</g>`
  }
  const children = childrenOf(node)
  if (!children) return `<x id="${idOf(node)}"/>`
  return `<g id="${idOf(node)}">${children.map((child) => encodeNode(child, how)).join('')}</g>`
}

type Marked = { readonly id: string; readonly isPair: boolean; readonly node: Members }

function markedIn(run: readonly Members[], how: Nodes): Marked[] {
  return run.flatMap((node): Marked[] => {
    if (how.isText(node)) {
      if (textOf(node) === '' || (how.isPlain(node) && !how.isKept(node))) return []
      const id = how.isKept(node) ? markId(`${idOf(node)} ${textOf(node)}`) : idOf(node)
      return [{ id, isPair: !how.isKept(node), node }]
    }
    const children = childrenOf(node)
    const own = { id: idOf(node), isPair: children !== undefined, node }
    return children ? [own, ...markedIn(children, how)] : [own]
  })
}

type Mark = { readonly mark: string; readonly inside?: Piece[] }
type Piece = { readonly text: string } | Mark

/** A text without its escapes as a tree; marks that are not closed are closed at its end. */
function parse(text: string): Piece[] {
  const root: Piece[] = []
  const open: Piece[][] = [root]
  const here = () => open.at(-1) ?? root
  let from = 0
  const flush = (to: number) => {
    if (to > from) here().push({ text: unescapeText(text.slice(from, to)) })
  }
  for (const found of text.matchAll(marks)) {
    flush(found.index)
    from = found.index + found[0].length
    const id = /"(.*)"/.exec(found[0])?.[1] ?? ''
    if (found[0] === '</g>') {
      if (open.length > 1) open.pop()
    } else if (found[0].startsWith('<x')) here().push({ mark: id })
    else {
      const inside: Piece[] = []
      here().push({ mark: id, inside })
      open.push(inside)
    }
  }
  flush(text.length)
  return root
}

/**
 * The run with the texts of a translation. A mark without its node gets the next free one of its
 * kind, else only its text stays; a node without text that the translation lacks comes last.
 */
export function decode(text: string, run: readonly Members[], how: Nodes): Members[] {
  const only = run[0]
  if (run.length === 1 && only && how.isText(only))
    return [{ ...only, text: unescapeText(text.replace(marks, '')) }]
  const pieces = parse(text)
  const nodes = assign(pieces, markedIn(run, how))
  const used = new Set(nodes.values())
  const build = (list: readonly Piece[]): Members[] =>
    list.flatMap((piece): Members[] => {
      if ('text' in piece) return [how.plain(piece.text)]
      const node = nodes.get(piece)
      if (!node) return build(piece.inside ?? [])
      if (!piece.inside) return [{ ...node }]
      if (!how.isText(node)) return [withChildren(node, build(piece.inside), how)]
      return [
        { ...node, text: plainTextOf(piece.inside) },
        ...build(piece.inside.filter((inner) => 'mark' in inner && !inner.inside)),
      ]
    })
  const built = build(pieces)
  const lost = markedIn(run, how).filter(({ isPair, node }) => !isPair && !used.has(node))
  const whole = [...built, ...lost.map(({ node }) => ({ ...node }))]
  return how.finish ? how.finish(whole) : whole
}

const withChildren = (node: Members, children: Members[], how: Nodes): Members => ({
  ...node,
  children: children.length > 0 ? children : [how.plain('')],
})

const plainTextOf = (pieces: readonly Piece[]): string =>
  pieces.map((one) => ('text' in one ? one.text : plainTextOf(one.inside ?? []))).join('')

function assign(pieces: readonly Piece[], marked: readonly Marked[]): Map<Piece, Members> {
  const found = new Map<Piece, Members>()
  const free = new Set(marked)
  const all = flat(pieces)
  const take = (piece: Mark, isExact: boolean) => {
    const isPair = piece.inside !== undefined
    const one = [...free].find(
      (mark) => mark.isPair === isPair && (!isExact || mark.id === piece.mark),
    )
    if (!one || found.has(piece)) return
    free.delete(one)
    found.set(piece, one.node)
  }
  for (const piece of all) take(piece, true)
  for (const piece of all) take(piece, false)
  return found
}

const flat = (pieces: readonly Piece[]): Mark[] =>
  pieces.flatMap((one) => ('mark' in one ? [one, ...flat(one.inside ?? [])] : []))

/** Whether a translation has every mark of its source, as often, and each pair is closed. */
export function hasSameMarks(source: string, target: string): boolean {
  const tally = (text: string) => (text.match(marks) ?? []).toSorted().join('')
  let depth = 0
  for (const mark of target.match(marks) ?? []) {
    if (mark.startsWith('<g')) depth += 1
    else if (mark === '</g>') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0 && tally(source) === tally(target)
}
