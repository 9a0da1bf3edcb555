/**
 * Words and brackets: doubled words, brackets without a partner, and a translation that is its
 * source.
 */
import { slot } from '../placeholders/protect.ts'
import { joined } from '../placeholders/wire-texts.ts'
import { isOneOf } from './language.ts'
import { hasOrdinaryWord } from './leftover.ts'
import { linksIn } from './links.ts'
import { changeLast, lastOf, mapStrings } from './mend.ts'
import { lettersIn, listed, show, wordsIn } from './read-text.ts'
import type { Context, Found, Told } from './rule.ts'

const brackets = [
  ['(', ')', '（', '）'],
  ['[', ']', '［', '］'],
  ['{', '}', '｛', '｝'],
] as const

export function unevenBrackets({ source, target }: Context): Found | undefined {
  const wrong: Told[] = []
  const tell = (bracket: string, says: 'added' | 'missing') =>
    wrong.push({ message: `"${bracket}" is ${says}`, fact: { says, name: bracket } })
  let fix: Found['fix']
  for (const [open, close, wideOpen, wideClose] of brackets) {
    const difference = (one: string, wide: string) =>
      count(target.flat, one) +
      count(target.flat, wide) -
      count(source.flat, one) -
      count(source.flat, wide)
    const [opened, closed] = [difference(open, wideOpen), difference(close, wideClose)]
    if (opened !== 0) tell(open, opened > 0 ? 'added' : 'missing')
    if (closed !== 0) tell(close, closed > 0 ? 'added' : 'missing')
    const isAtEnd =
      closed === -1 && source.flat.trimEnd().endsWith(close) && lastOf(target.parts).trim() !== ''
    if (isAtEnd) {
      const wide = target.flat.includes(wideOpen) ? wideClose : close
      fix = changeLast(
        target.parts,
        (text) => text.trimEnd() + wide + text.slice(text.trimEnd().length),
      )
    }
  }
  if (wrong.length === 0) return undefined
  const facts = wrong.slice(0, 3).map(({ fact }) => fact)
  return { message: `The bracket ${listed(wrong.map(({ message }) => message))}.`, facts, fix }
}

const count = (text: string, part: string): number => text.split(part).length - 1

/** Languages that double a word to change its meaning. */
const doubling =
  'vi tr hi ur bn mr ne pa gu ta te kn ml si id ms jv su tl fil sw fa az uz kk ky tk af mi haw to sm'
const usual: Readonly<Record<string, string>> = {
  en: 'that had bye so very no',
  de: 'die der das sie den dem',
  fr: 'nous vous',
  nl: 'dat die was zij',
  it: 'piano via man',
  es: 'bla',
}

export function doubledWords({ source, target, to }: Context): Found | undefined {
  if (isOneOf(to, doubling)) return undefined
  const [was, is] = [doublesIn(source.flat), doublesIn(target.flat)]
  const allowed = new Set(usual[to.base]?.split(' '))
  const found = is.filter((word) => !allowed.has(word))
  const word = found[0]
  if (word === undefined || is.length <= was.length) return undefined
  const fix = mapStrings(target.parts, (text) => withoutDoubles(text, new Set(found)))
  return {
    message: `The word "${show(word)}" is repeated.`,
    facts: [{ says: 'twice', word: show(word) }],
    fix,
  }
}

const word = /\p{L}[\p{L}\p{M}'’-]*/gu

function doublesIn(text: string): string[] {
  const doubles: string[] = []
  eachDouble(text, (one) => doubles.push(one))
  return doubles
}

/**
 * Calls back for each word that repeats the one before it, with nothing but white space between.
 */
function eachDouble(text: string, call: (word: string, end: number, from: number) => void): void {
  let last: { readonly lower: string; readonly end: number } | undefined
  for (const found of text.matchAll(word)) {
    const lower = found[0].toLowerCase()
    const end = found.index + found[0].length
    const isNext = last && last.lower === lower && text.slice(last.end, found.index).trim() === ''
    if (last && isNext) call(lower, end, last.end)
    last = { lower, end }
  }
}

function withoutDoubles(text: string, words: ReadonlySet<string>): string {
  let out = ''
  let from = 0
  eachDouble(text, (one, end, start) => {
    if (!words.has(one)) return
    out += text.slice(from, start)
    from = end
  })
  return out + text.slice(from)
}

/**
 * Names, codes and single capitalised words are left alone: nobody can tell them from a text
 * without knowing them.
 */
export function sameText({ source, target, from, to }: Context): Found | undefined {
  if (
    from.base === to.base ||
    JSON.stringify(joined(source.parts)) !== JSON.stringify(joined(target.parts))
  )
    return undefined
  const text = linksIn(source.flat).rest.replaceAll(slot, ' ')
  const words = wordsIn(text).filter((one) => lettersIn(one) > 0)
  if (words.length === 0 || !hasOrdinaryWord(text))
    return words.length > 3 ? told(source.flat) : undefined
  const isLoneWord = words.length === 1 && !/^\p{Ll}{4}|^\p{Lo}{2}/u.test(words[0] ?? '')
  return isLoneWord ? undefined : told(source.flat)
}

function told(given: string): Found {
  const text = show(given.replaceAll(slot, ' ').trim())
  return {
    message: `The translation of "${text}" equals the source.`,
    facts: [{ says: 'same', text }],
  }
}
