/**
 * XML as a flat list of tokens that cover the text without gaps. Nothing is expanded or fetched. A
 * strict parser also checks that the text is well-formed, so that this scanner can stay simple.
 */
import { SaxesParser } from 'saxes'
import { mustFitNesting } from '../bounds.ts'
import { FormatError } from '../format-error.ts'
import { isSurelySound } from './xml-sound.ts'
import type { Xml, XmlToken } from './xml-tokens.ts'

export type { Xml, XmlToken } from './xml-tokens.ts'

export function scanXml(text: string): Xml {
  const xml = scan(text)
  if (!isSurelySound(xml)) {
    const hasDoctype = xml.tokens.some(({ kind }) => kind === 'doctype')
    mustBeWellFormed(text, hasDoctype)
  }
  last = new WeakRef(xml)
  return xml
}

/** A file is read and its language set in one go: its tokens are still there then. */
let last: WeakRef<Xml> | undefined

/** For a text that is known to be well-formed. */
export function scanSound(text: string): Xml {
  const known = last?.deref()
  return known?.text === text ? known : scan(text)
}

function scan(text: string): Xml {
  const tokens: XmlToken[] = []
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at)
    tokens.push(token)
    at = token.end
  }
  return { text, tokens, closing: matchTags(tokens) }
}

function tokenAt(text: string, start: number): XmlToken {
  if (text[start] !== '<') {
    const end = text.indexOf('<', start)
    return { kind: 'text', start, end: end < 0 ? text.length : end }
  }
  const next = text[start + 1]
  if (next === '!' || next === '?') return declarationAt(text, start)
  const end = endOfTag(text, start)
  if (next === '/') return { kind: 'close', start, end }
  return { kind: text[end - 2] === '/' ? 'empty' : 'open', start, end }
}

function declarationAt(text: string, start: number): XmlToken {
  if (text.startsWith('<!--', start))
    return { kind: 'comment', start, end: endAfter(text, '-->', start, start + 4) }
  if (text.startsWith('<![CDATA[', start))
    return { kind: 'cdata', start, end: endOfCdata(text, start) }
  if (text.startsWith('<?', start))
    return { kind: 'pi', start, end: endAfter(text, '?>', start, start + 2) }
  return { kind: 'doctype', start, end: endOfDoctype(text, start) }
}

function endAfter(text: string, mark: string, start: number, from: number): number {
  const at = text.indexOf(mark, from)
  if (at < 0) throw malformed(`something opened at character ${start} is never closed`)
  return at + mark.length
}

/** How `]]>` is written in CDATA: the section ends inside it, and the next one begins. */
export const splitCdata = ']]]]><![CDATA[>'

/** Sections that were split for their text are one. */
function endOfCdata(text: string, start: number): number {
  const from = start + 9
  for (let at = text.indexOf(']]>', from); at >= 0; at = text.indexOf(']]>', at + 3))
    if (at - 2 < from || !text.startsWith(splitCdata, at - 2)) return at + 3
  throw malformed(`something opened at character ${start} is never closed`)
}

/** `>` inside a quoted value ends nothing; `<` inside a tag is refused. */
function endOfTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x3e) return at + 1
    if (code === 0x3c) break
    if (code !== 0x22 && code !== 0x27) continue
    at = text.indexOf(code === 0x22 ? '"' : "'", at + 1)
    if (at < 0) break
  }
  throw malformed(`the tag at character ${start} is not closed`)
}

/** Quoted literals, comments and the `[...]` of an internal subset may hold `>` and `]`. */
function endOfDoctype(text: string, start: number): number {
  const marks = /["'[\]>]|<!--|<\?/g
  marks.lastIndex = start + 2
  let inside = false
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [mark] = found
    if (mark === '>' && !inside) return found.index + 1
    if (mark === '[' || mark === ']') inside = mark === '['
    const ending = { '"': '"', "'": "'", '<!--': '-->', '<?': '?>' }[mark]
    if (ending === undefined) continue
    const closing = text.indexOf(ending, found.index + mark.length)
    if (closing < 0) break
    marks.lastIndex = closing + ending.length
  }
  throw malformed(`its DOCTYPE at character ${start} is never closed`)
}

function matchTags(tokens: readonly XmlToken[]): Int32Array {
  const closing = new Int32Array(tokens.length)
  const open: number[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, start } = tokens[at] as XmlToken
    closing[at] = at
    if (kind === 'open') mustFitNesting(open.push(at))
    if (kind !== 'close') continue
    const partner = open.pop()
    if (partner === undefined)
      throw malformed(`the closing tag at character ${start} has no opening one`)
    closing[partner] = at
  }
  const unclosed = open.pop()
  if (unclosed !== undefined)
    throw malformed(`the element at character ${tokens[unclosed]?.start} is never closed`)
  return closing
}

/**
 * With a DOCTYPE, an unknown entity stays as it is and is never expanded; without one it is an
 * error.
 */
function mustBeWellFormed(text: string, hasDoctype: boolean): void {
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', ({ message }) => {
    if (hasDoctype && message.endsWith('undefined entity.')) return
    throw malformed(message.replace(/\.$/, ''))
  })
  parser.write(text).close()
}

export const malformed = (why: string): FormatError =>
  new FormatError('MALFORMED', `The XML is not well-formed: ${why}.`)
