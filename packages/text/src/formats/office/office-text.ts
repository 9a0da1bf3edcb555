/**
 * The paragraphs of an Office part as segments. Neighbouring runs with the same format are one
 * text. Everything between two texts, from the end of one to the start of the next, is one code, so
 * that the part stays well-formed wherever it is moved.
 */

import type { Piece } from '../../placeholders/protect.ts'
import { bounds } from '../bounds.ts'
import type { Edit, SegmentPlace } from '../define-format.ts'
import { raw } from '../xml/xml-content.ts'
import { scanXml, type Xml } from '../xml/xml-scan.ts'
import { attributeOf, nameOf, setAttribute, splitName } from '../xml/xml-tags.ts'
import { readCdata, readCharacters, type Spellings, spellText } from '../xml/xml-text.ts'
import { type Around, type Leaf, readParagraphs } from './office-leaves.ts'

/** `isKept` tells whether other parts refer to a text. */
export function officePlaces(
  text: string,
  isKept: (plain: string) => boolean = () => false,
): SegmentPlace[] {
  // Large sheets of numbers are not scanned at all.
  if (!/<(?:\w{1,64}:)?t[\s>]/.test(text)) return []
  const xml = scanXml(text)
  const all = readParagraphs(xml).flatMap(({ leaves, ...where }) =>
    segmentsOf(leaves).map((segment) => ({ ...where, place: placeOf(xml, segment) })),
  )
  const spare = new Map<string, SegmentPlace[]>()
  for (const { isFallback, alternative, place } of all) {
    const key = keyOf(alternative, place)
    if (!isFallback) continue
    const alike = spare.get(key) ?? []
    alike.push(place)
    spare.set(key, alike)
  }
  for (const alike of spare.values()) alike.reverse()
  const mirrored = new Set<SegmentPlace>()
  const twinned = all.map(({ isFallback, alternative, place }): SegmentPlace => {
    const twin =
      isFallback || alternative < 0 ? undefined : spare.get(keyOf(alternative, place))?.pop()
    if (!twin) return place
    mirrored.add(twin)
    return { ...place, also: (target, written) => mirror(place, twin, target, written) }
  })
  // A text that only older readers see is a segment of its own.
  return twinned
    .filter((place) => !mirrored.has(place) && !isKept(plainOf(place)))
    .sort((one, other) => one.start - other.start)
}

const plainOf = ({ pieces }: SegmentPlace): string =>
  pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
const keyOf = (alternative: number, { pieces }: SegmentPlace): string =>
  `${alternative} ${JSON.stringify(pieces)}`

const mirror = (
  place: SegmentPlace,
  twin: SegmentPlace,
  target: { targetLanguage: string },
  written: string,
): Edit[] => [
  ...(place.also?.(target, written) ?? []),
  ...(twin.also?.(target, written) ?? []),
  { start: twin.start, end: twin.end, text: written },
]

/**
 * Splits the texts of a paragraph where an element starts in one piece and would end in another.
 */
function segmentsOf(leaves: readonly Leaf[]): Leaf[][] {
  const cuts = new Set(leaves.flatMap((leaf, at) => (leaf.cut || at === 0 ? [at] : [])))
  const isCrowded = leaves.filter(({ apart }) => apart).length > bounds.tagsInSegment
  const seams = leaves.map((leaf, at) => changeOf(leaves[at - 1]?.within, leaf.within))
  const open: { at: number; ids: string }[] = []
  const pairs: [number, number][] = []
  seams.forEach(({ closed, opened }, at) => {
    if (at === 0) return
    if (isCrowded && (leaves[at]?.apart || leaves[at]?.look !== leaves[at - 1]?.look)) cuts.add(at)
    if (closed.length > 0 && opened.length > 0) cuts.add(at)
    else if (opened.length > 0) open.push({ at, ids: opened.join() })
    else if (closed.length > 0) {
      const top = open.pop()
      if (top?.ids === closed.join()) pairs.push([top.at, at])
      else {
        cuts.add(at)
        if (top) cuts.add(top.at)
      }
    }
  })
  for (const { at } of open) cuts.add(at)
  closeOver(cuts, pairs)
  const segments: Leaf[][] = []
  leaves.forEach((leaf, at) => {
    if (cuts.has(at)) segments.push([leaf])
    else segments.at(-1)?.push(leaf)
  })
  return segments
}

/**
 * An element that contains a cut is cut at both ends. Pairs come from the inside out, so one pass
 * is enough.
 */
function closeOver(cuts: Set<number>, pairs: readonly [number, number][]): void {
  for (const [from, to] of pairs) {
    let isCut = cuts.has(from) || cuts.has(to)
    for (let at = from; at <= to && !isCut && to - from <= bounds.tagsInSegment * 4; at += 1)
      isCut = cuts.has(at)
    if (isCut || to - from > bounds.tagsInSegment * 4) cuts.add(from).add(to)
  }
}

/** From one text to the next: which elements and fields end in between, and which start. */
function changeOf(
  before: Around | undefined,
  after: Around | undefined,
): { closed: number[]; opened: number[] } {
  const closed: number[] = []
  const opened: number[] = []
  for (let [one, other] = [before, after]; one !== other; ) {
    const [deep, deeper] = [one?.depth ?? 0, other?.depth ?? 0]
    if (deep >= deeper && one) closed.push(one.id)
    if (deeper >= deep && other) opened.push(other.id)
    if (deep >= deeper) one = one?.up
    if (deeper >= deep) other = other?.up
  }
  return { closed: closed.reverse(), opened: opened.reverse() }
}

