/**
 * Numbers, compared by value: "1,000.50" in English is "1.000,50" in German and "١٬٠٠٠٫٥٠" in
 * Arabic. Dates may change their order, and a number may be a word, a numeral or the name of a
 * month. Numbers in placeholders and links do not count.
 */
import { digitOf, latin, writtenIn } from './digits.ts'
import { foreignNumbers } from './foreign-numbers.ts'
import type { Language } from './language.ts'
import { monthsIn } from './month-names.ts'
import { hasNumberWord } from './number-words.ts'
import { listed, namesOf, show } from './read-text.ts'
import type { Found } from './rule.ts'
import { scaleAt, shifted, sumOf } from './scales.ts'
import { knowsNumbers, spelledIn } from './spelled-numbers.ts'

export type NumberFound = {
  readonly raw: string
  /** The digits without leading zeros, and the decimals without trailing ones. */
  readonly value: string
  /** The two halves of a number with one mark, which may be a date or a time. */
  readonly halves?: readonly [string, string]
  /** What its digits say, where words such as "million" make it more. */
  readonly digits?: string
  /** Where it starts in the text; absent for a part of a date, a version or a time. */
  readonly at?: number
}

/**
 * `lost` and `added`: the values that have no partner. `sure`: no person would have written that;
 * where words, calendars or units of other countries may explain it, nothing is sure.
 */
export type NumbersChanged = {
  readonly found: Found
  readonly sure: boolean
  readonly lost: readonly NumberFound[]
  readonly added: readonly NumberFound[]
}

export function compareNumbers(
  before: string,
  after: string,
  from: Language,
  to: Language,
): NumbersChanged | undefined {
  const [source, target] = [numbersIn(before, from), numbersIn(after, to)]
  const lists = { lost: source, added: target }
  removeEqual(lists, (one, other) => one.value === other.value)
  if (lists.lost.length + lists.added.length === 0) return leftAsItWas(source, target, after, to)
  removeEqual(lists, isSameWithScale)
  if (/\b[ap]\.?m\b/i.test(before) || /\b[ap]\.?m\b/i.test(after)) removeHours(lists)
  removeHalves(lists)
  removeYears(lists)
  lists.lost = withoutWords(lists.lost, after, to)
  lists.added = withoutWords(lists.added, before, from)
  if (lists.lost.length + lists.added.length === 0) return leftAsItWas(source, target, after, to)
  const found = sentenceOf(lists, to)
  return (
    found && {
      found,
      sure: isSwapped(lists, source) || isInvented(lists, source, before, from, to),
      ...lists,
    }
  )
}

/** `1.5 MB` and `1,000.50` in German: the number of the source, in the form of the source. */
function leftAsItWas(
  source: readonly NumberFound[],
  target: readonly NumberFound[],
  after: string,
  to: Language,
): NumbersChanged | undefined {
  const raws = new Set(source.map(({ raw }) => raw))
  const left = foreignNumbers(target, after, to).filter(({ raw }) => raws.has(raw))
  const [first] = left
  if (!first) return undefined
  // Its fix would say the same if the language had no other form.
  if (writtenIn(to, first, first) === first.raw) return undefined
  const found = wrongForm([first], [first], to)
  return found && { found, sure: false, lost: [first], added: [first] }
}

/** A scale that one side alone has, or has in a word that we do not know. */
const isSameWithScale = (one: NumberFound, other: NumberFound): boolean =>
  (one.digits === undefined) !== (other.digits === undefined) &&
  (one.digits ?? one.value) === (other.digits ?? other.value)

/**
 * Each number has the digits of another in another order: 12 and 18 became 21 and 81. People write
 * so too, in one text of ten thousand, so one short number that stands alone is not sure.
 */
