/**
 * XML as a small tree, read by a strict parser. DTDs, custom entities, processing instructions and
 * deep nesting are refused while reading, before anything is built from them.
 */
import { HubError } from '@dragoman/contract'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { yieldWholeTurn } from '../../turns/pauses.ts'

export type Element = {
  readonly uri: string
  readonly name: string
  /** Namespaced ones by local name: only xsi:nil and mustUnderstand are ever read. */
  readonly attributes: SaxesTagNS['attributes']
  readonly children: Element[]
  text: string
}

/** Our envelopes need ten levels, few attributes, and seven elements per price line. */
const deepest = 32
const maxAttributes = 64
const maxElements = 100_000

/** Parsed at once, before other calls may run. */
const sliceCharacters = 64 * 1024

export async function readXml(bytes: Uint8Array): Promise<Element> {
  const text = decode(bytes)
  const parser = new SaxesParser({ xmlns: true })
  const open: Element[] = []
  let root: Element | undefined
  let elements = 0
  let attributes = 0
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      refuse(`its encoding is ${encoding}; send UTF-8`)
  })
  parser.on('doctype', () => refuse('it has a DTD, which a SOAP message must not have'))
  parser.on('processinginstruction', () =>
    refuse('it has a processing instruction, which a SOAP message must not have'),
  )
  parser.on('opentagstart', () => {
    attributes = 0
    elements += 1
    if (elements > maxElements) refuse(`it has more than ${maxElements} elements`)
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > maxAttributes) refuse(`an element has more than ${maxAttributes} attributes`)
  })
  parser.on('opentag', (tag) => {
    if (open.length >= deepest) refuse(`its elements are nested more than ${deepest} levels deep`)
    const element = {
      uri: tag.uri,
      name: tag.local,
      attributes: tag.attributes,
      children: [],
      text: '',
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  const addText = (more: string) => {
    const element = open.at(-1)
    if (element) element.text += more
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('error', (error) =>
    refuse(`it is not well-formed XML (${error.message.replace(/\.$/, '')})`),
  )
  for (let at = 0; at < text.length; at += sliceCharacters) {
    if (at > 0) await yieldWholeTurn()
    parser.write(text.slice(at, at + sliceCharacters))
  }
  parser.close()
  return root ?? refuse('it is empty')
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('it is not UTF-8')
  }
}

function refuse(because: string): never {
  throw new HubError('INVALID_REQUEST', { because: `${because}.` })
}

/**
 * Characters that XML 1.0 cannot hold become U+FFFD; a bare carriage return would be normalised
 * away.
 */
export const escapeXml = (text: string): string =>
  special.test(text) ? text.replace(specials, escaped) : text

const escaped = (letter: string): string => escapes[letter] ?? '\uFFFD'
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const special = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]/
const specials = new RegExp(special, 'g')
