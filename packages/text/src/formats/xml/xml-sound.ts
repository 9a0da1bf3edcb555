/**
 * Says of most XML, in a fraction of the time that a parser takes, that it is well-formed: names in
 * ASCII, no processing instructions but the XML declaration, no comments in the DOCTYPE. It never
 * says so of XML that is not; what it does not know, the parser judges.
 */
import { findOutsideXml } from './xml-characters.ts'
import type { Xml, XmlToken } from './xml-tokens.ts'

const declaration =
  /^<\?xml[ \t\r\n]{1,9}version="1\.0"(?:[ \t\r\n]{1,9}encoding="[A-Za-z][\w.-]{0,64}")?(?:[ \t\r\n]{1,9}standalone="(?:yes|no)")?[ \t\r\n]{0,9}\?>$/

/** The tags of the tokens are in pairs. */
export function isSurelySound({ text, tokens, closing }: Xml): boolean {
  if (findOutsideXml(text) !== undefined) return false
  const refers = openReferences(text)
  let bracket = text.indexOf(']]>')
  let [rootEnd, hasDoctype] = [-1, false]
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, start, end } = tokens[at] as XmlToken
    const isInside = at < rootEnd
    if (bracket >= 0 && bracket < end) {
      if (kind === 'text' || kind === 'open' || kind === 'empty') return false
      bracket = text.indexOf(']]>', end)
    }
    if (kind === 'text') {
      if (isInside ? !refers(start, end, hasDoctype) : !isLayout(text, start, end)) return false
    } else if (kind === 'open' || kind === 'empty') {
      if (!isInside) {
        if (rootEnd >= 0) return false
        rootEnd = closing[at] ?? at
      }
      if (!isTag(text, start, end - (kind === 'empty' ? 2 : 1)) || !refers(start, end, hasDoctype))
        return false
      if (kind === 'open' && !closes(text, start, tokens[closing[at] ?? at]?.start ?? 0))
        return false
    } else if (kind === 'cdata') {
      if (!isInside) return false
    } else if (kind === 'comment') {
      if (text.indexOf('--', start + 4) !== end - 3) return false
    } else if (kind === 'pi') {
      if (at > 0 || !declaration.test(text.slice(start, end))) return false
    } else if (kind === 'doctype') {
      const isPlain =
        text.startsWith('<!DOCTYPE ', start) && !/<[^!]|<![^A-Z]/.test(text.slice(start, end))
      if (hasDoctype || rootEnd >= 0 || !isPlain) return false
      hasDoctype = true
    }
  }
  return rootEnd >= 0
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

export function isLayout(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!isBlank(text.charCodeAt(at))) return false
  return true
}

/** The end of the ASCII name that starts here; the same position if there is none. */
function nameEnd(text: string, from: number): number {
  let at = from
  for (; ; at += 1) {
    const code = text.charCodeAt(at)
    const isLetter =
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58
    if (!isLetter && !(at > from && ((code >= 48 && code <= 57) || code === 45 || code === 46)))
      return at
  }
}

/** A name and attributes with different names, up to `end`, where its slash or bracket is. */
function isTag(text: string, start: number, end: number): boolean {
  let at = nameEnd(text, start + 1)
  if (at === start + 1) return false
  const names: string[] = []
  while (at < end) {
    const after = at
    while (isBlank(text.charCodeAt(at))) at += 1
    if (at === end) return true
    const from = at
    at = nameEnd(text, from)
    const quote = text.charCodeAt(at + 1)
    if (
      from === after ||
      at === from ||
      text.charCodeAt(at) !== 61 ||
      (quote !== 34 && quote !== 39)
    )
      return false
    // `a="" b=""` and the like, which nearly all tags are: the names are few.
    const name = text.slice(from, at)
    if (names.length > 15 || names.includes(name)) return false
    names.push(name)
    for (at += 2; text.charCodeAt(at) !== quote; at += 1)
      if (at >= end || text.charCodeAt(at) === 60) return false
    at += 1
  }
  return at === end
}

/** Whether the closing tag has the name of the opening one. */
function closes(text: string, open: number, close: number): boolean {
  const length = nameEnd(text, open + 1) - open - 1
  for (let at = 1; at <= length; at += 1)
    if (text.charCodeAt(open + at) !== text.charCodeAt(close + 1 + at)) return false
  return text.charCodeAt(close + 2 + length) === 62
}

const known = /&(?:(?:amp|lt|gt|quot|apos)|#(\d{2,5})|#x([\da-fA-F]{2,4})|([A-Za-z]\w{0,63}));/y

/**
 * Whether all references in a range are known, or names that the DOCTYPE may define. Call it with
 * ascending ranges.
 */
function openReferences(
  text: string,
): (start: number, end: number, hasDoctype: boolean) => boolean {
  let next = text.indexOf('&')
  return (start, end, hasDoctype) => {
    if (next >= 0 && next < start) next = text.indexOf('&', start)
    for (; next >= 0 && next < end; next = text.indexOf('&', known.lastIndex)) {
      known.lastIndex = next
      const [whole, decimal, hex, name] = known.exec(text) ?? []
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 32
      if (whole === undefined || code < 32 || code > 0xd7ff || (name !== undefined && !hasDoctype))
        return false
    }
    return true
  }
}
