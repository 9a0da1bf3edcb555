/**
 * Where a scalar of block-style YAML ends. Each function returns undefined for what only a full
 * parser can judge, such as tabs or a continuation line with a colon.
 */

/**
 * A line: `from` is its first character that is not a blank, `end` is before its line end, `next`
 * is where the next line starts.
 */
export type YamlLine = {
  readonly from: number
  readonly column: number
  readonly end: number
  readonly next: number
}
/** `next` is where reading goes on: at the start of a line. */
export type Extent = { readonly end: number; readonly next: number }

const [tab, space, hash, colon, dash] = [9, 32, 35, 58, 45]

export function lineAt(text: string, start: number): YamlLine {
  const found = text.indexOf('\n', start)
  const stop = found < 0 ? text.length : found
  const end = stop > start && text[stop - 1] === '\r' ? stop - 1 : stop
  const from = skipBlanks(text, start)
  return { from, column: from - start, end, next: stop + 1 }
}

export const isBlank = ({ from, end }: YamlLine): boolean => from >= end

export function skipBlanks(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === space) at += 1
  return at
}

/**
 * Whether the character at a place, such as a dash or a colon, is followed by a blank or by the end
 * of its line.
 */
export const standsAlone = (text: string, at: number, end: number): boolean =>
  at + 1 >= end || text.charCodeAt(at + 1) === space

export const isDashAt = (text: string, { from, end }: Pick<YamlLine, 'from' | 'end'>): boolean =>
  text.charCodeAt(from) === dash && standsAlone(text, from, end)

/** Whether nothing follows but blanks, or a comment with a blank before it. */
export function isRestEmpty(text: string, from: number, end: number): boolean {
  const at = skipBlanks(text, from)
  return at >= end || (at > from && text.charCodeAt(at) === hash)
}

export type Key = { readonly name: string; readonly after: number }

/** A plain or quoted key with its colon, on one line. A quoted key with an escape is not one. */
export function keyAt(text: string, from: number, end: number): Key | undefined {
  const quote = text.charAt(from)
  if (quote === '"' || quote === "'") {
    const closing = text.indexOf(quote, from + 1)
    if (closing < 0 || closing >= end) return undefined
    const name = text.slice(from + 1, closing)
    const at = skipBlanks(text, closing + 1)
    const isKey = text.charCodeAt(at) === colon && at < end && standsAlone(text, at, end)
    return isKey && !name.includes('\\') ? { name, after: at + 1 } : undefined
  }
  if (!startsPlain(text, from, end)) return undefined
  let last = from
  for (let at = from; at < end && at - from < 1_000; at++) {
    const code = text.charCodeAt(at)
    if (code === space) continue
    if (code === tab || (code === hash && text.charCodeAt(at - 1) === space)) return undefined
    if (code === colon && standsAlone(text, at, end))
      return { name: text.slice(from, last), after: at + 1 }
    last = at + 1
  }
  return undefined
}

/** Whether a plain scalar can begin with the character at a place. */
export function startsPlain(text: string, from: number, end: number): boolean {
  const first = text.charAt(from)
  if (first === '-' || first === '?' || first === ':') return !standsAlone(text, from, end)
  return !',[]{}#&*!|>\'"%@`\t'.includes(first)
}

/** The plain text of one line, and whether a comment ends it. */
function plainOn(
  text: string,
  from: number,
  end: number,
): { end: number; isLast: boolean } | undefined {
  let last = from
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === space) continue
    if (code === tab || (code === colon && standsAlone(text, at, end))) return undefined
    if (code === hash && text.charCodeAt(at - 1) === space) return { end: last, isLast: true }
    last = at + 1
  }
  return { end: last, isLast: false }
}

/**
 * A plain scalar goes on over every line that is indented deeper than its parent, up to a comment.
 */
export function plainExtent(
  text: string,
  from: number,
  line: YamlLine,
  parent: number,
): Extent | undefined {
  let part = plainOn(text, from, line.end)
  let { next } = line
  for (let at = next; part && !part.isLast && at < text.length; ) {
    const more = lineAt(text, at)
    at = more.next
    if (isBlank(more)) continue
    if (more.column <= parent || text.charCodeAt(more.from) === hash) break
    if (isDashAt(text, more)) return undefined
    part = plainOn(text, more.from, more.end)
    next = more.next
  }
  return part && { end: part.end, next }
}

/**
 * From its quote to behind the closing one. Further lines must be indented deeper than the parent.
 */
export function quotedExtent(
  text: string,
  from: number,
  line: YamlLine,
  parent: number,
): Extent | undefined {
  const end = closingQuote(text, from) + 1
  if (end === 0) return undefined
  let last = line
  while (end > last.end) {
    last = lineAt(text, last.next)
    if (!isBlank(last) && (last.column <= parent || text.charCodeAt(last.from) === tab))
      return undefined
  }
  return isRestEmpty(text, end, last.end) ? { end, next: last.next } : undefined
}

function closingQuote(text: string, from: number): number {
  const quote = text.charAt(from)
  for (let at = text.indexOf(quote, from + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (quote === "'" && text[at + 1] === quote) at += 1
    else if (quote === "'" || !isEscaped(text, at)) return at
  }
  return -1
}

function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text[from - 1] === '\\') from -= 1
  return (at - from) % 2 === 1
}

export type Block = Extent & { readonly start: number; readonly header: string }

/** The lines of a block scalar. Its header may say how it ends, not how deep it is indented. */
export function blockExtent(
  text: string,
  from: number,
  line: YamlLine,
  parent: number,
): Block | undefined {
  const header = text.slice(from, line.end).trimEnd()
  if (!/^[|>][-+]?$/.test(header)) return undefined
  let [indent, next] = [0, line.next]
  let deepest = 0
  for (let at = next; at < text.length; ) {
    const more = lineAt(text, at)
    at = more.next
    if (isBlank(more)) {
      if (indent === 0) deepest = Math.max(deepest, more.column)
      continue
    }
    if (more.column <= parent) break
    indent ||= more.column
    if (more.column < indent || deepest > indent) return undefined
    next = more.next
  }
  return { start: line.next, end: Math.min(next, text.length), next, header }
}
