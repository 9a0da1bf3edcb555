/**
 * Source text that stands untranslated beside the translation. Some tools put the new text in front
 * of the old tagged content (`Zahlen Sie jetzt.<g>now</g> and save <x/>`): every tag is there, so
 * counting tags finds nothing.
 */
import { lettersIn, type Seen, type Side, show, wordsIn } from './read-text.ts'
import type { Context, Found } from './rule.ts'

export function leftoverSource({ source, target, from, to }: Context): Found | undefined {
  if (from.base === to.base || tidy(source.flat) === tidy(target.flat)) return undefined
  const left =
    besideTags(source, target) ??
    besideTags(backwards(source), backwards(target)) ??
    wholeSource(source, target)
  if (left === undefined) return undefined
  const text = show(left)
  return {
    message: `The source text "${text}" is left beside the translation.`,
    facts: [{ says: 'beside', text }],
  }
}

type Tagged = Pick<Side, 'seen'>
const backwards = ({ seen }: Side): Tagged => ({ seen: [...seen].reverse() })
const tidy = (text: string): string => text.replaceAll(/\s{1,100}/g, ' ').trim()
const textOf = (seen: readonly Seen[]): string =>
  seen.map((one) => ('text' in one ? one.text : ' ')).join('')

/**
 * From the first tag on, the target is the source; what stands before it is long enough to be the
 * whole translation.
 */
function besideTags(source: Tagged, target: Tagged): string | undefined {
  const [was, is] = [cutAtTag(source.seen), cutAtTag(target.seen)]
  if (!was || !is || contentOf(was.rest) !== contentOf(is.rest)) return undefined
  const left = tidy(textOf(withoutCode(was.rest)))
  const [first, whole, text] = [
    lettersIn(was.before),
    lettersIn(textOf(source.seen)),
    lettersIn(is.before),
  ]
  if (tidy(was.before) === tidy(is.before) || whole === first) return undefined
  const isLong = text > Math.max(1.1 * ((first + whole) / 2), 2)
  const isWords =
    hasOrdinaryWord(left) || (first === 0 && text >= 0.8 * whole && lettersIn(left) > 2)
  return isLong && isWords ? left : undefined
}

function cutAtTag(seen: readonly Seen[]): { before: string; rest: readonly Seen[] } | undefined {
  const at = seen.findIndex((one) => 'key' in one)
  return at < 0 ? undefined : { before: textOf(seen.slice(0, at)), rest: seen.slice(at) }
}

const contentOf = (seen: readonly Seen[]): string =>
  seen.map((one) => ('text' in one ? tidy(one.text) : `\ufffc${one.key}`)).join('\ufffc')

/** Commands and names of keys stay as they are in a translation. */
function withoutCode(seen: readonly Seen[]): readonly Seen[] {
  let inside = 0
  return seen.filter((one) => {
    if ('text' in one) return inside === 0
    const isCode = /^<\/?(?:code|kbd|samp|var|tt|pre)\b|^`/i.test(one.shows)
    if (isCode && one.kind === 'OPEN') inside += 1
    if (isCode && one.kind === 'CLOSE') inside -= 1
    return true
  })
}

/** A word in lower case, or one of a script without case: no name. */
export const hasOrdinaryWord = (text: string): boolean =>
  text
    .split(/\s/)
    .some(
      (word) =>
        !/[./@_:\\\d]\S/.test(word) &&
        wordsIn(word).some((one) => /^\p{Ll}{2}|^\p{Lo}{2}/u.test(one)),
    )

/** The target starts or ends with the whole source, and has about as much text besides. */
function wholeSource(source: Side, target: Side): string | undefined {
  const [was, is] = [tidy(source.flat), tidy(target.flat)]
  const letters = lettersIn(was)
  if (letters < 8 || !was.includes(' ') || !hasOrdinaryWord(was)) return undefined
  if (!is.startsWith(`${was} `) && !is.endsWith(` ${was}`) && !is.endsWith(`.${was}`))
    return undefined
  return lettersIn(is) - letters >= letters / 2 ? was : undefined
}
