/** Code, links, images and tags in a Markdown paragraph. */
import type { Piece } from '../../placeholders/protect.ts'

const reach = 4_096

export function runLength(text: string, at: number): number {
  let end = at
  while (text[end] === text[at]) end += 1
  return end - at
}

/**
 * The end of the code span that opens at a position: after the next whole run of as many backticks.
 * In code a backslash escapes nothing; before code it does, so a span may open behind the first
 * backtick of a run.
 */
export function openCode(text: string): (at: number) => number | undefined {
  const runs = new Map<number, number[]>()
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at)) {
    const length = runLength(text, at)
    const same = runs.get(length)
    if (same) same.push(at)
    else runs.set(length, [at])
    at += length
  }
  return (at) => {
    const length = runLength(text, at)
    const closing = firstFrom(runs.get(length) ?? [], at + length)
    return closing === undefined ? undefined : closing + length
  }
}

/** The first of the ascending numbers that is not below a limit. */
function firstFrom(ascending: readonly number[], limit: number): number | undefined {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return ascending[low]
}

/** Whether a label is defined somewhere in the document. */
export type IsLabel = (label: string) => boolean

export type Link = {
  readonly piece: Piece
  readonly length: number
  /** The range of its title in the piece, without the quotes. */
  readonly title?: Title | undefined
}
export type Title = { readonly start: number; readonly end: number; readonly quote: string }

/** The brackets of links and images. A link by its text alone gets its label when it is written. */
export function findLinks(
  text: string,
  codeEnd: (at: number) => number | undefined,
  isLabel: IsLabel,
): Map<number, Link> {
  const links = new Map<number, Link>()
  const markup = openMarkup(text)
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      // An escaped character opens and closes nothing.
      at += 1
      continue
    }
    if (text[at] === '`') at = (codeEnd(at) ?? at + runLength(text, at)) - 1
    else if (text[at] === '<') at += (markup(at)?.length ?? 1) - 1
    else if (text[at] === '[') open.push(at)
    const start = text[at] === ']' ? open.pop() : undefined
    if (start === undefined) continue
    const label = text.slice(start + 1, at)
    if (label.startsWith('^')) {
      const length = at + 1 - start + (text[at + 1] === ':' ? 1 : 0)
      links.set(start, {
        piece: { kind: 'placeholder', raw: text.slice(start, start + length) },
        length,
      })
      continue
    }
    const tail = tailOf(text, at + 1, label, isLabel)
    if (!tail) continue
    const isImage = text[start - 1] === '!' && text[start - 2] !== '\\'
    const opening = isImage ? start - 1 : start
    links.set(opening, {
      piece: { kind: 'tag-open', raw: text.slice(opening, start + 1), name: '[' },
      length: start + 1 - opening,
    })
    const title = tail.title && {
      ...tail.title,
      start: tail.title.start - at,
      end: tail.title.end - at,
    }
    links.set(at, {
      piece: { kind: 'tag-close', raw: `]${tail.raw}`, name: '[' },
      length: 1 + tail.length,
      title,
    })
  }
  return links
}

function tailOf(
  text: string,
  at: number,
  label: string,
  isLabel: IsLabel,
): { raw: string; length: number; title?: Title | undefined } | undefined {
  const found = text[at] === '(' ? readDestination(text, at) : undefined
  if (found) return { raw: text.slice(at, found.end), length: found.end - at, title: found.title }
  const named =
    text[at] === '[' ? /^\[[^[\]\\]{0,999}\]/.exec(text.slice(at, at + 1_002))?.[0] : undefined
  if (named !== undefined && named !== '[]')
    return isLabel(named.slice(1, -1)) ? { raw: named, length: named.length } : undefined
  return label.length < 1_000 && isLabel(label)
    ? { raw: `[${label}]`, length: named?.length ?? 0 }
    : undefined
}

/** The position after `(url "title")`, and the title. */
function readDestination(text: string, open: number): { end: number; title?: Title } | undefined {
  const limit = Math.min(text.length, open + reach)
  let at = open + 1
  const skipBlanks = () => {
    while (at < limit && /\s/.test(text.charAt(at))) at += 1
  }
  skipBlanks()
  if (text[at] === '<') {
    while (at < limit && text[at] !== '>' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
    at += 1
  } else {
    for (let depth = 0; at < limit && !/\s/.test(text.charAt(at)); at++) {
      if (text[at] === '\\') at += 1
      else if (text[at] === '(' && ++depth > 32) return undefined
      else if (text[at] === ')' && --depth < 0) break
    }
  }
  const isBlank = /\s/.test(text.charAt(at))
  skipBlanks()
  const closing = isBlank ? { '"': '"', "'": "'", '(': ')' }[text.charAt(at)] : undefined
  let title: Title | undefined
  if (closing !== undefined) {
    const start = at + 1
    at = start
    while (at < limit && text[at] !== closing) at += text[at] === '\\' ? 2 : 1
    title = { start, end: at, quote: closing }
    at += 1
    skipBlanks()
  }
  return at < limit && text[at] === ')' ? { end: at + 1, ...(title && { title }) } : undefined
}

/** Finds tags, comments and URLs in angle brackets, at positions that only grow. */
export function openMarkup(text: string): (at: number) => string | undefined {
  // Comments without an end would each look for the same one.
  let close = 0
  return (at) => {
    if (!text.startsWith('<!--', at)) return markupAt(text, at)
    if (close >= 0 && close < at + 4) close = text.indexOf('-->', at + 4)
    return close < 0 || close + 3 > at + reach ? undefined : text.slice(at, close + 3)
  }
}

function markupAt(text: string, at: number): string | undefined {
  const near = text.slice(at, at + reach)
  const address =
    /^<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,2048}|[\w.+-]{1,64}@[\w.-]{1,255})>/.exec(
      near,
    )?.[0]
  if (address !== undefined) return address
  const section = near.startsWith('<![CDATA[') ? near.indexOf(']]>') : -1
  if (section >= 0) return near.slice(0, section + 3)
  if (!/^<\/?[A-Za-z]/.test(near)) return undefined
  for (let end = 1; end < near.length; end++) {
    const one = near.charAt(end)
    if (one === '>') return near.slice(0, end + 1)
    if (one === '<') return undefined
    const closing = one === '"' || one === "'" ? near.indexOf(one, end + 1) : end
    if (closing < 0) return undefined
    end = closing
  }
  return undefined
}
