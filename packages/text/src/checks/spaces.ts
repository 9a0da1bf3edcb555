/** Spaces at the ends, two in a row, before a mark; the no-break spaces of French; line breaks. */
import type { TextParts } from '@dragoman/contract/wire'
import { slot } from '../placeholders/protect.ts'
import { isUnspaced, isWide, type Language } from './language.ts'
import { changeFirst, changeLast, edgesOf, firstOf, lastOf, mapStrings } from './mend.ts'
import type { Context, Found, Told } from './rule.ts'

const isSpace = (character: string): boolean => ' \t\u00a0\u202f\u3000'.includes(character)
const isBreak = (character: string): boolean => character === '\n' || character === '\r'
const isWhite = (character: string): boolean => isSpace(character) || isBreak(character)

export function spacesOf(context: Context): Found | undefined {
  const { target, to } = context
  const found = [
    endSpaces(context),
    ...(context.pair.loose ? [] : [doubleSpaces(context)]),
    spacesBeforeMarks(context),
  ]
  const said = found.find((one) => one !== undefined)
  if (!said) return undefined
  // One fix for all of it.
  let fixed = target.parts
  for (const one of found) if (one) fixed = one.change(fixed)
  return {
    message: said.message,
    facts: [said.fact],
    fix: to.base === 'fr' ? frenchSpaces(fixed, to) : fixed,
  }
}

type Finding = Told & { readonly change: (parts: TextParts) => TextParts }

function endSpaces({ source, target, to }: Context): Finding | undefined {
  const [was, is] = [edgesOf(source.raw, isWhite), edgesOf(target.raw, isWhite)]
  if (
    was.before.length === source.raw.length ||
    [was.before, was.after, is.before, is.after].some((edge) => /[\r\n]/.test(edge))
  )
    return undefined
  // A full-width mark brings its own space, and sentences follow each other without one.
  const last = target.raw.trimEnd().slice(-1)
  const isOwn =
    isUnspaced(to) &&
    was.after !== '' &&
    is.after === '' &&
    (isWide(to) ? /[\u3000-\uffef]/.test(last) : true)
  const differs = {
    before: was.before.length !== is.before.length,
    after: was.after.length !== is.after.length && !isOwn,
  }
  if (!differs.before && !differs.after) return undefined
  const says = (was: string, where: string) =>
    was === ''
      ? `There is a space at the ${where} that the source does not have.`
      : `The space at the ${where} of the source is missing.`
  const [here, there, where] = differs.before
    ? [is.before, was.before, 'start']
    : [is.after, was.after, 'end']
  const isCounted = here !== '' && there !== ''
  const message = isCounted
    ? `There are ${here.length} spaces at the ${where}; the source has ${there.length}.`
    : says(there, where)
  return {
    message,
    fact: isCounted
      ? { says: `${where}Count`, count: here.length, wanted: there.length }
      : { says: `${where}${there === '' ? 'Added' : 'Missing'}` },
    change: (parts) => {
      const first = differs.before
        ? changeFirst(parts, (text) => was.before + text.replace(/^\s{1,1000}/, ''))
        : parts
      return differs.after ? changeLast(first, (text) => text.trimEnd() + was.after) : first
    },
  }
}

function doubleSpaces({ source, target }: Context): Finding | undefined {
  const [was, is] = [runsIn(source.raw), runsIn(target.raw)]
  if (is <= was) return undefined
  const change = (parts: TextParts) =>
    was > 0
      ? parts
      : parts.map((part, at) => {
          if (typeof part !== 'string') return part
          // At the edge of a string only where a tag stands beside it.
          const isInside = (from: number) => {
            if (from < 0) return at > 0
            return from < part.length ? part.charAt(from).trim() !== '' : at < parts.length - 1
          }
          return part.replace(/[ \u00a0]{2,60}/g, (run, from: number) => {
            if (!isInside(from - 1) || !isInside(from + run.length)) return run
            return run.includes('\u00a0') ? '\u00a0' : ' '
          })
        })
  return { message: 'There are two spaces in a row.', fact: { says: 'double' }, change }
}

/** Runs of spaces inside a line. */
function runsIn(text: string): number {
  let runs = 0
  for (let at = text.indexOf('  '); at >= 0; at = text.indexOf('  ', at)) {
    const from = at
    while (text.charAt(at) === ' ') at += 1
    const [before, after] = [text.charAt(from - 1), text.charAt(at)]
    if (before !== '' && after !== '' && !isBreak(before) && !isBreak(after)) runs += 1
  }
  return runs
}

