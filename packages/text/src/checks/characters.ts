/** Characters that nobody sees or that are broken, where the source does not have them. */
import type { CheckFact } from '@dragoman/contract/wire'
import { isOneOf, type Language } from './language.ts'
import { mapStrings } from './mend.ts'
import type { Context, Found } from './rule.ts'

const rightToLeft = 'ar fa ur he yi ps sd ug dv ku ckb'
/** Languages whose spelling needs joiners. */
const joining = `${rightToLeft} hi bn mr ne sa gu pa ta te kn ml si or as my km`
const names: Readonly<Record<number, string>> = {
  0: 'NUL',
  8: 'backspace',
  11: 'vertical tab',
  12: 'form feed',
  27: 'escape',
  127: 'delete',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  65279: 'byte order mark',
  65533: 'replacement character',
}

/** Anything it matches needs a closer look; most texts match nothing. */
const suspect =
  /[^\t\n\r -~\u00a0-\u060f\u0620-\u1fff\u2010-\u2027\u2030-\u205f\u2070-\ud7ff\uf900-\ufefe\uff00-\ufffc]/

export function badCharacters({ source, target, to }: Context): Found | undefined {
  if (!target.parts.some((part) => typeof part === 'string' && suspect.test(part))) return undefined
  const text = (parts: typeof target.parts) =>
    parts.filter((part) => typeof part === 'string').join('\n')
  const [was, is] = [tally(text(source.parts), to), tally(text(target.parts), to)]
  const added = [...is]
    .filter(([code, count]) => count > (was.get(code) ?? 0))
    .map(([code]) => code)
  const [first] = added
  if (first === undefined) return undefined
  const isRemovable = added.every((code) => !was.has(code) && !isBroken(code))
  const gone = new Set(added)
  const fix = isRemovable ? mapStrings(target.parts, (one) => without(one, gone, to)) : undefined
  return {
    message: `The translation has ${nameOf(first)}, which the source does not have.`,
    facts: [factOf(first)],
    fix,
  }
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff
const isBroken = (code: number): boolean => isSurrogate(code) || code >= 0xfffd

const numberOf = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
const factOf = (code: number): CheckFact => ({
  says: isSurrogate(code) ? 'surrogate' : 'character',
  code: numberOf(code),
})

function nameOf(code: number): string {
  if (isSurrogate(code)) return 'half of a surrogate pair'
  const number = numberOf(code)
  const name = names[code] ?? (code < 0xa0 ? 'control character' : undefined)
  return `the character ${number}${name === undefined ? '' : ` (${name})`}`
}

function tally(text: string, language: Language): Map<number, number> {
  const counts = new Map<number, number>()
  eachBad(text, language, (code) => counts.set(code, (counts.get(code) ?? 0) + 1))
  return counts
}

function without(text: string, gone: ReadonlySet<number>, language: Language): string {
  let out = ''
  let from = 0
  eachBad(text, language, (code, at, length) => {
    if (!gone.has(code)) return
    out += text.slice(from, at)
    from = at + length
  })
  return out + text.slice(from)
}

function eachBad(
  text: string,
  language: Language,
  call: (code: number, at: number, length: number) => void,
): void {
  const joins = isOneOf(language, joining)
  const directs = isOneOf(language, rightToLeft)
  let before = 0
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    const length = code > 0xffff ? 2 : 1
    const isJoiner = code === 0x200c || code === 0x200d
    // A joiner behind an emoji or a letter of a joining script belongs to it.
    const belongs = isJoiner && (joins || before > 0x2190 || (before >= 0x590 && before < 0x1100))
    const isDirection = isMark(code)
    if (isBad(code) && !belongs && !(isDirection && directs)) call(code, at, length)
    before = code
    at += length
  }
}

const isMark = (code: number): boolean =>
  code === 0x200e || code === 0x200f || code === 0x61c || (code >= 0x2066 && code <= 0x2069)

const isBad = (code: number): boolean =>
  (code < 0x20 && code !== 9 && code !== 10 && code !== 13) ||
  (code >= 0x7f && code < 0xa0) ||
  code === 0x61c ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x2069) ||
  isSurrogate(code) ||
  (code >= 0xe000 && code <= 0xf8ff) ||
  code === 0xfeff ||
  (code >= 0xfffd && code <= 0xffff) ||
  (code >= 0xe0000 && code <= 0xe007f)
