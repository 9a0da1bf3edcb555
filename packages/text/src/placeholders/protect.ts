/**
 * Splits a text into words and what a program reads: placeholders, ICU messages, tags, entities,
 * URLs. Counting, pseudo-translation, engines and checks all use this one table. Every repetition
 * in the pattern is bounded, so that the time per character is constant.
 */

import { type IcuMessage, matchAt, openIcu } from './icu.ts'
import type { CodeKind, TextPart } from './part.ts'

/**
 * A piece of a segment before it is numbered. Opening and closing tags pair by `name`. A text may
 * be given as the part it will be.
 */
export type Piece = { readonly text: string } | TextPart | CodePiece
export type CodePiece = { readonly kind: CodeKind; readonly raw: string; readonly name?: string }

/** Takes the place of a code that the reader of the format has already found. */
export const slot = '\ufffc'

export type ProtectOptions = {
  /** `:name` is a placeholder, as in software; in prose it is a word. */
  readonly names?: boolean
  /** `%1`, `%L2` and `%n` are placeholders, as in Qt. */
  readonly numbers?: boolean
  /** Line ends are codes. */
  readonly newlines?: boolean
  /** `#` is a number, as in the branches of a plural. */
  readonly hash?: boolean
}

/** Behind a value in quotes, browsers need no blank before the next attribute. */
const attribute = `(?:\\s{1,16}|(?<=["']))[^\\s"'<>/=${slot}]{1,64}(?:\\s{0,4}=\\s{0,4}(?:"[^"${slot}]{0,2048}"|'[^'${slot}]{0,2048}'|[^\\s"'<>\`${slot}]{1,512}))?`

const sources: Record<string, string> = {
  icu: String.raw`\{\s{0,8}[\w.$-]{1,64}\s{0,8},\s{0,8}(?:plural|selectordinal|select)\s{0,8},`,
  placeholder: [
    // {% if x %}, {# note #}; $t(key), $t(key, {...}); @:key, @:{key}, @.lower:key
    String.raw`\{%[^%{}\n${slot}]{0,256}%\}|\{#[^#{}\n${slot}]{0,256}#\}`,
    String.raw`\$t\([^()\n${slot}]{1,256}\)`,
    String.raw`@(?:\.[a-z]{1,32})?:(?:\{[^{}\n${slot}]{1,128}\}|\([^()\n${slot}]{1,128}\)|[A-Za-z][\w.-]{0,127}(?<![.-]))`,
    // %#@count@ of a stringsdict; {0:dd MMM} of .NET
    String.raw`%(?:\d{1,3}\$)?#@\w{1,64}@`,
    String.raw`\{\d{1,3}(?:,-?\d{1,4})?:[^{}\n${slot}]{1,64}\}`,
    // {{ x }}, {{{x}}}; ${x}, #{x}, %{x}; %(x)s, %<x>s; {x}, { x }, {0}, {x, number, #}; %%
    String.raw`\{\{\{?[^{}\n${slot}]{1,256}\}\}\}?`,
    String.raw`[$#%]\{[^{}\n${slot}]{1,128}\}`,
    String.raw`%\([\w.-]{1,64}\)[-+0#]{0,4}\d{0,4}(?:\.\d{1,4})?[diouxXeEfFgGcrs]`,
    String.raw`%<[\w.-]{1,64}>[-+0#]{0,4}\d{0,4}(?:\.\d{1,4})?[diouxXeEfFgGcrs]`,
    String.raw`\{[^{}\s${slot}]{0,64}\}`,
    String.raw`\{\s{0,8}[\w.$-]{1,64}\s{0,8}(?:,\s{0,8}[a-z]{1,16}\s{0,8}(?:,[^{}${slot}]{0,128})?)?\}`,
    // %name% of Symfony; not the second half of %dx%d
    String.raw`(?<![\w%])%[A-Za-z_][\w.]{1,62}%(?![\w%])`,
    '%%',
    // The characters of bracket markers would be read as markers in the answer.
    '[⟦⟧]',
  ].join('|'),
  numbered: String.raw`%\d{1,3}\$[-+0#']{0,4}\d{0,4}(?:\.\d{1,4})?(?:hh?|ll?|[Lqjzt])?[@diouxXeEfFgGcs]`,
  printf: String.raw`%[-+0#']{0,4}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?(?:hh?|ll?|[Lqjzt])?[@diouxXeEfFgGcs]`,
  numbers: String.raw`%(?:L?\d{1,2}(?![A-Za-z])|n)`,
  // Of strftime, with its flags and widths; %n and %u are also the number and the unit of Rails.
  date: '%[-_0^#]{0,2}(?:\\d|:{1,3}(?=z))?[AaBbCcDdeFGgHhIjkLlMmNnPpQRrSsTtUuVvWwXxYyZz+]',
  names: String.raw`(?<![\w:/]):[A-Za-z]\w{0,63}(?![\w:])`,
  url: String.raw`(?<![A-Za-z0-9])(?:(?:https?|ftp)://|www\.(?=[A-Za-z0-9]))[!#-;=?-\[\]_a-~]{1,2048}`,
  email: String.raw`(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}`,
  entity: String.raw`&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`,
  comment: `<!--(?:[^<${slot}]|<(?!!--)){0,2048}?-->`,
  tag: String.raw`</?[A-Za-z][\w:.-]{0,63}(?:${attribute}){0,32}\s{0,16}/?>`,
  newline: String.raw`\r\n|\r|\n`,
  hash: '#',
}
const order =
  'icu placeholder numbered printf numbers date url names email entity comment tag newline hash'.split(
    ' ',
  )
