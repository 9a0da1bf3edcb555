/** Tags and placeholders: none lost, none added, those without a number in order. */
import type { TextParts } from '@dragoman/contract/wire'

import { type Code, isBranch, listed, namesOf, type Side, startsBranches } from './read-text.ts'
import type { Context, Found } from './rule.ts'

export function missingTags({ source, target }: Context): Found | undefined {
  const lost = surplus(source, target)
  if (lost.length === 0) return undefined
  const are = lost.length > 1 ? 'are' : 'is'
  return {
    message: `The ${nameOf(lost)} of the source ${are} missing.`,
    facts: [{ says: kindOf(lost), ...namesOf(lost.map(({ shows }) => shows)) }],
    fix: withEnds(source, target, lost),
  }
}

export function extraTags({ source, target }: Context): Found | undefined {
  const added = surplus(target, source)
  if (added.length === 0) return undefined
  const known = new Set(source.codes.map(({ key }) => key))
  const isKnown = added.every(({ key }) => known.has(key))
  const what = kindOf(added)
  const names = namesOf(added.map(({ shows }) => shows))
  if (isKnown)
    return {
      message: `The translation has the ${nameOf(added)} more often than the source.`,
      facts: [{ says: `${what}Again`, ...names }],
    }
  return {
    message: `The translation has the ${nameOf(added)}, which the source does not have.`,
    facts: [{ says: what, ...names }],
  }
}

/**
 * Codes that the one has more often than the other. In a plural each counts once, because branches
 * differ by language.
 */
function surplus(one: Side, other: Side): Code[] {
  const hasBranches = [...one.codes, ...other.codes].some(({ shows }) => startsBranches(shows))
  const left = new Map<string, number>()
  const keyOf = (code: Code) => (hasBranches && isBranch(code) ? branchKey(code) : code.key)
  for (const code of other.codes) {
    const key = keyOf(code)
    left.set(key, hasBranches ? Number.POSITIVE_INFINITY : (left.get(key) ?? 0) + 1)
  }
  const found = one.codes.filter((code) => {
    const key = keyOf(code)
    if (key === '' || (hasBranches && code.shows === '#')) return false
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
  return hasBranches ? [...new Map(found.map((code) => [keyOf(code), code])).values()] : found
}

/** The argument of a plural or select counts, not its branches. */
const branchKey = ({ shows }: Code): string =>
  startsBranches(shows) ? shows.slice(0, shows.indexOf(',')).trim() : ''

const kindOf = (codes: readonly Code[]): 'placeholder' | 'tag' =>
  codes.every(({ kind }) => kind === 'PLACEHOLDER') ? 'placeholder' : 'tag'

function nameOf(codes: readonly Code[]): string {
  return `${kindOf(codes)}${codes.length > 1 ? 's' : ''} ${listed(codes.map(({ shows }) => shows))}`
}

/**
 * The translation with lost tags that stand at the very start or end of the source; undefined if
 * one stands elsewhere.
 */
function withEnds(source: Side, target: Side, lost: readonly Code[]): TextParts | undefined {
  const numbers = new Set(lost.map(({ tag }) => tag))
  if (numbers.has(undefined) || numbers.size < lost.length) return undefined
  const isLost = (part: TextParts[number]) => typeof part !== 'string' && numbers.has(part.tag)
  let from = 0
  while (from < source.parts.length && isLost(source.parts[from] ?? '')) from += 1
  let until = source.parts.length
  while (until > from && isLost(source.parts[until - 1] ?? '')) until -= 1
  const [before, after] = [source.parts.slice(0, from), source.parts.slice(until)]
  if (before.length + after.length < lost.length) return undefined
  return [...before, ...target.parts, ...after]
}

/** `%s`, `%d`, `%@`, `{}`: a program fills them in by their order. */
const isUnnumbered = ({ kind, shows }: Code): boolean =>
  kind === 'PLACEHOLDER' &&
  (shows === '{}' ||
    (/^%[-+0#' ]{0,4}[\d*]{0,4}(?:\.[\d*]{1,4})?[hlLqjzt]{0,2}[@a-zA-Z]$/.test(shows) &&
      shows !== '%n'))

export function orderOfTags({ source, target }: Context): Found | undefined {
  const [was, is] = [source.codes.filter(isUnnumbered), target.codes.filter(isUnnumbered)]
  if (was.length !== is.length || was.every(({ key }, at) => key === is[at]?.key)) return undefined
  if (surplus(source, target).length > 0 || source.codes.some(({ shows }) => startsBranches(shows)))
    return undefined
  const at = was.findIndex(({ key }, index) => key !== is[index]?.key)
  const [wanted, found] = [was[at]?.shows ?? '', is[at]?.shows ?? '']
  const where = wanted === found ? '' : `: ${found} is where the source has ${wanted}`
  const names = was.map(({ shows }) => shows)
  return {
    message: `The placeholders ${listed(names)} are in another order${where}.`,
    facts: [
      {
        says: where === '' ? 'order' : 'place',
        ...namesOf(names),
        ...(where !== '' && { found, wanted }),
      },
    ],
  }
}
