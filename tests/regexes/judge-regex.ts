/**
 * Whether a regular expression takes time in proportion to its text, whatever the text is. By
 * simple rules that a person can follow, on the safe side: what is not shown to be linear is told
 * in a sentence.
 *
 * 1. What comes after a repetition must not begin with a character that it repeats, where a further
 * long repetition follows:
 *    the two could share a stretch of text in as many ways as it is long.
 * 2. Inside a repeated group that holds for every choice: short repetitions, and alternatives
 * against each other. 3. A search begins anew at each character. So a long repetition after which
 * the match may fail must not be read again from each character inside it: the match is held to one
 * place (^, the flag y), or must pass a character beforehand that the
 *    repetition does not have, or does not begin behind one that it has.
 */
import { type CharSet, holds, isEverything, meet, nothing, union } from './char-set.ts'
import { type Part, parseRegex, type Ways } from './parse-regex.ts'

/** Repetitions up to this are short: they cost a factor, not a power. */
const short = 64
/** What the short ones may cost together, where they overlap with what follows. */
const mostFactor = 5_000

/** What may come after a place in the pattern. */
type After = {
  readonly first: CharSet
  /** A long repetition lies ahead. */
  readonly long: boolean
  readonly mayFail: boolean
  /** Nothing but the end of the text. */
  readonly onlyEnd: boolean
}
type Surroundings = {
  readonly after: After
  /** Characters that every match has passed on its way here. */
  readonly passed: readonly CharSet[]
  readonly repeated: boolean
  /** A match can begin at one place, or at the first of several alike. */
  readonly held: (chars: CharSet) => boolean
}

const atEnd: After = { first: nothing, long: false, mayFail: false, onlyEnd: false }

/** What is wrong with it; nothing when it is linear. */
export function judgeRegex(source: string, flags: string): string[] {
  const wrong = new Set<string>()
  let factor = 1

  const judgeRepeat = (part: Repeat, { after, passed, repeated, held }: Surroundings): void => {
    const isLong = part.max > short
    const chars = charsOf(part.of)
    const overlaps = meet(firstOf(part.of), after.first)
    if (overlaps && (repeated || (isLong && after.long)))
      wrong.add(`what follows ${show(part)} may begin with what it repeats`)
    if (overlaps && !isLong) factor *= part.max - part.min + 1
    if (isLong && isNullable(part.of)) wrong.add(`${show(part)} repeats what may be empty`)
    const runsToEnd = isEverything(chars) && after.onlyEnd && !part.lazy
    const readOnce = held(chars) || passed.some((set) => !meet(set, chars))
    if (isLong && after.mayFail && !runsToEnd && !readOnce)
      wrong.add(`a match may begin inside ${show(part)} and fail after it`)
  }

  const walk = (part: Part, place: Surroundings): void => {
    if (part.kind === 'group') walkWays(part.inside, place)
    if (part.kind === 'look' && hasLong(part.inside))
      wrong.add('it looks around over a long repetition')
    if (part.kind !== 'repeat') return
    if (part.min !== part.max) judgeRepeat(part, place)
    walk(
      part.of,
      part.max > 1 ? { ...place, after: again(part, place.after), repeated: true } : place,
    )
  }

  const walkRow = (row: readonly Part[], place: Surroundings): void => {
    let { after, passed } = place
    // What a long repetition may run over is no mark of where the match has passed.
    const places = row.map((part) => {
      const here = passed
      const long = hasLong([[part]])
      passed = [...passed.filter((set) => !long || !meet(set, charsOf(part))), ...mustPass(part)]
      return { part, passed: here }
    })
    for (const { part, passed } of places.reverse()) {
      walk(part, { ...place, after, passed })
      after = before(part, after, flags)
    }
  }

  const walkWays = (ways: Ways, place: Surroundings): void => {
    const alike = ways.some((row, at) =>
      ways.slice(at + 1).some((other) => meet(firstOfRow(row), firstOfRow(other))),
    )
    if (place.repeated && alike) wrong.add('alternatives inside a repetition begin alike')
    for (const row of ways) walkRow(row, place)
  }

  for (const row of parseRegex(source, flags)) {
    const held = (chars: CharSet) =>
      flags.includes('y') || isAnchored(row, flags) || isLookedBehind(row, chars)
    walkRow(row, { after: atEnd, passed: [], repeated: false, held })
  }
  if (factor > mostFactor) wrong.add(`its short repetitions may be tried in ${factor} ways`)
  return [...wrong]
}