/** Removes blank texts at the edges that continue into the next one. */
function trimmed(xml: Xml, all: readonly Leaf[]): readonly Leaf[] {
  const isBlank = ({ open, close }: Leaf): boolean =>
    xml.text.slice(xml.tokens[open]?.end, xml.tokens[close]?.start).trim() === ''
  let [from, to] = [0, all.length]
  const runsOn = (at: number): boolean => {
    const [one, next] = [all[at], all[at + 1]]
    return one !== undefined && next !== undefined && isMerged(one, next)
  }
  for (let leaf = all[from]; leaf && isBlank(leaf) && runsOn(from); leaf = all[from]) from += 1
  for (
    let leaf = all[to - 1];
    leaf && to - 1 > from && isBlank(leaf) && runsOn(to - 2);
    leaf = all[to - 1]
  )
    to -= 1
  return all.slice(from, to)
}

/** Whether nothing visible is between them. */
const isMerged = (before: Leaf, leaf: Leaf): boolean => {
  const { closed, opened } = changeOf(before.within, leaf.within)
  return !leaf.apart && leaf.look === before.look && closed.length + opened.length === 0
}

function placeOf(xml: Xml, all: readonly Leaf[]): SegmentPlace {
  const leaves = trimmed(xml, all)
  const { text, tokens } = xml
  const [first, last] = [leaves[0], leaves.at(-1)]
  const [begin, stop] = [tokens[first?.open ?? 0]?.end ?? 0, tokens[last?.close ?? 0]?.start ?? 0]
  const inner = text.slice(begin, leaves.length === 1 ? stop : tokens[first?.close ?? 0]?.start)
  const tail = text.slice(leaves.length === 1 ? begin : (tokens[last?.open ?? 0]?.end ?? 0), stop)
  const start = inner.trim() === '' ? begin : begin + inner.length - inner.trimStart().length
  const end = tail.trim() === '' ? stop : stop - tail.length + tail.trimEnd().length
  const spellings: Spellings = new Map()
  const looks: string[] = [first?.look ?? '']
  const pieces: Piece[] = []
  leaves.forEach((leaf, at) => {
    const before = leaves[at - 1]
    if (before) for (const one of seam(xml, before, leaf, looks)) pieces.push(one)
    for (let inside = leaf.open + 1; inside < leaf.close; inside += 1) {
      const token = tokens[inside]
      if (!token) continue
      const content = text.slice(Math.max(start, token.start), Math.min(end, token.end))
      if (token.kind === 'text')
        for (const one of readCharacters(content, spellings).flatMap(unescaped)) pieces.push(one)
      else if (token.kind === 'cdata')
        pieces.push({ text: readCdata(raw(text, token).slice(9, -3)) })
      else pieces.push({ kind: 'tag-empty', raw: raw(text, token) })
    }
  })
  return {
    pieces,
    start,
    end,
    spell: (words) => spellText(words, spellings),
    also: (_, written) => keepBlanks(xml, first?.open ?? 0, written),
  }
}

/** Not a format, but an open element. */
const edge = '\0'

/** What is between two texts: nothing for the invisible edge of a run, else one code. */
function seam(xml: Xml, before: Leaf, leaf: Leaf, looks: string[]): Piece[] {
  const { text, tokens } = xml
  const { closed, opened } = changeOf(before.within, leaf.within)
  if (isMerged(before, leaf)) return []
  const tag = tokens[leaf.open]
  const from = tokens[before.close]?.start ?? 0
  const code = text.slice(from, tag?.start) + (tag ? preserved(raw(text, tag)) : '')
  if (opened.length > 0) {
    looks.push(edge, leaf.look)
    return [{ kind: 'tag-open', raw: code, name: `in ${opened.join()}` }]
  }
  if (closed.length > 0) {
    while (looks.length > 0 && looks.pop() !== edge);
    if (looks.at(-1) !== leaf.look) looks.push(leaf.look)
    return [{ kind: 'tag-close', raw: code, name: `in ${closed.join()}` }]
  }
  if (leaf.look === before.look) return [{ kind: 'tag-empty', raw: code }]
  if (looks.length > 1 && looks.at(-2) === leaf.look) {
    const name = `look ${looks.length}`
    looks.pop()
    return [{ kind: 'tag-close', raw: code, name }]
  }
  looks.push(leaf.look)
  return [{ kind: 'tag-open', raw: code, name: `look ${looks.length}` }]
}

/** Excel writes characters that XML cannot hold as _x000D_. */
function unescaped(piece: Piece): Piece[] {
  if ('kind' in piece || !piece.text.includes('_x')) return [piece]
  return piece.text
    .split(/(_x[\dA-Fa-f]{4}_)/)
    .flatMap((text, at): Piece[] =>
      text === '' ? [] : at % 2 === 1 ? [{ kind: 'placeholder', raw: text }] : [{ text }],
    )
}

/** Text in a drawing keeps its blanks without xml:space. */
const tellsBlanks = (tag: string): boolean => splitName(nameOf(tag)).prefix !== 'a'

const preserved = (tag: string): string =>
  !tellsBlanks(tag) || attributeOf(tag, 'xml:space') === 'preserve'
    ? tag
    : `${tag.slice(0, -1)} xml:space="preserve">`

/** A text with blanks at its edges needs xml:space to keep them. */
function keepBlanks(xml: Xml, open: number, written: string): Edit[] {
  const token = xml.tokens[open]
  const tag = token ? raw(xml.text, token) : ''
  const mark = written.indexOf('<')
  const first = mark < 0 ? written : written.slice(0, mark)
  if (!tellsBlanks(tag) || first === first.trim()) return []
  return setAttribute(xml, { open, tag }, ['xml:space', 'preserve'])
}