function spacesBeforeMarks(context: Context): Finding | undefined {
  const { source, target, from, to } = context
  if (to.base === 'fr') {
    const fixed = frenchSpaces(target.parts, to)
    if (fixed.every((part, at) => typeof part !== 'string' || part === target.parts[at]))
      return undefined
    const marks = to.code === 'fr-ca' ? ':' : '; : ! ?'
    return {
      message: `In French a no-break space belongs before ${marks} and inside « ».`,
      fact: { says: 'french', marks },
      change: (parts) => parts,
    }
  }
  const [was, is] = [from.base === 'fr' ? [] : strayIn(source.raw), strayIn(target.raw)]
  const stray = is[was.length]
  if (stray === undefined) return undefined
  return {
    message: `There is a space before "${stray}".`,
    fact: { says: 'beforeMark', mark: stray },
    change: (parts) =>
      was.length > 0 ? parts : mapStrings(parts, (text) => text.replace(stray, '$1')),
  }
}

const stray = /(?<=[\p{L}\p{N})\]"”»])[ \u00a0\u202f]([,;:!?.])(?=\s|$)/gu
const strayIn = (text: string): string[] => [...text.matchAll(stray)].map(([, mark]) => mark ?? '')

/** With no-break spaces where French has them; spaces that are there already are made no-break. */
function frenchSpaces(parts: TextParts, { code }: Language): TextParts {
  const isCanadian = code === 'fr-ca'
  const all = parts.map((part) => (typeof part === 'string' ? part : slot)).join('')
  let at = 0
  const mended = parts.map((part) => {
    if (typeof part !== 'string') {
      at += slot.length
      return part
    }
    const text = frenchString(part, all, at, isCanadian)
    at += part.length
    return text
  })
  return mended
}

function frenchString(text: string, all: string, offset: number, isCanadian: boolean): string {
  let out = ''
  let from = 0
  for (const found of text.matchAll(isCanadian ? /[:«»]/g : /[:;!?«»]/g)) {
    const mark = found[0]
    const here = offset + found.index
    if (mark === '«') {
      const next = all.charAt(here + 1)
      const wide = next === ' ' ? 2 : 1
      if (next === '\u00a0' || next === '\u202f' || next === '') continue
      out += `${text.slice(from, found.index + 1)}\u00a0`
      from = found.index + wide
      continue
    }
    const before = all.charAt(here - 1)
    const after = all.charAt(here + 1)
    const isEnd = after === '' || /[\s)\]»"”’'*_\ufffc!?.…]/.test(after)
    if (before === '\u00a0' || before === '\u202f' || (mark !== '»' && !isEnd)) continue
    const space = before === ' '
    const previous = space ? all.charAt(here - 2) : before
    if (
      mark === '»'
        ? previous === '' || previous === '«'
        : !/[\p{L}\p{N}\p{M})\]"”»%…\ufffc]/u.test(previous)
    )
      continue
    out += text.slice(
      from,
      Math.max(from, space && found.index > 0 ? found.index - 1 : found.index),
    )
    out += mark === ':' || mark === '»' ? '\u00a0' : '\u202f'
    from = found.index
  }
  return out + text.slice(from)
}

export function lineBreaks({ source, target, pair }: Context): Found | undefined {
  if (pair.loose) return undefined
  const plain = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const [was, is] = [plain(source.flat), plain(target.flat)]
  const [before, after] = [count(was), count(is)]
  if (before === after) return undefined
  const told = {
    message: `The source has ${times(before)}, the translation ${after}.`,
    facts: [{ says: 'count', wanted: before, count: after }],
  }
  const [edges, found] = [edgesOf(was, isBreak), edgesOf(is, isBreak)]
  const inner = (text: string, { before: one, after: two }: { before: string; after: string }) =>
    count(text) - one.length - two.length
  const isPlain =
    !source.flat.includes('\r') && firstOf(target.parts) !== '' && lastOf(target.parts) !== ''
  if (!isPlain || inner(was, edges) !== inner(is, found)) return told
  const first = changeFirst(
    target.parts,
    (text) => edges.before + text.replace(/^[\r\n]{1,1000}/, ''),
  )
  return { ...told, fix: changeLast(first, (text) => withoutBreaks(text) + edges.after) }
}

const count = (text: string): number => text.split('\n').length - 1
const times = (breaks: number): string => `${breaks} line break${breaks === 1 ? '' : 's'}`

function withoutBreaks(text: string): string {
  let until = text.length
  while (until > 0 && isBreak(text.charAt(until - 1))) until -= 1
  return text.slice(0, until)
}
