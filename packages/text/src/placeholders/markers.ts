/**
 * How a segment is sent to an engine: codes become numbered markers, and an answer is accepted only
 * if it has every marker once, in a valid order. Nothing is repaired by guessing.
 */

import { isBlank } from './letters.ts'
import type { CodePart, Part } from './part.ts'
import { hasText } from './parts.ts'

/**
 * `xml`: `<x id="1"/>`, `<g id="2">…</g>`, text escaped. `brackets`: `⟦1⟧`, `⟦2⟧…⟦/2⟧`, for engines
 * without markup.
 */
export type MarkerStyle = 'xml' | 'brackets'
export type Returned = { readonly parts: readonly Part[] } | { readonly failure: string }

export function toMarkers(parts: readonly Part[], style: MarkerStyle): string {
  const { core } = splitBlanks(parts)
  return core
    .map((part) => (part.type === 'text' ? escapeText(part.text, style) : marker(part, style)))
    .join('')
}

function marker({ id, pair }: CodePart, style: MarkerStyle): string {
  if (style === 'brackets') return pair === 'close' ? `⟦/${id}⟧` : `⟦${id}⟧`
  if (pair === 'open') return `<g id="${id}">`
  return pair === 'close' ? '</g>' : `<x id="${id}"/>`
}

const escapeText = (text: string, style: MarkerStyle): string =>
  style === 'brackets'
    ? text
    : text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;' })[c] ?? '&gt;')

/** The parts of an engine's answer for `source`, or why the answer is not accepted. */
export function fromMarkers(answer: string, source: readonly Part[], style: MarkerStyle): Returned {
  if (isBare(source) && !mayBeMarked.test(answer) && !isBlank(answer))
    return { parts: [{ type: 'text', text: answer.trim() }] }
  const { core, lead, trail } = splitBlanks(source)
  const codes = core.filter((part) => part.type === 'code')
  const read = style === 'xml' ? readXml(answer.trim(), codes) : readBrackets(answer.trim(), codes)
  if ('failure' in read) return read
  const failure = verify(read.parts, core)
  if (failure !== undefined) return { failure }
  const parts = [...lead, ...read.parts, ...trail].filter(
    (part) => part.type === 'code' || part.text !== '',
  )
  return { parts }
}

/** One text without codes or blanks around it, as most segments are. */
function isBare(parts: readonly Part[]): boolean {
  const only = parts[0]
  return (
    parts.length === 1 &&
    only?.type === 'text' &&
    only.text !== '' &&
    only.text.trim() === only.text
  )
}
/** Without these characters an answer has no marker, whole or damaged, and nothing to unescape. */
const mayBeMarked = /[⟦⟧<&]/

/** Blanks around a segment are not sent: engines drop them, and the source decides them. */
function splitBlanks(parts: readonly Part[]): {
  lead: Part[]
  core: readonly Part[]
  trail: Part[]
} {
  if (isBare(parts)) return { lead: [], core: parts, trail: [] }
  const [first, last] = [parts[0], parts.at(-1)]
  const before = first?.type === 'text' ? (/^\s*/.exec(first.text)?.[0] ?? '') : ''
  const isOnlyBlank = parts.length === 1 && !hasText(parts)
  const after =
    last?.type === 'text' && !isOnlyBlank ? last.text.slice(last.text.trimEnd().length) : ''
  const core = parts
    .map((part, at): Part => {
      if (part.type !== 'text') return part
      const from = at === 0 ? before.length : 0
      const to = part.text.length - (at === parts.length - 1 ? after.length : 0)
      return { type: 'text', text: part.text.slice(from, Math.max(from, to)) }
    })
    .filter((part) => part.type === 'code' || part.text !== '')
  const text = (blank: string): Part[] => (blank === '' ? [] : [{ type: 'text', text: blank }])
  return { lead: text(before), core, trail: text(after) }
}

type Mark = { readonly id: number; readonly role: 'single' | 'open' | 'close' }

/**
 * An engine that parses HTML returns `<x id="1"></x>`, the only other spelling that is accepted.
 */
function readXml(answer: string, codes: readonly CodePart[]): Returned {
  const open: number[] = []
  const marks = /<x id="(\d{1,6})" ?(?:\/>|><\/x>)|<g id="(\d{1,6})">|<\/g>/g
  const read: MarkerReader['read'] = ([, single, opening]) => {
    if (single) return { id: Number(single), role: 'single' }
    if (opening) {
      open.push(Number(opening))
      return { id: Number(opening), role: 'open' }
    }
    const id = open.pop()
    return id === undefined ? undefined : { id, role: 'close' }
  }
  return assemble(answer, codes, { marks, plain: unescapeText, read })
}

