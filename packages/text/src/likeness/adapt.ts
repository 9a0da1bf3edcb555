/**
 * Adapts the translation of a similar text to another one that differs from it in numbers,
 * placeholders and tags alone: those are replaced where they stand in the translation.
 */
import { protect } from '../placeholders/protect.ts'
import { plainSource, tokensOf, writtenIn } from './tokens.ts'

type Unit = { readonly source: string; readonly target: string }

/** Longer texts are left alone. */
const mostCharacters = 20_000
/** Texts with more numbers or more codes are left alone: each is compared with each. */
const mostPlaces = 200

/** Undefined if the texts differ in more, or if a place in the translation is not certain. */
export function adaptTarget(given: string, unit: Unit): string | undefined {
  const source = plainSource(given)
  if (Math.max(source.length, unit.source.length, unit.target.length) > mostCharacters)
    return undefined
  if (source === unit.source || !isAlike(source, unit.source)) return undefined
  const pieces = piecesOf(unit.target)
  const numbers = replaceNumbers(pieces, numbersIn(unit.source), numbersIn(source))
  const adapted = numbers && replaceCodes(numbers, codesIn(unit.source), codesIn(source))
  return adapted?.map(({ raw }) => raw).join('')
}

/** The same words in the same case, in the same order. */
function isAlike(one: string, other: string): boolean {
  const [left, right] = [tokensOf(one), tokensOf(other)]
  if (left.length !== right.length || left.some((token, at) => token !== right[at])) return false
  return writtenIn(one).words.join('\n') === writtenIn(other).words.join('\n')
}

const numbersIn = (text: string): readonly string[] => writtenIn(text).numbers
const isCode = ({ kind }: Piece): boolean => kind !== 'text' && kind !== 'url' && kind !== 'email'
const codesIn = (text: string): readonly string[] =>
  piecesOf(text).flatMap((piece) => (isCode(piece) ? [piece.raw] : []))

type Piece = { readonly kind: string; readonly raw: string }
const piecesOf = (text: string): Piece[] =>
  [...protect(text)].map((part) =>
    'text' in part ? { kind: 'text', raw: part.text } : { kind: part.kind, raw: part.raw },
  )

/** Digits in groups, as people write numbers. */
const number = /\d+(?:[.,]\d+)*/g

/** Each number of the source must stand in the translation, as often and with one meaning. */
function replaceNumbers(
  pieces: readonly Piece[],
  before: readonly string[],
  after: readonly string[],
): readonly Piece[] | undefined {
  if (before.length !== after.length || before.length > mostPlaces) return undefined
  if (before.every((one, at) => one === after[at])) return pieces
  const written = pieces.flatMap(({ kind, raw }) =>
    kind === 'text' ? (raw.match(number) ?? []) : [],
  )
  const meant = meanings(written, before, after)
  if (!meant) return undefined
  let next = 0
  return pieces.map((piece) =>
    piece.kind === 'text'
      ? { ...piece, raw: piece.raw.replace(number, (same) => meant[next++] ?? same) }
      : piece,
  )
}

/** What each number of the translation becomes; undefined if that is not certain. */
function meanings(
  written: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string[] | undefined {
  const places = before.map((_, at) => at)
  const left = new Set(places)
  const meant: string[] = []
  for (const one of written) {
    const fitting = places.filter((at) => left.has(at) && digits(before[at]) === digits(one))
    const [at] = fitting
    // A number that the source has not, as of a word, stays.
    if (at === undefined) {
      if (before.some((number) => digits(number) === digits(one))) return undefined
      meant.push(one)
      continue
    }
    // Equal numbers with other meanings have an order, which the translation may not keep.
    if (fitting.some((other) => after[other] !== after[at])) return undefined
    const spelled = spellAs(one, before[at] ?? '', after[at] ?? '')
    if (spelled === undefined) return undefined
    left.delete(at)
    meant.push(spelled)
  }
  return places.some((at) => left.has(at) && before[at] !== after[at]) ? undefined : meant
}

const digits = (number = ''): string => number.replace(/\D/g, '')

/** With the separators of the translation: 1,250.5 stood there as 1.250,5. */
function spellAs(written: string, before: string, after: string): string | undefined {
  if (written === before) return after
  if (written.length !== before.length) return undefined
  const becomes = new Map<string, string>()
  for (const [at, mark] of [...before].entries()) {
    const shown = written[at] ?? ''
    if (/\d/.test(mark) ? mark !== shown : (becomes.get(mark) ?? shown) !== shown) return undefined
    if (/\D/.test(mark)) becomes.set(mark, shown)
  }
  const spelled = [...after].map((mark) => (/\d/.test(mark) ? mark : becomes.get(mark)))
  return spelled.some((mark) => mark === undefined) ? undefined : spelled.join('')
}

/** Codes are replaced in their order; those of a source without any are left out. */
function replaceCodes(
  pieces: readonly Piece[],
  before: readonly string[],
  after: readonly string[],
): readonly Piece[] | undefined {
  if (before.join('\n') === after.join('\n')) return pieces
  if (Math.max(before.length, after.length) > mostPlaces) return undefined
  const own = pieces.filter(isCode).map(({ raw }) => raw)
  if ([...own].sort().join('\n') !== [...before].sort().join('\n')) return undefined
  if (
    after.length === 0 &&
    pieces.every((piece) => !isCode(piece) || piece.kind.startsWith('tag-'))
  )
    return pieces.filter((piece) => !isCode(piece))
  if (before.length !== after.length) return undefined
  const left = before.map((raw, at) => ({ raw, becomes: after[at] ?? '' }))
  const made: Piece[] = []
  for (const piece of pieces) {
    if (!isCode(piece)) {
      made.push(piece)
      continue
    }
    const fitting = left.filter(({ raw }) => raw === piece.raw)
    const [first] = fitting
    if (!first || fitting.some(({ becomes }) => becomes !== first.becomes)) return undefined
    left.splice(left.indexOf(first), 1)
    made.push({ ...piece, raw: first.becomes })
  }
  return made
}