function isSwapped({ lost, added }: Lists, source: readonly NumberFound[]): boolean {
  if (lost.length === 0 || lost.length !== added.length || lost.length > 50) return false
  const sorted = ({ raw }: NumberFound) => [...latin(raw)].sort().join('')
  const left = added.map(sorted)
  const areSwapped = lost.every((one) => {
    if (one.digits !== undefined || one.halves || latin(one.raw).length < 2) return false
    const at = left.indexOf(sorted(one))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  const isLong = lost.some(({ raw }) => latin(raw).length > 4)
  return areSwapped && digitsOf(lost) !== digitsOf(added) && (isLong || source.length > 1)
}

/** A long number, and no year, where the source has none, in languages whose words we know. */
const isInvented = (
  { added }: Lists,
  source: readonly NumberFound[],
  before: string,
  from: Language,
  to: Language,
): boolean =>
  source.length === 0 &&
  added.length > 0 &&
  added.every(({ value, digits }) => digits === undefined && isLongNumber(value)) &&
  knowsNumbers(from) &&
  knowsNumbers(to) &&
  spelledIn(before, from).size === 0
const isLongNumber = (value: string): boolean => /^\d{4,}$/.test(value) && !isYear(value)

function sentenceOf({ lost, added }: Lists, to: Language): Found | undefined {
  const areScaled = [...lost, ...added].some(({ digits }) => digits !== undefined)
  if (lost.length > 0 && !areScaled && digitsOf(lost) === digitsOf(added))
    return wrongForm(lost, added, to)
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

/** Without those that the other text says in words; each value is looked for once. */
function withoutWords(
  numbers: readonly NumberFound[],
  text: string,
  language: Language,
): NumberFound[] {
  if (numbers.length === 0) return []
  const spelled = spelledIn(text, language)
  const months = monthsIn(text, language)
  const asWord = new Map<string, boolean>()
  const isWord = (value: string) => {
    const known = asWord.get(value)
    if (known !== undefined) return known
    const said =
      spelled.has(value) ||
      months.has(value) ||
      (value.length <= 2 && hasNumberWord(text, value, language)) ||
      isDecadeOf(spelled, value)
    asWord.set(value, said)
    return said
  }
  return numbers.filter(({ value, digits }) => !isWord(value) && !(digits && isWord(digits)))
}

/** The 1930s are the thirties, the 1900s are of the twentieth century. */
function isDecadeOf(said: ReadonlySet<string>, value: string): boolean {
  if (!isYear(value) || !value.endsWith('0')) return false
  const decade = Number(value) % 100
  return said.has(String(decade === 0 ? centuryOf(value) : decade))
}
const isYear = (value: string): boolean => /^(?:1\d|20)\d\d$/.test(value)
const centuryOf = (year: string): number => Math.floor(Number(year) / 100) + 1

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

/**
 * 1960s and 60s, 1998 and '98; the 1960s as the 60s of the 20th century, as in Chinese. More than
 * these are not compared.
 */
function removeYears(lists: Lists): void {
  const take = (years: NumberFound[], others: NumberFound[]): [NumberFound[], NumberFound[]] => {
    if (years.length > 100 || others.length > 100) return [years, others]
    let rest = others
    const kept = years.filter(({ value, raw }) => {
      if (!isYear(value)) return true
      const short = latin(raw).slice(2)
      const century = String(centuryOf(value))
      const isHundred = short === '00'
      const found = rest.find((other) =>
        isHundred ? other.value === century : latin(other.raw) === short,
      )
      if (!found) return true
      rest = rest.filter((other) => other !== found)
      const named = rest.find((other) => other.value === century)
      if (named) rest = rest.filter((other) => other !== named)
      return false
    })
    return [kept, rest]
  }
  ;[lists.lost, lists.added] = take(lists.lost, lists.added)
  ;[lists.added, lists.lost] = take(lists.added, lists.lost)
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
    const raw = text.slice(start, at)
    const scale = scaleAt(text, at, language)
    if (marks.length === 0 && !scale)
      found.push({ raw, value: plainly(latin(raw), ''), at: start, ...leading(text, start, raw) })
    else
      for (const one of valuesOf(raw, groups.map(latin), marks.join(''), language))
        found.push(
          scale && one.raw === raw
            ? {
                raw: text.slice(start, scale.end),
                value: shifted(one.value, scale.power),
                digits: one.value,
                at: start,
              }
            : { ...one, ...(one.raw === raw && { at: start }) },
        )
  }
  return sumOf(found, text, language)
}

/** `.326` is 0.326 to others. */
function leading(text: string, start: number, raw: string): { digits?: string } {
  const isDecimal = /^(?:|[\s(])$/.test(text.charAt(start - 2)) && text.charAt(start - 1) === '.'
  return isDecimal ? { digits: plainly('0', latin(raw)) } : {}
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
