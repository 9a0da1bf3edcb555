/**
 * Texts for a plain text field: each tag is written as `{1}`. Reading back gives what the chip
 * editor would give: a tag is whole or not there, stands no more often than it may, and is one of
 * the segment's. Pure.
 */
import type { TextTag } from '@dragoman/contract/wire'
import { countTags, joined, type TextPart } from './texts.ts'

export type PlainForm = {
  write(text: readonly TextPart[]): string
  read(plain: string): TextPart[]
  /**
   * The text after a change by hand: a tag of which a part was changed is gone, one that would
   * stand twice has moved. `selected` is what was selected before: without it, the change that two
   * texts differ by is not always the one that was made.
   */
  mend(
    before: string,
    after: string,
    selected?: Selected,
  ): { readonly text: string; readonly caret: number }
  tokenOf(tag: number): string
}

export type Selected = { readonly from: number; readonly to: number }
type Token = { readonly from: number; readonly to: number; readonly tag: number }
/** The first pair of brackets that the texts do not use with a number inside. */
const brackets = [
  ['{', '}'],
  ['⟦', '⟧'],
  ['⦃', '⦄'],
] as const

export function openPlainForm(
  tags: readonly TextTag[],
  texts: readonly (readonly TextPart[])[],
  source: readonly TextPart[] = [],
): PlainForm {
  const words = [...texts, source].flat().filter((part) => typeof part === 'string')
  const [open, close] =
    brackets.find(([start, end]) => !words.some((word) => tokensIn(word, start, end).length > 0)) ??
    brackets[2]
  const known = new Set(tags.map(({ tag }) => tag))
  const inSource = countTags(source)
  const times = (tag: number) => Math.max(1, inSource.get(tag) ?? 0)
  const find = (plain: string) => tokensIn(plain, open, close).filter(({ tag }) => known.has(tag))
  const tokenOf = (tag: number) => `${open}${tag}${close}`
  return {
    tokenOf,
    write: (text) =>
      text
        .map((part) =>
          typeof part === 'string' ? part : known.has(part.tag) ? tokenOf(part.tag) : '',
        )
        .join(''),
    read(plain) {
      const out: TextPart[] = []
      let start = 0
      for (const { from, to, tag } of find(plain)) {
        out.push(plain.slice(start, from), { tag })
        start = to
      }
      return joined([...out, plain.slice(start)])
    },
    mend(before, after, selected) {
      const change =
        (selected && changeAt(before, after, selected)) ?? changeOf(before, after, find)
      const { from, to, insert } = widened(change, find(before))
      const text = before.slice(0, from) + insert + before.slice(to)
      const counts = countTags(find(before).map(({ tag }) => ({ tag })))
      return withoutSurplus({ text, caret: from + insert.length }, from, {
        find,
        times,
        before: counts,
      })
    },
  }
}

/** `{12}`: brackets around a number without leading zeros. */
function tokensIn(text: string, open: string, close: string): Token[] {
  const found: Token[] = []
  let from = text.indexOf(open)
  while (from >= 0) {
    const end = text.indexOf(close, from)
    if (end < 0) break
    const inside = text.slice(from + open.length, end)
    const isNumber = inside.length <= 4 && /^[1-9]\d*$/.test(inside)
    if (isNumber) found.push({ from, to: end + close.length, tag: Number(inside) })
    from = text.indexOf(open, isNumber ? end : from + 1)
  }
  return found
}

type Change = { readonly from: number; readonly to: number; readonly insert: string }

/** The change of what was selected, if the texts differ by nothing else. */
function changeAt(before: string, after: string, { from, to }: Selected): Change | undefined {
  const end = after.length - (before.length - to)
  const isAll =
    end >= from &&
    before.slice(0, from) === after.slice(0, from) &&
    before.slice(to) === after.slice(end)
  return isAll ? { from, to, insert: after.slice(from, end) } : undefined
}

/**
 * Where two texts differ, without cutting a token that both have; and inside that, letter by
 * letter.
 */
function changeOf(before: string, after: string, find: Rules['find']): Change {
  const [one, other] = [symbolsOf(before, find(before)), symbolsOf(after, find(after))]
  const outer = difference(one, other)
  const start = one.slice(0, outer.from).join('').length
  const [old, now] = [
    one.slice(outer.from, outer.toA).join(''),
    other.slice(outer.from, outer.toB).join(''),
  ]
  const inner = difference(old, now)
  return {
    from: start + inner.from,
    to: start + inner.toA,
    insert: now.slice(inner.from, inner.toB),
  }
}

/** Letters, with each token as one. */
function symbolsOf(text: string, tokens: readonly Token[]): string[] {
  const out: string[] = []
  let start = 0
  for (const { from, to } of tokens) {
    out.push(...text.slice(start, from).split(''), text.slice(from, to))
    start = to
  }
  return [...out, ...text.slice(start).split('')]
}

function difference(a: ArrayLike<string>, b: ArrayLike<string>) {
  const most = Math.min(a.length, b.length)
  let from = 0
  while (from < most && a[from] === b[from]) from += 1
  let end = 0
  while (end < most - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return { from, toA: a.length - end, toB: b.length - end }
}

/** A change that touches the inside of a token takes all of it. */
function widened({ from, to, insert }: Change, tokens: readonly Token[]): Change {
  const cut = tokens.filter((one) => from < one.to && to > one.from)
  return {
    from: Math.min(from, ...cut.map((one) => one.from)),
    to: Math.max(to, ...cut.map((one) => one.to)),
    insert,
  }
}

type Mended = { readonly text: string; readonly caret: number }
type Rules = {
  readonly find: (plain: string) => readonly Token[]
  readonly times: (tag: number) => number
  readonly before: ReadonlyMap<number, number>
}

/** Removes surplus tags; where one stands too often, those written just now stay. */
function withoutSurplus(mended: Mended, from: number, rules: Rules): Mended {
  const { text, caret } = mended
  const found = rules.find(text)
  const isNew = (one: Token) => one.to > from && one.from < caret
  const tooMany = found.filter(({ tag }) => {
    const { length } = found.filter((one) => one.tag === tag)
    return length > Math.max(rules.times(tag), rules.before.get(tag) ?? 0)
  })
  const surplus = tooMany.find((one) => !isNew(one)) ?? tooMany.at(-1)
  if (!surplus) return mended
  const back = (at: number) => at - Math.max(0, Math.min(at, surplus.to) - surplus.from)
  const next = { text: text.slice(0, surplus.from) + text.slice(surplus.to), caret: back(caret) }
  return withoutSurplus(next, back(from), rules)
}
