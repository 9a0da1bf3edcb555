/**
 * Pairs of tags: they open before they close, do not cross, keep their text, and stay in their
 * sentence.
 */
import { lettersIn, type Seen, type Side, show } from './read-text.ts'
import type { Context, Found } from './rule.ts'

type BracketPair = { readonly open: number; readonly close: number; readonly shows: string }

export function nestingOfTags({ source, target }: Context): Found | undefined {
  const [was, is] = [pairsOf(source), pairsOf(target)]
  if (is.size === 0) return behindEnd(source, target)
  const [textIn, textOut] = [openText(source), openText(target)]
  for (const [tag, { open, close, shows }] of is) {
    const before = was.get(tag)
    if (!before || before.close < before.open) continue
    if (close < open) return told(shows, 'closesFirst', 'closes before it opens')
    if (textIn(before.open, before.close) && !textOut(open, close))
      return told(shows, 'noText', 'encloses text in the source, but none in the translation')
  }
  const crossed = crossing(was) ? undefined : crossing(is)
  if (crossed) return told(crossed.shows, 'crosses', 'crosses another pair of tags')
  return leftSentence(source, target, was, is) ?? behindEnd(source, target)
}

const told = (shows: string, says: string, does: string): Found => ({
  message: `The tag ${show(shows)} ${does}.`,
  facts: [{ says, name: show(shows) }],
})

/** Pairs whose tags both stand there once, by the number of the opening tag. */
function pairsOf({ seen }: Side): Map<number, BracketPair> {
  const places = new Map<number, number[]>()
  seen.forEach((one, at) => {
    if (!('key' in one) || one.tag === undefined) return
    const known = places.get(one.tag)
    if (known) known.push(at)
    else places.set(one.tag, [at])
  })
  const pairs = new Map<number, BracketPair>()
  for (const one of seen) {
    if (!('key' in one) || one.kind !== 'OPEN' || one.tag === undefined || one.pair === undefined)
      continue
    const [open, close] = [places.get(one.tag) ?? [], places.get(one.pair) ?? []]
    if (open.length === 1 && close.length === 1)
      pairs.set(one.tag, { open: open[0] ?? 0, close: close[0] ?? 0, shows: one.shows })
  }
  return pairs
}

/** Whether a person reads something between two places. Pairs nest: nothing is read twice. */
function openText({ seen }: Side): (open: number, close: number) => boolean {
  const before = new Uint32Array(seen.length + 1)
  for (const [at, one] of seen.entries()) {
    const isText =
      'text' in one ? one.text.trim() !== '' : one.kind === 'PLACEHOLDER' || one.kind === 'SINGLE'
    before[at + 1] = (before[at] ?? 0) + (isText ? 1 : 0)
  }
  return (open, close) => (before[close] ?? 0) > (before[open + 1] ?? 0)
}

/** The first pair that closes inside another one which it does not enclose. */
function crossing(pairs: ReadonlyMap<number, BracketPair>): BracketPair | undefined {
  const edges = [...pairs.values()].flatMap((pair) => [
    { at: pair.open, pair },
    { at: pair.close, pair },
  ])
  const open: BracketPair[] = []
  for (const { at, pair } of edges.sort((one, other) => one.at - other.at)) {
    if (at === pair.open) open.push(pair)
    else if (open.pop() !== pair) return pair
  }
  return undefined
}

/** Told only if both texts have the same number of sentences, and at least two. */
function leftSentence(
  source: Side,
  target: Side,
  was: ReadonlyMap<number, BracketPair>,
  is: ReadonlyMap<number, BracketPair>,
): Found | undefined {
  if (is.size === 0) return undefined
  const [before, after] = [sentencesOf(source.seen), sentencesOf(target.seen)]
  if (before.count < 2 || before.count !== after.count) return undefined
  for (const [tag, { open, shows }] of is) {
    const [wanted, found] = [before.at[was.get(tag)?.open ?? -1], after.at[open]]
    if (wanted !== undefined && wanted !== found)
      return {
        message: `The tag ${show(shows)} is in sentence ${wanted} of the source, but not in that sentence of the translation.`,
        facts: [{ says: 'otherSentence', name: show(shows), sentence: wanted }],
      }
  }
  return undefined
}

const isMark = (character: string): boolean => '.!?。！？؟।'.includes(character)

/**
 * The sentence of each piece, from 1, and how many there are. A short word before a full stop is
 * taken for an abbreviation.
 */
function sentencesOf(seen: readonly Seen[]): { count: number; at: number[] } {
  let [count, word, ended, apart] = [1, 0, false, false]
  const at: number[] = []
  for (const one of seen) {
    at.push(ended ? count + 1 : count)
    for (const character of 'text' in one ? one.text : '') {
      if (isMark(character)) {
        ended = character !== '.' || word >= 4
        apart = '。！？'.includes(character)
      } else if (character.trim() === '') {
        apart ||= ended
        word = 0
      } else if (ended && apart && /[\p{L}\p{N}]/u.test(character)) {
        ;[count, ended, apart, word] = [count + 1, false, false, 1]
      } else word += 1
    }
  }
  return { count, at }
}

/** A single tag that stood inside the text and now stands behind its final mark. */
function behindEnd(source: Side, target: Side): Found | undefined {
  const last = target.seen.at(-1)
  const text = target.seen.at(-2)
  if (!last || !('key' in last) || last.kind !== 'SINGLE' || !text || !('text' in text))
    return undefined
  if (!isMark(text.text.trimEnd().slice(-1) || ' ')) return undefined
  const at = source.seen.findIndex((one) => 'key' in one && one.key === last.key)
  const rest = source.seen
    .slice(at + 1)
    .reduce((sum, one) => sum + ('text' in one ? lettersIn(one.text) : 0), 0)
  const before = source.seen[at - 1]
  const wasBehind = before && 'text' in before && isMark(before.text.trimEnd().slice(-1) || ' ')
  if (at < 0 || rest === 0 || wasBehind) return undefined
  return told(last.shows, 'behindEnd', 'is after the end of its sentence')
}
