/**
 * The numbers that a text says without digits, as values: `forty`, `十万`, `一九二〇`, `XVIII`. The time
 * grows with the length of the text.
 */
import type { Language } from './language.ts'
import { type Lexicon, lexiconOf, type NumberWord } from './spelled-words.ts'

/** Longer words are no words of numbers. */
const longestWord = 60

export function spelledIn(text: string, { base }: Language): ReadonlySet<string> {
  const lexicon = lexiconOf(base)
  const said = new Set<string>()
  const lower = text.toLowerCase()
  if (lexicon) {
    const runs = isSigns(base) ? signRuns(lower, lexicon) : wordRuns(lower, lexicon)
    for (const run of runs) for (const value of valuesOf(run)) said.add(value)
  }
  for (const value of romanIn(text)) said.add(value)
  return said
}

/** Whether we know all its words of numbers, not those of thousands alone. */
export const knowsNumbers = ({ base }: Language): boolean =>
  [...(lexiconOf(base)?.exact.values() ?? [])].some(({ unit }) => unit === 5)

/** Whether its numbers stand within other characters, without spaces. */
export const isSigns = (base: string): boolean =>
  base === 'zh' || base === 'ja' || base === 'ko' || base === 'yue' || base === 'wuu'

function* signRuns(text: string, { exact }: Lexicon): Generator<NumberWord[]> {
  let run: NumberWord[] = []
  for (let at = 0; at < text.length; at += 1) {
    const long = exact.get(text.slice(at, at + 2))
    const word = long ?? exact.get(text.charAt(at))
    if (long) at += 1
    if (word) run.push(word)
    else if (run.length > 0 && text.charAt(at) !== ' ') {
      yield run
      run = []
    }
  }
  if (run.length > 0) yield run
}

/** A word that joins, a hyphen or a blank does not end a number; anything else does. */
function* wordRuns(text: string, lexicon: Lexicon): Generator<NumberWord[]> {
  let run: NumberWord[] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    const between = text.slice(end, index)
    end = index + word.length
    const pieces = piecesOf(withoutAnd(word, lexicon), lexicon)
    const isApart = between.length > 2 || !/^[\s\u00ad’'‑–-]*$/.test(between)
    if (run.length > 0 && (isApart || pieces.length === 0)) {
      yield run
      run = []
    }
    run.push(...pieces)
  }
  if (run.length > 0) yield run
}

/** Arabic writes "and" in one with the next word. */
const withoutAnd = (word: string, { exact }: Lexicon): string =>
  word.length > 3 && word.startsWith('و') && exact.get('و')?.joins ? word.slice(1) : word

/** The words in a word: `vierundzwanzigste` is 4, and, 20. Its end may be anything. */
function piecesOf(word: string, { exact, stems }: Lexicon): NumberWord[] {
  const whole = word.length > longestWord ? undefined : exact.get(word)
  if (whole) return [whole]
  const pieces: NumberWord[] = []
  for (let at = 0; at < Math.min(word.length, longestWord); ) {
    let length = Math.min(word.length - at, 16)
    let piece: NumberWord | undefined
    for (; length > 1 && !piece; length -= 1) {
      const part = word.slice(at, at + length)
      piece = stems.get(part) ?? exact.get(part)
      if (piece) break
    }
    if (!piece) break
    pieces.push(piece)
    at += length
  }
  return pieces
}

/** All that a run may mean: its numbers, and two of them as a year. */
function valuesOf(run: readonly NumberWord[]): string[] {
  const values: number[] = []
  let groups: Group[] = []
  let current = 0
  const end = () => {
    const sum = groups.reduce((all, { value }) => all + value, current)
    if (sum > 0) values.push(sum)
    ;[groups, current] = [[], 0]
  }
  for (const { unit, power, teen } of run) {
    if (teen) current += 10
    else if (power !== undefined && power < 3) current = timesLow(current, 10 ** power)
    else if (power !== undefined) {
      const smaller = groups.filter((group) => group.power < power)
      groups = groups.filter((group) => group.power >= power)
      const times = smaller.reduce((all, { value }) => all + value, current)
      groups.push({ value: (times || 1) * 10 ** power, power })
      current = 0
    } else if (unit !== undefined && !(unit === 1 && current === 0.5)) {
      // Quatre-vingts is four twenties.
      if (unit === 20 && current % 100 === 4) current += 76
      else {
        if (!isAddedTo(current, unit)) end()
        current += unit
      }
    }
  }
  end()
  return [...values, ...yearsOf(values), ...notInTwenties(values)]
    .filter(Number.isSafeInteger)
    .map(String)
    .concat(digitsOf(run))
}

/** What a power of ten has multiplied. */
type Group = { readonly value: number; readonly power: number }

/** `300 + 2` times ten is `300 + 20`. */
function timesLow(current: number, times: number): number {
  const low = current % times
  return current - low + (low || 1) * times
}

/** 5 to 20, 10 to 60 (soixante-dix) and 20 to 4 (vierundzwanzig), not 20 to 19. */
function isAddedTo(current: number, unit: number): boolean {
  const low = current % 100
  if (unit >= 100) return current === 0
  if (low === 0) return true
  if (unit < 10) return low % 10 === 0
  if (unit < 20) return low === 60 || low === 80
  return low < 10 && unit % 10 === 0
}

/** Nineteen eighty-four. */
const yearsOf = (values: readonly number[]): number[] =>
  values.slice(1).flatMap((value, at) => {
    const before = values[at] ?? 0
    return Math.min(before, value) >= 10 && Math.max(before, value) < 100
      ? [before * 100 + value]
      : []
  })

/** What four and twenty means where it is not four twenties. */
const notInTwenties = (values: readonly number[]): number[] =>
  values.flatMap((value) => {
    const low = value % 100
    return low >= 80 && low < 100 ? [value - 56] : []
  })

/** 一九二〇 is 1920. */
function digitsOf(run: readonly NumberWord[]): string[] {
  let digits = ''
  for (const { unit } of run) {
    if (unit === undefined || unit > 9 || unit % 1 !== 0) return []
    digits += unit
  }
  return digits.length > 1 ? [digits.replace(/^0+(?=\d)/, '')] : []
}

const romanDigits: Readonly<Record<string, number>> = {
  I: 1,
  V: 5,
  X: 10,
  L: 50,
  C: 100,
  D: 500,
  M: 1000,
}

/** `XVIII`, `XVIIIe`, `V`. */
function romanIn(text: string): string[] {
  return (
    text.match(
      /(?<![\p{L}\p{N}])(?:[IVXLCDM]{2,9}(?=\p{Ll}{0,3}(?!\p{L}))|[VX](?![\p{L}\p{N}]))/gu,
    ) ?? []
  ).map((roman) => {
    let value = 0
    for (let at = 0; at < roman.length; at += 1) {
      const one = romanDigits[roman.charAt(at)] ?? 0
      value += one < (romanDigits[roman.charAt(at + 1)] ?? 0) ? -one : one
    }
    return String(value)
  })
}
