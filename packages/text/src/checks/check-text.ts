/**
 * The one place that runs the checks of a translation (contract, section 13). Pure: no rows, no
 * clock. A `fix` is returned only if the mended text no longer has the finding, and no other one in
 * its place.
 */
import {
  type CheckFact,
  type CheckName,
  type CheckSeverity,
  checkNames,
  checkOf,
  type TextParts,
} from '@dragoman/contract/wire'
import { slot } from '../placeholders/protect.ts'
import { badCharacters } from './characters.ts'
import { languageOf } from './language.ts'
import { leftoverSource } from './leftover.ts'
import { changedLinks } from './links.ts'
import { dangerousHtml, pluralForms } from './markup.ts'
import { nestingOfTags } from './nesting.ts'
import { changedNumbers } from './number-fix.ts'
import { endPunctuation } from './punctuation.ts'
import { readText } from './read-text.ts'
import type { Context, Found, Rules, TextPair, Told } from './rule.ts'
import { lineBreaks, spacesOf } from './spaces.ts'
import { extraTags, missingTags, orderOfTags } from './tags.ts'
import { doubledWords, sameText, unevenBrackets } from './words.ts'

export type Languages = { readonly sourceLanguage: string; readonly targetLanguage: string }
export type CheckFinding = {
  readonly check: CheckName
  readonly severity: CheckSeverity
  readonly message: string
  readonly facts: CheckFact[]
  readonly fix?: TextParts
}

const rules: Rules = {
  'tags.missing': missingTags,
  'tags.extra': extraTags,
  'tags.order': orderOfTags,
  'tags.nesting': nestingOfTags,
  length: tooLong,
  leftover: leftoverSource,
  numbers: changedNumbers,
  punctuation: endPunctuation,
  spaces: spacesOf,
  newlines: lineBreaks,
  brackets: unevenBrackets,
  doubled: doubledWords,
  same: sameText,
  characters: badCharacters,
  links: changedLinks,
  plurals: pluralForms,
  html: dangerousHtml,
  terms: ({ pair: { terms = [] } }) => aboutTerms(terms.slice(0, 3)),
  fuzzy: unedited,
}
const ruleNames = checkNames.filter((name) => rules[name])

/** Above this length no fix is worked out. */
const mostMended = 20_000

/** With `mends: false` no fix is worked out. */
export function checkText(pair: TextPair & Languages, { mends = true } = {}): CheckFinding[] {
  const found = findIn(pair)
  const isShort =
    pair.target.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0) <=
    mostMended
  return [...found].map(([check, { message, facts, fix }]): CheckFinding => {
    const mended = mends && isShort && fix && isBetter(pair, fix, check, found) ? fix : undefined
    return {
      check,
      severity: checkOf(check).severity,
      message,
      facts: [...facts],
      ...(mended && { fix: mended }),
    }
  })
}

function findIn(pair: TextPair & Languages): Map<CheckName, Found> {
  const source = readText(pair.source, pair.tags)
  const target = readText(pair.target, pair.tags)
  const found = new Map<CheckName, Found>()
  const [from, to] = [languageOf(pair.sourceLanguage), languageOf(pair.targetLanguage)]
  const context: Context = { source, target, from, to, pair }
  const isEmpty = textOf(target.flat) === '' && textOf(source.flat) !== ''
  if (isEmpty)
    found.set('empty', { message: 'The translation is empty.', facts: [{ says: 'empty' }] })
  // What else is wrong with an empty text follows from this.
  for (const name of isEmpty ? (['html'] as const) : ruleNames) {
    const one = rules[name]?.(context)
    if (one) found.set(name, one)
  }
  return found
}

const textOf = (flat: string): string => flat.replaceAll(slot, '').trim()

function isBetter(
  pair: TextPair & Languages,
  fix: TextParts,
  check: CheckName,
  found: ReadonlyMap<CheckName, Found>,
): boolean {
  const after = findIn({ ...pair, target: fix })
  return !after.has(check) && [...after.keys()].every((name) => found.has(name))
}

function aboutTerms(told: readonly Told[]): Found | undefined {
  if (told.length === 0) return undefined
  return {
    message: told.map(({ message }) => message).join(' '),
    facts: told.map(({ fact }) => fact),
  }
}

function tooLong({ target, pair: { maxLength } }: Context): Found | undefined {
  if (!maxLength) return undefined
  const text = target.parts.filter((part) => typeof part === 'string').join('')
  const isBytes = maxLength.unit === 'BYTES'
  const length = isBytes ? Buffer.byteLength(text) : [...text].length
  if (length <= maxLength.count) return undefined
  return {
    message: `The translation has ${length} ${isBytes ? 'bytes' : 'characters'}; at most ${maxLength.count} are allowed.`,
    facts: [{ says: isBytes ? 'bytes' : 'characters', count: length, most: maxLength.count }],
  }
}

function unedited({ target, pair: { fuzzy, tags } }: Context): Found | undefined {
  if (!fuzzy || fuzzy.percent >= 100) return undefined
  const isSame = JSON.stringify(readText(fuzzy.target, tags).parts) === JSON.stringify(target.parts)
  if (!isSame) return undefined
  return {
    message: `The translation is the match of ${fuzzy.percent} per cent, unchanged.`,
    facts: [{ says: 'unchanged', percent: fuzzy.percent }],
  }
}