type Table = { readonly kinds: readonly string[]; readonly pattern: RegExp }
/** Numbered groups, because named ones cost an object per match. */
const tableOf = (kinds: readonly string[]): Table => ({
  kinds,
  pattern: new RegExp(kinds.map((kind) => `(${sources[kind]})`).join('|'), 'g'),
})
const whole = tableOf(order)
/**
 * For a text without addresses: they can start at any letter, everything else starts with a sign.
 */
const signs = tableOf(order.filter((kind) => kind !== 'url' && kind !== 'email'))
const mayHaveAddress = (text: string): boolean =>
  text.includes('@') || text.includes('://') || text.includes('www.')
/** A text without any of these characters, like most texts, has nothing to protect. */
const suspicious = /[{%@&<#$⟦⟧\r\n]|:[\w/]|www\./
export const isPlain = (text: string): boolean => !suspicious.test(text)

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

export function protect(text: string, options: ProtectOptions = {}): Piece[] {
  if (isPlain(text)) return text === '' ? [] : [{ text }]
  const pieces: Piece[] = []
  let from = 0
  let next = 0
  let messages: ReturnType<typeof openIcu> | undefined
  const messageAt = (at: number) => {
    messages ??= openIcu(text)
    return messages(at)
  }
  const { kinds, pattern } = mayHaveAddress(text) ? whole : signs
  for (let found = matchAt(pattern, text, next); found; found = matchAt(pattern, text, next)) {
    const taken = take(found, kindOf(kinds, found), options, messageAt)
    next = taken?.end ?? found.index + 1
    if (!taken) continue
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) })
    for (const one of taken.pieces) pieces.push(one)
    from = taken.end
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces.some(isKept) ? joinKept(pieces) : pieces
}

/** Elements whose content is code, and as such the same in every language. */
export const codeElements: ReadonlySet<string> = new Set(['code', 'kbd', 'pre', 'samp', 'var'])