type Repeat = Part & { readonly kind: 'repeat' }

/** Inside a repetition, it may come once more. */
const again = (part: Repeat, after: After): After => ({
  first: union(after.first, firstOf(part.of)),
  long: after.long || hasLong([[part]]),
  mayFail: after.mayFail || part.min > 1,
  onlyEnd: false,
})

/** What comes after the place before `part`. */
function before(part: Part, after: After, flags: string): After {
  const long = after.long || hasLong([[part]])
  const mayFail = after.mayFail || !cannotFail(part)
  if (part.kind === 'edge')
    return {
      ...after,
      mayFail,
      onlyEnd: after === atEnd && part.edge === 'end' && !flags.includes('m'),
    }
  return {
    first: isNullable(part) ? union(firstOf(part), after.first) : firstOf(part),
    long,
    mayFail,
    onlyEnd: false,
  }
}

function firstOf(part: Part): CharSet {
  if (part.kind === 'chars') return part.set
  if (part.kind === 'group') return union(...part.inside.map(firstOfRow))
  return part.kind === 'repeat' && part.max > 0 ? firstOf(part.of) : nothing
}

function firstOfRow(row: readonly Part[]): CharSet {
  const end = row.findIndex((part) => !isNullable(part))
  return union(...row.slice(0, end < 0 ? row.length : end + 1).map(firstOf))
}

/** It may be passed without a character. */
function isNullable(part: Part): boolean {
  if (part.kind === 'chars') return false
  if (part.kind === 'group') return part.inside.some((row) => row.every(isNullable))
  return part.kind !== 'repeat' || part.min === 0 || isNullable(part.of)
}

function cannotFail(part: Part): boolean {
  if (part.kind === 'group') return part.inside.some((row) => row.every(cannotFail))
  return part.kind === 'repeat' && (part.min === 0 || cannotFail(part.of))
}

/** Every character that it may run over. */
function charsOf(part: Part): CharSet {
  if (part.kind === 'chars') return part.set
  if (part.kind === 'group') return union(...part.inside.flat().map(charsOf))
  return part.kind === 'repeat' ? charsOf(part.of) : nothing
}

/** Sets of which every match of the part has a character; none where it may be empty. */
function mustPass(part: Part): CharSet[] {
  if (part.kind === 'chars') return [part.set]
  if (part.kind === 'repeat' && part.min > 0) return mustPass(part.of)
  if (part.kind !== 'group') return []
  const [row = [], ...more] = part.inside.map((one) => one.flatMap(mustPass))
  if (more.length === 0) return row
  const firsts = [row, ...more].flatMap((sets) => sets.slice(0, 1))
  return firsts.length === part.inside.length ? [union(...firsts)] : []
}

const hasLong = (ways: Ways): boolean =>
  ways.flat().some((part) => {
    if (part.kind === 'repeat') return part.max > short || hasLong([[part.of]])
    return (part.kind === 'group' || part.kind === 'look') && hasLong(part.inside)
  })

const isAnchored = ([first]: readonly Part[], flags: string): boolean =>
  first?.kind === 'edge' && first.edge === 'start' && !flags.includes('m')

/** `(?<!a)a+$`: inside a row of a no match begins. */
function isLookedBehind([first]: readonly Part[], chars: CharSet): boolean {
  if (first?.kind !== 'look' || !first.behind || !first.negative) return false
  const [row, ...more] = first.inside
  return (
    more.length === 0 && row?.length === 1 && row[0]?.kind === 'chars' && holds(row[0].set, chars)
  )
}

function show({ of, min, max }: Repeat): string {
  const sign = (code: number) =>
    code > 32 && code < 127 ? String.fromCharCode(code) : `\\u{${code.toString(16)}}`
  const ranges = charsOf(of).map(([from, to]) =>
    from === to ? sign(from) : `${sign(from)}-${sign(to)}`,
  )
  const what =
    of.kind === 'chars'
      ? `[${ranges.slice(0, 4).join('')}${ranges.length > 4 ? '…' : ''}]`
      : 'a group'
  return `${what}{${min},${max === Infinity ? '' : max}}`
}
