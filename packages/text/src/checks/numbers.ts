/**
 * Numbers, compared by value: "1,000.50" in English is "1.000,50" in German and "١٬٠٠٠٫٥٠" in
 * Arabic. Dates may change their order, and a small number may be a word. Numbers in placeholders
 * and links do not count.
 */
import { digitOf, latin, writtenIn } from './digits.ts'
import type { Language } from './language.ts'
import { hasNumberWord } from './number-words.ts'
import { listed, namesOf, show } from './read-text.ts'
import type { Found } from './rule.ts'

export type NumberFound = {
  readonly raw: string
  /** The digits without leading zeros, and the decimals without trailing ones. */
  readonly value: string
  /** The two halves of a number with one mark, which may be a date or a time. */
  readonly halves?: readonly [string, string]
  /** A sign for ten thousand or more follows: only the significant digits are compared. */
  readonly large?: true
  /** Where it starts in the text; absent for a part of a date, a version or a time. */
  readonly at?: number
}

/** `lost` and `added`: the values that have no partner. */
export type NumbersChanged = {
  readonly found: Found
  readonly lost: readonly NumberFound[]
  readonly added: readonly NumberFound[]
}

export function compareNumbers(
  before: string,
  after: string,
  from: Language,
  to: Language,
): NumbersChanged | undefined {
  const lists = { lost: numbersIn(before, from), added: numbersIn(after, to) }
  removeEqual(lists, (one, other) => one.value === other.value)
  if (lists.lost.length + lists.added.length === 0) return undefined
  removeEqual(
    lists,
    (one, other) => (one.large || other.large) === true && mantissa(one) === mantissa(other),
  )
  if (/\b[ap]\.?m\b/i.test(before) || /\b[ap]\.?m\b/i.test(after)) removeHours(lists)
  removeHalves(lists)
  lists.lost = withoutWords(lists.lost, after, to)
  lists.added = withoutWords(lists.added, before, from)
  const found = sentenceOf(lists, to)
  return found && { found, ...lists }
}

function sentenceOf({ lost, added }: Lists, to: Language): Found | undefined {
  if (lost.length > 0 && digitsOf(lost) === digitsOf(added)) return wrongForm(lost, added, to)
  if (lost.length === 1 && added.length === 1) {
    const fact = exchanged(lost, added, to)
    return {
      message: `The source has the number ${fact.number}, the translation ${fact.written}.`,
      facts: [{ says: 'other', ...fact }],
    }
  }
  if (lost.length > 0)
    return {
      message: `The number${lost.length > 1 ? 's' : ''} ${rawOf(lost)} of the source ${lost.length > 1 ? 'are' : 'is'} missing.`,
      facts: [{ says: 'missing', ...namesOf(lost.map(({ raw }) => raw)) }],
    }
  if (added.length > 0)
    return {
      message: `The number${added.length > 1 ? 's' : ''} ${rawOf(added)} ${added.length > 1 ? 'are' : 'is'} not in the source.`,
      facts: [{ says: 'added', ...namesOf(added.map(({ raw }) => raw)) }],
    }
  return undefined
}

/** Each value is looked for once. */
function withoutWords(
  numbers: readonly NumberFound[],
  text: string,
  language: Language,
): NumberFound[] {
  const asWord = new Map<string, boolean>()
  for (const { value } of numbers)
    if (value.length <= 2 && !asWord.has(value))
      asWord.set(value, hasNumberWord(text, value, language))
  return numbers.filter(({ value }) => !asWord.get(value))
}

/**
 * The same digits: grouped otherwise, which is no change, or with a mark that means something else.
 */
function wrongForm(
  lost: readonly NumberFound[],
  added: readonly NumberFound[],
  to: Language,
): Found | undefined {
  if (lost.length !== added.length) return undefined
  const fact = exchanged(lost, added, to)
  return {
    message: `The number ${fact.number} of the source is written as ${fact.written}, which is another number in the target language.`,
    facts: [{ says: 'otherForm', ...fact }],
  }
}