const keeps =
  /\stranslate\s{0,8}=\s{0,8}["']?no["'\s/>]|\sclass\s{0,8}=\s{0,8}(?:"[^"]{0,2048}\bnotranslate\b|'[^']{0,2048}\bnotranslate\b|notranslate\b)/i
const translates = /\stranslate\s{0,8}=\s{0,8}["']?yes["'\s/>]/i

/** Whether what stands between this opening tag and its closing one is not to be translated. */
export const keepsContent = (name: string, raw: string): boolean =>
  codeElements.has(name) ? !translates.test(raw) : keeps.test(raw)

const isKept = (piece: Piece): boolean =>
  'kind' in piece && piece.kind === 'tag-open' && keepsContent(piece.name ?? '', piece.raw)

/** Makes one placeholder of each element that keeps its content, up to its closing tag. */
function joinKept(pieces: readonly Piece[]): Piece[] {
  const closing = closingTags(pieces)
  const joined: Piece[] = []
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]
    const end = piece && isKept(piece) ? closing.get(at) : undefined
    if (piece === undefined) break
    const raw =
      end === undefined
        ? slot
        : pieces
            .slice(at, end + 1)
            .map(rawOf)
            .join('')
    if (end === undefined || raw.includes(slot)) joined.push(piece)
    else {
      joined.push({ kind: 'placeholder', raw })
      at = end
    }
  }
  return joined
}

const rawOf = (piece: Piece): string => ('kind' in piece ? piece.raw : piece.text)

/** The place of the closing tag of each opening one, by its name. */
function closingTags(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>()
  const open = new Map<string, number[]>()
  pieces.forEach((piece, at) => {
    if (!('kind' in piece) || piece.name === undefined) return
    const waiting = open.get(piece.name) ?? []
    open.set(piece.name, waiting)
    if (piece.kind === 'tag-open') waiting.push(at)
    const partner = piece.kind === 'tag-close' ? waiting.pop() : undefined
    if (partner !== undefined) closing.set(partner, at)
  })
  return closing
}

function kindOf(kinds: readonly string[], found: RegExpExecArray): string | undefined {
  let group = 1
  while (group < found.length && found[group] === undefined) group += 1
  return kinds[group - 1]
}

type Taken = { readonly pieces: readonly Piece[]; readonly end: number }

function take(
  found: RegExpExecArray,
  kind: string | undefined,
  options: ProtectOptions,
  messageAt: (at: number) => IcuMessage | undefined,
): Taken | undefined {
  const { 0: raw, input: text } = found
  const one = (piece: CodePiece): Taken => ({
    pieces: [piece],
    end: found.index + piece.raw.length,
  })
  switch (kind) {
    case 'icu':
      return takeIcu(messageAt(found.index), options)
    case 'date':
      return isDate(text, found.index, raw) ? one({ kind: 'placeholder', raw }) : undefined
    case 'numbers':
      return options.numbers || (raw === '%n' && isDate(text, found.index, raw))
        ? one({ kind: 'placeholder', raw })
        : undefined
    case 'names':
      return options.names ? one({ kind: 'placeholder', raw }) : undefined
    case 'printf':
      return isPrintf(text, found.index, raw) ? one({ kind: 'placeholder', raw }) : undefined
    case 'url':
      return one({ kind: 'url', raw: trimUrl(raw) })
    case 'email':
    case 'entity':
      return one({ kind, raw })
    case 'comment':
      return one({ kind: 'tag-empty', raw })
    case 'tag':
      return one(tagPiece(raw))
    case 'newline':
      return options.newlines ? one({ kind, raw }) : undefined
    case 'hash':
      return options.hash ? one({ kind: 'placeholder', raw }) : undefined
    default:
      return one({ kind: 'placeholder', raw })
  }
}

/**
 * "50%discount" and "100%-ig" are words; "%dpx" is a placeholder, and so is "%-5s" if no letter
 * follows.
 */
function isPrintf(text: string, at: number, raw: string): boolean {
  if (!/\p{L}/u.test(text.charAt(at + raw.length))) return true
  return raw.length === 2 && !/\d/.test(text.charAt(at - 1))
}

/** "%Y-%m-%d" is a date pattern; "5%Umsatz" and "%Anteil" are words. */
const isDate = (text: string, at: number, raw: string): boolean =>
  !/\d/.test(text.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(text.charAt(at + raw.length))

/** Final punctuation is not part of a URL, nor is a bracket that was opened before it. */
function trimUrl(raw: string): string {
  const brackets: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  const open = new Map<string, number>()
  for (const character of raw) {
    const opening = brackets[character]
    if (opening) open.set(opening, (open.get(opening) ?? 0) - 1)
    else if ('([{'.includes(character)) open.set(character, (open.get(character) ?? 0) + 1)
  }
  let end = raw.length
  for (; end > 1; end--) {
    const last = raw.charAt(end - 1)
    const opening = brackets[last] ?? ''
    const surplus = -(open.get(opening) ?? 0)
    if (opening ? surplus <= 0 : !/[.,;:!?'*_]/.test(last)) break
    if (opening) open.set(opening, 1 - surplus)
  }
  return raw.slice(0, end)
}

export function tagPiece(raw: string): CodePiece {
  const name = /^<\/?([^\s/>]{1,128})/.exec(raw)?.[1]?.toLowerCase() ?? ''
  if (raw.startsWith('</')) return { kind: 'tag-close', raw, name }
  return { kind: raw.endsWith('/>') || voids.has(name) ? 'tag-empty' : 'tag-open', raw, name }
}

/**
 * Keeps the structure of a plural or select and splits its texts again, with `#` for the number in
 * plurals.
 */
function takeIcu(message: IcuMessage | undefined, options: ProtectOptions): Taken | undefined {
  if (!message) return undefined
  const pieces = message.pieces.flatMap((piece): Piece[] =>
    'leaf' in piece
      ? protect(piece.leaf, { ...options, hash: message.counts || options.hash === true })
      : [{ kind: 'icu', raw: piece.raw }],
  )
  const kept = pieces.some((piece) => 'kind' in piece && piece.raw.includes(slot))
  return kept ? undefined : { pieces, end: message.end }
}
