/**
 * A text of the desk as the checks read it: what a person sees, and the codes between. Placeholders
 * and tags that stand in a string count as codes too. Links, entities and line ends are text here,
 * whether or not they have a number.
 */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import { protect, slot } from '../placeholders/protect.ts'
import { joined, tagKindOf } from '../placeholders/wire-texts.ts'

export type Code = {
  /** Equal for the same code in source and target. */
  readonly key: string
  readonly kind: TextTag['kind']
  readonly shows: string
  /** Absent if it stands in a string. */
  readonly tag?: number
  readonly pair?: number
}
export type Seen = { readonly text: string } | Code

export type Side = {
  readonly parts: TextParts
  readonly seen: readonly Seen[]
  readonly codes: readonly Code[]
  /** The strings, with U+FFFC for each numbered tag. */
  readonly raw: string
  /** What a person reads, with U+FFFC for each code. */
  readonly flat: string
  /** As in the file: the strings, and what each tag shows. */
  readonly written: string
}

export function readText(given: TextParts, tags: readonly TextTag[]): Side {
  const parts = joined(given)
  const byNumber = new Map(tags.map((tag) => [tag.tag, tag]))
  const seen = parts.flatMap((part) =>
    typeof part === 'string' ? readString(part) : [readTag(byNumber, part.tag)],
  )
  return {
    parts,
    seen,
    codes: seen.filter((one) => 'key' in one),
    raw: parts.map((part) => (typeof part === 'string' ? part : slot)).join(''),
    flat: seen.map((one) => ('text' in one ? one.text : slot)).join(''),
    written: parts
      .map((part) => (typeof part === 'string' ? part : (byNumber.get(part.tag)?.shows ?? '')))
      .join(''),
  }
}

function readTag(tags: ReadonlyMap<number, TextTag>, number: number): Seen {
  const { kind, shows, pair } = tags.get(number) ?? {
    kind: 'PLACEHOLDER' as const,
    shows: `{${number}}`,
  }
  const text = kind === 'PLACEHOLDER' ? textOf(shows) : undefined
  if (text !== undefined) return { text }
  return { key: `#${number}`, kind, shows, tag: number, ...(pair !== undefined && { pair }) }
}

function readString(text: string): Seen[] {
  return protect(text).map((piece): Seen => {
    if (!('kind' in piece)) return { text: piece.text }
    const { kind, raw } = piece
    if (kind === 'url' || kind === 'email' || kind === 'entity') return { text: textOf(raw) ?? raw }
    return { key: raw, kind: tagKindOf(kind), shows: raw }
  })
}

const named: Readonly<Record<string, string>> = {
  '&nbsp;': '\u00a0',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

/** The text that a link, an entity or a line end stands for; undefined for other codes. */
function textOf(shows: string): string | undefined {
  if (shows === '\n' || shows === '\r\n' || shows === '\r') return '\n'
  if (/^(?:https?|ftp):\/\/|^www\./i.test(shows)) return shows
  if (/^[\w.+-]{1,64}@[\w-]{1,63}\./.test(shows)) return shows
  if (!shows.startsWith('&') || !shows.endsWith(';')) return undefined
  const number = /^&#(x?)([\da-f]{1,7});$/i.exec(shows)
  const code = number ? Number.parseInt(number[2] ?? '', number[1] ? 16 : 10) : Number.NaN
  if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
  return named[shows] ?? shows
}

/** Whether a code belongs to the branches of an ICU plural or select, which differ by language. */
export const isBranch = ({ shows }: Code): boolean => shows.startsWith('}') || startsBranches(shows)
export const startsBranches = (shows: string): boolean =>
  shows.startsWith('{') && /,\s{0,8}(?:plural|selectordinal|select)\s{0,8},/.test(shows)

/** How many letters; most are decided without a regular expression. */
export function lettersIn(text: string): number {
  let letters = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 128) letters += (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ? 1 : 0
    else if (code < 0xdc00 || code > 0xdfff)
      letters += letter.test(String.fromCodePoint(text.codePointAt(at) ?? 0)) ? 1 : 0
  }
  return letters
}
const letter = /\p{L}/u
export const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? []

/** What `listed` shows, as facts. */
export const namesOf = (names: readonly string[]) => ({
  names: names.slice(0, 3).map((name) => show(name)),
  count: names.length,
})

/** "a, b and c", at most three of them, each cut. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => show(name))
  const rest = names.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return shown.length > 1
    ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
    : (shown[0] ?? '')
}

export const show = (text: string, most = 60): string =>
  (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed()
