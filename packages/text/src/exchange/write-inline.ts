/**
 * A text with tags as the inline content of XLIFF. Pairs that nest become elements with content,
 * other pairs two elements, and everything else a single one; the id of each is the number of its
 * tag.
 */
import type { TextParts, TextTag } from '@dragoman/contract/wire'

export type Dialect = {
  readonly open: (tag: TextTag) => string
  readonly close: string
  readonly start: (tag: TextTag) => string
  readonly end: (tag: TextTag, start: TextTag) => string
  readonly single: (id: string, shows: string) => string
}

export function writeInline(text: TextParts, tags: readonly TextTag[], dialect: Dialect): string {
  const nested = nestedIn(text, tags)
  const used = new Set(text.flatMap((part) => (typeof part === 'string' ? [] : [part.tag])))
  return text
    .map((part) => {
      if (typeof part === 'string') return writeCharacters(part, dialect)
      const tag = tags[part.tag - 1]
      if (!tag) return ''
      const other = tag.pair === undefined ? undefined : tags[tag.pair - 1]
      if (other && nested.has(tag.tag))
        return tag.kind === 'OPEN' ? dialect.open(tag) : dialect.close
      if (!other || !used.has(other.tag)) return dialect.single(String(tag.tag), tag.shows)
      return tag.kind === 'OPEN' ? dialect.start(tag) : dialect.end(tag, other)
    })
    .join('')
}

/** The tags of the pairs that nest in this text and stand in it once. */
function nestedIn(text: TextParts, tags: readonly TextTag[]): ReadonlySet<number> {
  const uses = new Map<number, number>()
  for (const part of text)
    if (typeof part !== 'string') uses.set(part.tag, (uses.get(part.tag) ?? 0) + 1)
  const nested = new Set<number>()
  const open: number[] = []
  const waiting = new Set<number>()
  for (const part of text) {
    const tag = typeof part === 'string' ? undefined : tags[part.tag - 1]
    if (tag?.pair === undefined || uses.get(tag.tag) !== 1 || uses.get(tag.pair) !== 1) continue
    if (tag.kind === 'OPEN') {
      open.push(tag.tag)
      waiting.add(tag.tag)
    } else if (waiting.has(tag.pair))
      for (let top = open.pop(); top !== undefined; top = open.pop()) {
        waiting.delete(top)
        if (top !== tag.pair) continue
        nested.add(top).add(tag.tag)
        break
      }
  }
  return nested
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A character that XML cannot hold becomes an element whose id is its code: `u1f`. */
function writeCharacters(text: string, { single }: Dialect): string {
  const whole = text.toWellFormed()
  let [written, from] = ['', 0]
  for (const { index, 0: character } of whole.matchAll(impossible)) {
    const code = character.charCodeAt(0).toString(16)
    written += escapeXml(whole.slice(from, index)) + single(`u${code}`, `U+${code}`)
    from = index + 1
  }
  return written + escapeXml(whole.slice(from))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"\r]/g, (one) => entities[one] ?? `&#${one.charCodeAt(0)};`)

/** Text for people: what XML cannot hold is left out. */
export const escapeWords = (text: string): string =>
  escapeXml(text.toWellFormed().replace(impossible, '\ufffd'))

/** Blanks of an attribute are read as spaces unless they are references. */
export const escapeAttribute = (text: string): string =>
  escapeWords(text).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`)

/** What a tag stands for, short enough for an attribute. */
export const shown = (shows: string): string => escapeAttribute(shows.slice(0, 200))
