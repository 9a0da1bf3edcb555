/**
 * The texts of the paragraphs of an Office part, in order, each with the format of its run and the
 * elements around it. Paragraphs may be nested, as in text boxes.
 */
import { raw } from '../xml/xml-content.ts'
import type { Xml } from '../xml/xml-scan.ts'
import { nameOf, splitName } from '../xml/xml-tags.ts'

/**
 * Open elements and fields, the innermost first. They share what is around them, so that a text
 * does not copy all of it.
 */
export type Around = {
  /** The index of its start; negative for a field. */
  readonly id: number
  readonly up: Around | undefined
  /** The innermost element around it. */
  readonly element: Around | undefined
  readonly depth: number
}
/** A text element that is not empty. */
export type Leaf = {
  /** The indices of its two tags. */
  readonly open: number
  readonly close: number
  /** The format of its run, without invisible properties. */
  readonly look: string
  /** The elements and fields around it, below its paragraph. */
  readonly within: Around | undefined
  /** Between it and the text before is a tag that is more than the edge of a run. */
  readonly apart: boolean
  /** Between it and the text before is a paragraph. */
  readonly cut: boolean
}
/**
 * `alternative` is the index of the element that holds the same content twice; the second copy is
 * for older readers.
 */
export type Paragraph = {
  readonly leaves: Leaf[]
  readonly alternative: number
  readonly isFallback: boolean
}

const vocabularies = /(?:wordprocessingml|drawingml|spreadsheetml)\/(?:2006\/)?main$/
const paragraphs = new Set(['p', 'si', 'is'])
/** Texts that are not translated: phonetic readings, fields of slides, deleted or moved text. */
const silent = new Set(['rPh', 'fld', 'del', 'moveFrom'])
const unseen = new Set(['proofErr', 'lastRenderedPageBreak'])

type Frame = {
  readonly leaves: Leaf[]
  within: Around | undefined
  apart: boolean
  cut: boolean
  look: string
}

export function readParagraphs(xml: Xml): Paragraph[] {
  const { text, tokens, closing } = xml
  const prefixes = prefixesIn(text)
  const found: Paragraph[] = []
  const frames: { frame: Frame; close: number }[] = []
  const alternatives: { open: number; isFallback: boolean; close: number }[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (!token || (token.kind !== 'open' && token.kind !== 'empty' && token.kind !== 'close'))
      continue
    const tag = raw(text, token)
    const { prefix, local } = splitName(nameOf(tag))
    const isOurs = prefixes.has(prefix)
    const frame = frames.at(-1)?.frame
    if (token.kind === 'close') {
      if (frames.at(-1)?.close === at) {
        frames.pop()
        const outer = frames.at(-1)?.frame
        if (outer) outer.cut = true
      } else if (frame) leave(xml, frame, at)
      if (alternatives.at(-1)?.close === at) alternatives.pop()
      continue
    }
    const close = closing[at] ?? at
    if (local === 'AlternateContent' && token.kind === 'open')
      alternatives.push({ open: at, isFallback: false, close })
    const alternative = alternatives.at(-1)
    if (local === 'Fallback' && alternative) alternative.isFallback = true
    if (isOurs && silent.has(local) && token.kind === 'open') {
      if (frame) frame.apart = true
      at = close
    } else if (isOurs && paragraphs.has(local) && token.kind === 'open') {
      const leaves: Leaf[] = []
      frames.push({
        frame: { leaves, within: undefined, apart: false, cut: false, look: '' },
        close,
      })
      found.push({
        leaves,
        alternative: alternative?.open ?? -1,
        isFallback: alternative?.isFallback === true,
      })
    } else if (frame && isOurs && local === 't') {
      if (token.kind === 'open') {
        const { look, within, apart, cut } = frame
        frame.leaves.push({ open: at, close, look, within, apart, cut })
        frame.apart = false
        frame.cut = false
        at = close
      }
    } else if (frame && isOurs && local === 'r') frame.look = ''
    else if (frame && isOurs && local === 'rPr') {
      frame.look = lookOf(text.slice(token.start, tokens[close]?.end))
      at = close
    } else if (frame) enter(frame, at, token.kind === 'open', { tag, local })
  }
  return found
}

/**
 * A tag inside a paragraph that is neither a run nor a text. A field is open from its start to its
 * end.
 */
function enter(
  frame: Frame,
  at: number,
  isOpen: boolean,
  { tag, local }: { tag: string; local: string },
): void {
  if (unseen.has(local)) return
  frame.apart = true
  const kind =
    local === 'fldChar' ? /\bfldCharType\s{0,8}=\s{0,8}["'](\w{1,16})/.exec(tag)?.[1] : undefined
  if (kind === 'begin') frame.within = inside(frame.within, -at)
  if (kind === 'end' && (frame.within?.id ?? 0) < 0) frame.within = frame.within?.up
  else if (kind === 'end') frame.cut = true
  if (isOpen) frame.within = inside(frame.within, at)
}

const inside = (up: Around | undefined, id: number): Around => ({
  id,
  up,
  element: elementOf(up),
  depth: (up?.depth ?? 0) + 1,
})
const elementOf = (one: Around | undefined): Around | undefined =>
  one && one.id < 0 ? one.element : one

/**
 * Elements are nested, so a closing tag is that of the innermost element, if of any here. Its open
 * fields stay open.
 */
function leave({ closing }: Xml, frame: Frame, at: number): void {
  const top = elementOf(frame.within)
  if (!top || closing[top.id] !== at) return
  const fields: number[] = []
  for (let one = frame.within; one && one !== top; one = one.up) fields.push(one.id)
  frame.within = fields.reduceRight(inside, top.up)
  frame.apart = true
}

/** The prefixes of namespaces with paragraphs. The texts of formulas stay. */
function prefixesIn(text: string): Set<string> {
  const declared = text.matchAll(
    /\bxmlns(?::([\w.-]{1,64}))?\s{0,8}=\s{0,8}["']([^"']{1,256})["']/g,
  )
  return new Set(
    [...declared].flatMap(([, prefix = '', uri = '']) => (vocabularies.test(uri) ? [prefix] : [])),
  )
}

/** Language and spelling marks are invisible. */
const lookOf = (properties: string): string =>
  properties
    .replace(/\s(?:lang|altLang|dirty|err|smtClean|noProof)="[^"]{0,64}"/g, '')
    .replace(/<(?:\w{1,16}:)?(?:lang|noProof)(?:\s[^<>]{0,256})?\/>/g, '')
    .replace(/^<[\w:]{1,64}\s?(?:\/>|><\/[\w:]{1,64}>)$/, '')