/** The first number of each side, and how the target language writes that of the source. */
function exchanged([lost]: readonly NumberFound[], [added]: readonly NumberFound[], to: Language) {
  const [number = '', written = ''] = [lost?.raw, added?.raw]
  const wanted = lost && added ? writtenIn(to, lost, added) : number
  return { number: show(number), written: show(written), wanted: show(wanted) }
}

const rawOf = (numbers: readonly NumberFound[]): string => listed(numbers.map(({ raw }) => raw))
const digitsOf = (numbers: readonly NumberFound[]): string =>
  numbers.map(({ raw }) => latin(raw)).join('')
const mantissa = ({ value }: NumberFound): string =>
  withoutEnd(value.replace('.', '').replace(/^0+/, ''))
const isSameHour = (one: NumberFound, other: NumberFound): boolean => {
  const [hour, hours] = [Number(one.value), Number(other.value)]
  return Math.abs(hour - hours) === 12 && Math.max(hour, hours) <= 24
}

type Lists = { lost: NumberFound[]; added: NumberFound[] }

/** Removes pairs, by value first, so that a long list takes no longer than it must. */
function removeEqual(
  lists: Lists,
  isEqual: (one: NumberFound, other: NumberFound) => boolean,
): void {
  const added = lists.added
  if (lists.lost.length * added.length > 10_000) {
    removeByValue(lists)
    return
  }
  const used = new Set<number>()
  lists.lost = lists.lost.filter((one) => {
    const at = added.findIndex((other, index) => !used.has(index) && isEqual(one, other))
    if (at >= 0) used.add(at)
    return at < 0
  })
  lists.added = added.filter((_, at) => !used.has(at))
}

function removeByValue(lists: Lists): void {
  const without = (numbers: readonly NumberFound[], others: readonly NumberFound[]) => {
    const counts = new Map<string, number>()
    for (const { value } of others) counts.set(value, (counts.get(value) ?? 0) + 1)
    return numbers.filter(({ value }) => {
      const count = counts.get(value) ?? 0
      counts.set(value, count - 1)
      return count <= 0
    })
  }
  ;[lists.lost, lists.added] = [without(lists.lost, lists.added), without(lists.added, lists.lost)]
}

/** 3:30 pm is 15:30 or 15.30. */
function removeHours(lists: Lists): void {
  const split = ({ raw, value, halves }: NumberFound): NumberFound[] =>
    halves ? halves.map((half) => ({ raw, value: half })) : [{ raw, value }]
  ;[lists.lost, lists.added] = [lists.lost.flatMap(split), lists.added.flatMap(split)]
  removeEqual(lists, (one, other) => one.value === other.value)
  removeEqual(lists, isSameHour)
}

/** 12.05 on one side and 5 and 12 on the other: a date or a time. */
function removeHalves(lists: Lists): void {
  const take = (numbers: NumberFound[], others: NumberFound[]): [NumberFound[], NumberFound[]] => {
    let rest = others
    const kept = numbers.filter(({ halves }) => {
      if (!halves || rest.length > 1_000) return true
      const [one, two] = halves.map((half) => rest.find(({ value }) => value === half))
      if (!one || !two || one === two) return true
      rest = rest.filter((other) => other !== one && other !== two)
      return false
    })
    return [kept, rest]
  }
  ;[lists.lost, lists.added] = take(lists.lost, lists.added)
  ;[lists.added, lists.lost] = take(lists.added, lists.lost)
}

