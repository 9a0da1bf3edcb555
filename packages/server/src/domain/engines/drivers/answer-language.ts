/**
 * Tells whether an answer is in another language than the one that was asked for. Sure only of
 * texts of some length: measured on 6,240 human translations between 46 languages it suspects none
 * that is right. Loaded with the first answer that needs it.
 */

import { languageOf, lettersIn } from '@dragoman/text/checks'
import { LRUCache } from 'lru-cache'

/** Shorter answers are never refused, and below the second number not even suspected. */
const sureLetters = 80
const fewestLetters = 40
/**
 * How like the asked language an answer must be, where it is most like the source's language or
 * like any other.
 */
const leastBesideSource = 0.92
const leastBesideOthers = 0.7
/** Languages that an engine is likely to fall into. */
const usual = 'eng spa fra deu por ita nld rus pol ces swe tur ukr ron hun arb ind vie'.split(' ')

export type LanguageVerdict = 'fits' | 'unsure' | { readonly other: string }
export type LanguageJudge = (answer: string) => LanguageVerdict

const judges = new LRUCache<string, Promise<LanguageJudge>>({ max: 32 })

/** Where the asked language is not known by its letters or words, every answer fits. */
export function openLanguageJudge(
  sourceLanguage: string,
  targetLanguage: string,
): Promise<LanguageJudge> {
  const key = JSON.stringify([sourceLanguage, targetLanguage])
  const known = judges.get(key)
  if (known) return known
  const judge = makeJudge(sourceLanguage, targetLanguage)
  judges.set(key, judge)
  // What failed is not kept.
  judge.catch(() => judges.delete(key))
  return judge
}

async function makeJudge(sourceLanguage: string, targetLanguage: string): Promise<LanguageJudge> {
  const { francAll } = await import('franc')
  const { data } = await import('franc/data.js')
  const [source, target] = [sourceLanguage, targetLanguage].map(codeOf)
  const script = scriptOf(targetLanguage)
  const known = Object.values(data).find(
    (models) => target !== undefined && Object.hasOwn(models, target),
  )
  const others = [...new Set([...usual, ...(source ? [source] : [])])].filter(
    (code) => code !== target,
  )
  const isLike = known && target ? openQuickTest(known, target, others) : () => true
  return (answer) => {
    const text = wordsOnly(answer)
    const count = weightOf(text)
    if (count < fewestLetters || isSame(source, target)) return 'fits'
    if (script && !script.test(text))
      return count < sureLetters ? 'unsure' : { other: 'another script' }
    if (!known || !target || isLike(text)) return 'fits'
    const all = francAll(text.replace(/\s+/g, ' '), { only: [...others, target] })
    const [best = 'und'] = all[0] ?? []
    const score = all.find(([code]) => code === target)?.[1] ?? 0
    if (best === 'und' || best === target) return 'fits'
    if (score === 0) return 'unsure'
    if (score >= (best === source ? leastBesideSource : leastBesideOthers)) return 'fits'
    return count < sureLetters ? 'unsure' : { other: nameOf(best) }
  }
}

/** Without paths, addresses and names of programs: these are the same in every language. */
const wordsOnly = (text: string): string =>
  notWord.test(text)
    ? text
        .split(/\s+/)
        .filter((word) => !notWord.test(word))
        .join(' ')
    : text
const notWord = /[/.@_\\]\S/

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one === other

/**
 * A few microseconds: more of the language's frequent letter groups than of any other's. Only what
 * fails this is looked at closely.
 */