function readBrackets(answer: string, codes: readonly CodePart[]): Returned {
  const pairs = new Set(codes.flatMap(({ pair, id }) => (pair ? [id] : [])))
  return assemble(answer, codes, {
    marks: /⟦(\/?)(\d{1,6})⟧/g,
    plain: (text) => text,
    read: ([, slash, digits]) => {
      const id = Number(digits)
      return { id, role: slash ? 'close' : pairs.has(id) ? 'open' : 'single' }
    },
  })
}

type MarkerReader = {
  readonly marks: RegExp
  readonly plain: (text: string) => string
  readonly read: (found: RegExpExecArray) => Mark | undefined
}

function assemble(
  answer: string,
  codes: readonly CodePart[],
  { marks, plain, read }: MarkerReader,
): Returned {
  const known = new Map(codes.map((code) => [`${code.pair ?? 'single'} ${code.id}`, code]))
  const parts: Part[] = []
  let from = 0
  const flush = (to: number): boolean => {
    const text = answer.slice(from, to)
    if (text !== '') parts.push({ type: 'text', text: plain(text) })
    return !/[⟦⟧]|<\/?\s*[xg]\b/i.test(text)
  }
  for (const found of answer.matchAll(marks)) {
    if (!flush(found.index)) return { failure: 'a marker came back damaged' }
    from = found.index + found[0].length
    const mark = read(found)
    const code = mark && known.get(`${mark.role} ${mark.id}`)
    if (!code) return { failure: `the marker ${found[0]} was never sent` }
    parts.push(code)
  }
  return flush(answer.length) ? { parts } : { failure: 'a marker came back damaged' }
}

/** Unescapes once: what we escaped for the engine, and what engines escape themselves. */
function unescapeText(text: string): string {
  const names: Record<string, string> = {
    lt: '<',
    gt: '>',
    amp: '&',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
  }
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(lt|gt|amp|quot|apos|nbsp));/g,
    (all, decimal, hex, name) => {
      if (name) return names[name] ?? all
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : all
    },
  )
}

/** Why the codes of a translation do not match its source; undefined if they do. */
export function verify(parts: readonly Part[], source: readonly Part[]): string | undefined {
  const [got, sent] = [parts, source].map((all) => all.filter((part) => part.type === 'code'))
  const count = tally(got ?? [])
  for (const [key, times] of tally(sent ?? []))
    if ((count.get(key) ?? 0) !== times)
      return `the code ${key} was there ${times} times and came back ${count.get(key) ?? 0} times`
  if (got?.length !== sent?.length) return 'a code came back that was never sent'
  const open: number[] = []
  for (const { pair, id } of got ?? []) {
    if (pair === 'open') open.push(id)
    if (pair === 'close' && open.pop() !== id) return 'tags came back crossed'
  }
  if (open.length > 0) return 'tags came back crossed'
  // "%s of %d" is filled in order, and the branches of a message must keep their order.
  for (const isOrdered of [isUnnumbered, isStructure]) {
    const order = (all: readonly Part[]) =>
      all.flatMap((part) => (isOrdered(part) && part.type === 'code' ? [part.raw] : []))
    if (order(parts).join('\n') !== order(source).join('\n'))
      return 'placeholders that are filled by order changed places'
  }
  return hasText(source) && !hasText(parts) ? 'the text came back empty' : undefined
}

const tally = (codes: readonly CodePart[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { id, pair, raw } of codes) {
    const key = `${id}${pair ? ` (${pair})` : ''} ${raw}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const isUnnumbered = (part: Part): boolean =>
  part.type === 'code' &&
  part.kind === 'placeholder' &&
  /^(%(?!%|\d{1,9}\$|[({<]).{0,16}[@diouxXeEfFgGcs]$|\{\}$)/.test(part.raw)
const isStructure = (part: Part): boolean => part.type === 'code' && part.kind === 'icu'

/** A part of a segment that is sent to the engine, or stays in its place. */
export type Run = { readonly isSent: boolean; readonly parts: readonly Part[] }

/**
 * Splits a segment into what is sent separately: at the structure of messages, so that each branch
 * is sent alone; or at every code, for the second try after markers came back damaged.
 */
export function cutRuns(parts: readonly Part[], at: 'icu' | 'every-code'): Run[] {
  const runs: { isSent: boolean; parts: Part[] }[] = []
  for (const part of parts) {
    const stays = part.type === 'code' && (at === 'every-code' || part.kind === 'icu')
    const last = runs.at(-1)
    if (last && !stays && last.isSent) last.parts.push(part)
    else runs.push({ isSent: !stays, parts: [part] })
  }
  return runs.map((run) => ({ ...run, isSent: run.isSent && hasText(run.parts) }))
}