export function numbersIn(text: string, language: Language): NumberFound[] {
  const found: NumberFound[] = []
  const endOfRun = (from: number, most = Number.POSITIVE_INFINITY) => {
    let at = from
    while (at < text.length && at - from < most && digitOf(text.charCodeAt(at)) >= 0) at += 1
    return at
  }
  for (let at = 0; at < text.length; at += 1) {
    if (digitOf(text.charCodeAt(at)) < 0) continue
    const start = at
    at = endOfRun(at)
    const groups = [text.slice(start, at)]
    const marks: string[] = []
    for (
      let mark = markOf(text.charAt(at), language);
      mark !== undefined;
      mark = markOf(text.charAt(at), language)
    ) {
      const end = endOfRun(at + 1, mark === ' ' ? 4 : undefined)
      const isGroup = end - at === 4 && (groups.at(-1)?.length ?? 0) <= 3
      if (end === at + 1 || (mark === ' ' && !isGroup)) break
      groups.push(text.slice(at + 1, end))
      marks.push(mark)
      at = end
    }
    const large = '万萬億亿만억'.includes(text.charAt(at) || ' ')
    const raw = text.slice(start, at)
    if (marks.length === 0 && !large) found.push({ raw, value: plainly(latin(raw), ''), at: start })
    else
      for (const one of valuesOf(raw, groups.map(latin), marks.join(''), language))
        found.push({ ...one, ...(large && { large: true }), ...(one.raw === raw && { at: start }) })
  }
  return found
}

/** A point or a comma, ` ` for what only groups, `d` for the decimal mark of Arabic. */
function markOf(character: string, { spaced }: Language): string | undefined {
  if (character === '.' || character === ',') return character
  if (character === '٫') return 'd'
  if (character === '٬' || character === '’' || character === "'") return ' '
  if (
    character === '\u00a0' ||
    character === '\u202f' ||
    character === '\u2009' ||
    character === '\u2007'
  )
    return ' '
  return character === ' ' && spaced ? ' ' : undefined
}

function valuesOf(
  raw: string,
  given: readonly string[],
  marks: string,
  language: Language,
): NumberFound[] {
  const soft = marks.replaceAll(' ', '')
  const last = soft.slice(-1)
  const isDecimal = last !== '' && !soft.slice(0, -1).includes(last)
  const tail = given.at(-1) ?? ''
  if (soft === '') return [{ raw, value: plainly(given.join(''), '') }]
  const grouped = isGrouped(given)
  if (soft.length === 1 && marks.length === 1 && last !== 'd') {
    const isThousand = grouped && !(given[0] ?? '').startsWith('0') && last !== language.decimal
    if (isThousand) return [{ raw, value: plainly(given.join(''), '') }]
    const value = plainly(given[0] ?? '', tail)
    return [
      grouped
        ? { raw, value }
        : { raw, value, halves: [plainly(given[0] ?? '', ''), plainly(tail, '')] },
    ]
  }
  if (!isDecimal && grouped) return [{ raw, value: plainly(given.join(''), '') }]
  const isWhole = marks.endsWith(last) && (given.length === 2 || isGrouped(given.slice(0, -1)))
  if (isDecimal && isWhole) return [{ raw, value: plainly(given.slice(0, -1).join(''), tail) }]
  // A date, a version or an address: each part counts.
  return given.map((part) => ({ raw: part, value: plainly(part, '') }))
}

/** Groups of three, or of two before the last three, as in India. */
const isGrouped = (groups: readonly string[]): boolean =>
  groups.length > 1 &&
  (groups[0]?.length ?? 0) <= 3 &&
  groups.at(-1)?.length === 3 &&
  (groups.slice(1, -1).every(({ length }) => length === 3) ||
    groups.slice(1, -1).every(({ length }) => length === 2))

function plainly(whole: string, decimals: string): string {
  const [integer, fraction] = [
    whole.startsWith('0') ? whole.replace(/^0+/, '') : whole,
    withoutEnd(decimals),
  ]
  return `${integer || '0'}${fraction === '' ? '' : `.${fraction}`}`
}

function withoutEnd(digits: string): string {
  let until = digits.length
  while (until > 0 && digits.charAt(until - 1) === '0') until -= 1
  return digits.slice(0, until)
}
