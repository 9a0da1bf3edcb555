/** The mark at the end of a text, by the marks of each language. */
import type { TextParts } from '@dragoman/contract/wire'
import { slot } from '../placeholders/protect.ts'
import { isOneOf, isWide, type Language } from './language.ts'
import { changeFirst, changeLast, lastOf } from './mend.ts'
import { lettersIn, wordsIn } from './read-text.ts'
import type { Context, Found } from './rule.ts'

const marks = {
  stop: '.。．｡।۔։።។။',
  ellipsis: '…⋯',
  question: '?？؟;⸮⁇⁈⁉‽',
  exclamation: '!！‼',
  colon: ':：፡',
  semicolon: ';；؛·',
  comma: ',，、،՝',
} as const
type Mark = keyof typeof marks
const names: Readonly<Record<Mark, string>> = {
  stop: 'a full stop',
  ellipsis: 'an ellipsis',
  question: 'a question mark',
  exclamation: 'an exclamation mark',
  colon: 'a colon',
  semicolon: 'a semicolon',
  comma: 'a comma',
}

const byCharacter = new Map<string, Mark>(
  (Object.entries(marks) as [Mark, string][]).flatMap(([mark, characters]) =>
    [...characters].map((character): [string, Mark] => [character, mark]),
  ),
)

type Ending = { readonly mark: Mark | undefined; readonly from: number; readonly until: number }
const closers = `"'”’“‘»«›‹)]}」』）】》〉］｝*_${slot}`

export function endPunctuation(context: Context): Found | undefined {
  const { source, target, from, to } = context
  if (lettersIn(source.flat) === 0 || lettersIn(target.flat) === 0) return undefined
  const [was, is] = [endingOf(source.flat, from), endingOf(target.flat, to)]
  if (was.mark === is.mark || isFine(context, was.mark, is.mark))
    return spanishStart(context, is.mark)
  const fix = mended(target.parts, was.mark, to)
  if (was.mark === undefined)
    return {
      message: `The translation ends with ${name(is.mark)}, the source does not.`,
      facts: [{ says: 'added', mark: is.mark ?? '' }],
      fix,
    }
  const instead =
    is.mark === undefined ? 'the translation does not' : `the translation with ${name(is.mark)}`
  const fact = is.mark === undefined ? { says: 'missing' } : { says: 'other', found: is.mark }
  return {
    message: `The source ends with ${name(was.mark)}, ${instead}.`,
    facts: [{ ...fact, mark: was.mark }],
    fix,
  }
}

const name = (mark: Mark | undefined): string => (mark === undefined ? 'no mark' : names[mark])

function endingOf(text: string, language: Language): Ending {
  let until = text.length
  while (until > 0 && isSkipped(text.charAt(until - 1))) until -= 1
  let from = until
  while (from > 0 && until - from < 8 && byCharacter.has(text.charAt(from - 1))) from -= 1
  const run = text.slice(from, until)
  return { mark: markOf(run, language), from, until }
}

const isSkipped = (character: string): boolean =>
  character.trim() === '' || closers.includes(character)

function markOf(run: string, language: Language): Mark | undefined {
  if (run === '') return undefined
  if (/\.{2}|。{2}|…|⋯/.test(run)) return 'ellipsis'
  const found = [...run].map((character) => ofLanguage(character, language))
  if (found.includes('question')) return 'question'
  if (found.includes('exclamation')) return 'exclamation'
  return found.at(-1)
}

/** The semicolon is the question mark of Greek, the colon the full stop of Armenian. */
function ofLanguage(character: string, { base }: Language): Mark | undefined {
  if (base === 'el' && (character === ';' || character === '\u037e')) return 'question'
  if (base === 'hy' && character === ':') return 'stop'
  if (character === ';') return 'semicolon'
  return byCharacter.get(character)
}

/**
 * Differences that are none: abbreviations, languages without a full stop, and Armenian, whose
 * marks stand inside words.
 */
function isFine(
  { source, target, to }: Context,
  was: Mark | undefined,
  is: Mark | undefined,
): boolean {
  if (to.base === 'hy') return was !== 'colon' && is !== 'colon'
  if (
    is === undefined &&
    isOneOf(to, 'th lo km my') &&
    (was === 'stop' || was === 'comma' || was === 'semicolon')
  )
    return true
  if (is === 'stop' && was === undefined)
    return wordsIn(target.flat).length <= 3 && target.flat.trim().length <= 20
  if (was === 'stop' && is === undefined) return /^\p{L}{1,4}\.$/u.test(source.flat.trim())
  return false
}

/** Spanish opens a question and an exclamation too. */
function spanishStart({ target, to }: Context, mark: Mark | undefined): Found | undefined {
  if (to.base !== 'es' || (mark !== 'question' && mark !== 'exclamation')) return undefined
  const [open, close, what] =
    mark === 'question' ? ['¿', '?', 'question'] : ['¡', '!', 'exclamation']
  if (/[¿¡]/.test(target.flat) || !target.flat.includes(close)) return undefined
  const inner = target.flat.slice(0, -2)
  const isOne = !/[.,:;!?…\ufffc\n]/.test(inner) && target.parts.length === 1
  const fix = isOne
    ? changeFirst(target.parts, (text) => text.replace(/^\s{0,100}/, (space) => space + open))
    : undefined
  return {
    message: `A Spanish ${what} starts with ${open}.`,
    facts: [{ says: `${what}Start`, open }],
    fix,
  }
}

const latin: Readonly<Record<Mark, string>> = {
  stop: '.',
  ellipsis: '…',
  question: '?',
  exclamation: '!',
  colon: ':',
  semicolon: ';',
  comma: ',',
}

function spelled(mark: Mark | undefined, language: Language): string {
  if (mark === undefined) return ''
  if (isWide(language))
    return {
      ...latin,
      stop: '。',
      question: '？',
      exclamation: '！',
      colon: '：',
      semicolon: '；',
      comma: '，',
      ellipsis: '……',
    }[mark]
  if (isOneOf(language, 'ar fa ur')) {
    const arabic = { ...latin, question: '؟', semicolon: '؛', comma: '،' }
    return language.base === 'ur' && mark === 'stop' ? '۔' : arabic[mark]
  }
  if (language.base === 'el') return { ...latin, question: ';', semicolon: '·' }[mark]
  if (isOneOf(language, 'hi mr ne sa bn') && mark === 'stop') return '।'
  if (language.base !== 'fr') return latin[mark]
  if (mark === 'colon') return '\u00a0:'
  const isSpaced =
    (mark === 'question' || mark === 'exclamation' || mark === 'semicolon') &&
    language.code !== 'fr-ca'
  return isSpaced ? `\u202f${latin[mark]}` : latin[mark]
}

/** Only where the text ends with a string, and nothing but white space stands behind the mark. */
function mended(
  parts: TextParts,
  wanted: Mark | undefined,
  language: Language,
): TextParts | undefined {
  const last = lastOf(parts)
  const core = last.trimEnd()
  if (core === '' || closers.includes(core.slice(-1))) return undefined
  let from = core.length
  while (from > 0 && byCharacter.has(core.charAt(from - 1))) from -= 1
  const text = core.slice(0, from).trimEnd()
  if (text === '') return undefined
  return changeLast(parts, () => text + spelled(wanted, language) + last.slice(core.length))
}