function openQuickTest(
  models: Readonly<Record<string, string>>,
  target: string,
  others: readonly string[],
) {
  const codes = [target, ...others.filter((code) => Object.hasOwn(models, code))].slice(0, 31)
  // Letters are numbered, so that a group of three is one number. The blank between words is 1; 0
  // is a letter of no group.
  const numbers = new Map<number, number>()
  for (let unit = 0; unit < 128; unit += 1)
    if (!isLetter.test(String.fromCharCode(unit))) numbers.set(unit, blank)
  const numberOf = (unit: number): number => {
    const number = numbers.get(unit) ?? numbers.size
    numbers.set(unit, number)
    return number
  }
  const masks = new Map<number, number>()
  for (const [at, code] of codes.entries())
    for (const group of (models[code] ?? '').split('|')) {
      if (!/^[\p{L}\p{M} ]{3}$/u.test(group)) continue
      let key = 0
      for (let unit = 0; unit < group.length; unit += 1)
        key = (key << bitsOfLetter) | numberOf(group.charCodeAt(unit))
      masks.set(key, (masks.get(key) ?? 0) | (1 << at))
    }
  return (text: string): boolean => {
    const counts = new Int32Array(codes.length)
    const lower = text.toLowerCase()
    let [key, last] = [blank, blank]
    for (let at = 0; at <= lower.length; at += 1) {
      const code = lower.codePointAt(at) ?? 0x20
      if (code > 0xffff) at += 1
      const number = numbers.get(code) ?? (isLetter.test(String.fromCodePoint(code)) ? 0 : blank)
      if (number === blank && last === blank) continue
      last = number
      key = ((key << bitsOfLetter) | number) & bitsOfGroup
      for (let mask = masks.get(key) ?? 0; mask !== 0; mask &= mask - 1) {
        const one = 31 - Math.clz32(mask & -mask)
        counts[one] = (counts[one] ?? 0) + 1
      }
    }
    const [own = 0, ...rest] = counts
    return own > Math.max(0, ...rest)
  }
}

const isLetter = /[\p{L}\p{M}]/u
const blank = 1
/** No script has more letters than these bits. */
const bitsOfLetter = 10
const bitsOfGroup = 0x3fffffff

/** ISO 639-3, as the detector names languages, where its name differs from that of the platform. */
const otherNames: Readonly<Record<string, string>> = {
  zh: 'cmn',
  ar: 'arb',
  fa: 'pes',
  no: 'nob',
  et: 'ekk',
  lv: 'lvs',
  az: 'azj',
  sq: 'als',
  ms: 'zlm',
  sw: 'swh',
  uz: 'uzn',
  mn: 'khk',
  ne: 'npi',
  yi: 'ydd',
}
const letters3 =
  'af:afr be:bel bg:bul bs:bos ca:cat cs:ces da:dan de:deu en:eng eo:epo es:spa fi:fin fr:fra gl:glg hi:hin hr:hrv hu:hun id:ind ' +
  'it:ita kk:kaz ky:kir lt:lit mk:mkd mr:mar nb:nob nl:nld nn:nno pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sr:srp sv:swe tg:tgk ' +
  'tr:tur tt:tat uk:ukr ur:urd vi:vie'
const codes = new Map([
  ...Object.entries(otherNames),
  ...letters3.split(' ').map((one) => one.split(':') as [string, string]),
])

function codeOf(language: string): string | undefined {
  const { base } = languageOf(language)
  return codes.get(base)
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })
const nameOf = (code: string): string => names.of(code) ?? code

/** Languages that are written in more than one script, unless the code names it. */
const manyScripts = new Set('sr uz kk az mn ku pa bs ks sd tg ms'.split(' '))

/** A letter of the language's script: an answer must have some. */
function scriptOf(language: string): RegExp | undefined {
  const code = language.replaceAll('_', '-').replace(/[()]/g, '')
  if (manyScripts.has(languageOf(code).base) && !/-[a-z]{4}(?:-|$)/i.test(code)) return undefined
  try {
    const { script = '' } = new Intl.Locale(code).maximize()
    return new RegExp(`[\\p{sc=${letterSets[script] ?? script}}]`, 'u')
  } catch {
    return undefined
  }
}

const letterSets: Readonly<Record<string, string>> = {
  Jpan: 'Han}\\p{sc=Hiragana}\\p{sc=Katakana',
  Hans: 'Han',
  Hant: 'Han',
  Kore: 'Hangul}\\p{sc=Han',
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu
/** Letters, as many as another script would need: an ideograph counts three, a syllable two. */
export function weightOf(text: string): number {
  const letters = lettersIn(text)
  if (isNarrow.test(text)) return letters
  return (
    letters + 2 * (text.match(wide)?.length ?? 0) + (text.match(/\p{sc=Hangul}/gu)?.length ?? 0)
  )
}
/** Nothing above the alphabets, which begin the table of characters. */
const isNarrow = /^[\0-\u10ff]*$/
