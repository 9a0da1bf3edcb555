/**
 * Formats a message of the catalogues: a subset of ICU MessageFormat with {name}, {n, plural, …},
 * {x, select, …}, # and tags such as <b>…</b>, which a page replaces with elements.
 */
export type MessagePart =
  | string
  | { readonly arg: string }
  | { readonly count: true }
  | { readonly tag: string; readonly parts: readonly MessagePart[] }
  | {
      readonly arg: string
      readonly kind: 'plural' | 'select'
      readonly cases: Readonly<Record<string, readonly MessagePart[]>>
    }

export function parseMessage(text: string): MessagePart[] {
  let at = 0
  const fail = (why: string): never => {
    throw new SyntaxError(`${why} at ${at} of "${text}"`)
  }
  const word = (): string => {
    const found = /\s*([\w-]+|=\d+)\s*/y
    found.lastIndex = at
    const [whole = '', name = ''] = found.exec(text) ?? fail('A name is missing')
    at += whole.length
    return name
  }
  const skip = (wanted: string): void => {
    if (text[at] !== wanted) fail(`"${wanted}" is missing`)
    at++
  }
  const until = (end: string, inPlural: boolean): MessagePart[] => {
    const parts: MessagePart[] = []
    let plain = ''
    const flush = () => {
      if (plain) parts.push(plain)
      plain = ''
    }
    while (at < text.length && !text.startsWith(end || '\0', at)) {
      const letter = text[at] as string
      if (
        letter === '{' ||
        (letter === '<' && /[a-z]/.test(text[at + 1] ?? '')) ||
        (letter === '#' && inPlural)
      ) {
        flush()
        parts.push(letter === '{' ? argument(inPlural) : letter === '<' ? tag(inPlural) : hash())
      } else {
        plain += letter
        at++
      }
    }
    flush()
    if (end) {
      if (at >= text.length) fail(`"${end}" is missing`)
      at += end.length
    }
    return parts
  }
  const hash = (): MessagePart => {
    at++
    return { count: true }
  }
  const tag = (inPlural: boolean): MessagePart => {
    skip('<')
    const name = word()
    skip('>')
    return { tag: name, parts: until(`</${name}>`, inPlural) }
  }
  const argument = (inPlural: boolean): MessagePart => {
    skip('{')
    const arg = word()
    if (text[at] === '}') {
      at++
      return { arg }
    }
    skip(',')
    const kind = word()
    if (kind !== 'plural' && kind !== 'select')
      return fail(`"${kind}" is neither plural nor select`)
    skip(',')
    const cases: Record<string, MessagePart[]> = {}
    while (text[at] !== '}') {
      const name = word()
      skip('{')
      cases[name] = until('}', kind === 'plural' || inPlural)
      while (/\s/.test(text[at] ?? '')) at++
      if (at >= text.length) fail('"}" is missing')
    }
    at++
    if (!cases.other) fail('The case "other" is missing')
    return { arg, kind, cases }
  }
  return until('', false)
}

export type Values = Readonly<Record<string, string | number>>

/**
 * Calls `onTag` for each tag and returns the parts unjoined: the caller decides between text and
 * elements.
 */
export function formatMessage<T>(
  parts: readonly MessagePart[],
  values: Values,
  language: string,
  onTag: (tag: string, inside: (string | T)[]) => T,
): (string | T)[] {
  return formatParts({ values, language, onTag }, parts, 0)
}

type Filling<T> = {
  readonly values: Values
  readonly language: string
  readonly onTag: (tag: string, inside: (string | T)[]) => T
}

/** `count` is the number of the enclosing plural. */
function formatParts<T>(
  filling: Filling<T>,
  parts: readonly MessagePart[],
  count: number,
): (string | T)[] {
  const { values, language, onTag } = filling
  const inside = (some: readonly MessagePart[], n = count) => formatParts(filling, some, n)
  return parts.flatMap((part): (string | T)[] => {
    if (typeof part === 'string') return [part]
    if ('tag' in part) return [onTag(part.tag, inside(part.parts))]
    if ('count' in part) return [numberText(count, language)]
    const value = values[part.arg] ?? ''
    if (!('kind' in part)) return [typeof value === 'number' ? numberText(value, language) : value]
    const { cases, kind } = part
    const other = cases.other ?? []
    if (kind === 'select') return inside(cases[String(value)] ?? other)
    const n = Number(value)
    return inside(cases[`=${n}`] ?? cases[rules(language).select(n)] ?? other, n)
  })
}

const memo = <T>(make: (language: string) => T): ((language: string) => T) => {
  const made = new Map<string, T>()
  return (language) => {
    const kept = made.get(language) ?? make(language)
    made.set(language, kept)
    return kept
  }
}
const rules = memo((language) => new Intl.PluralRules(language))
const numbers = memo((language) => new Intl.NumberFormat(language))
const numberText = (value: number, language: string): string => numbers(language).format(value)

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'ë',
  i: 'ï',
  o: 'ô',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  y: 'ý',
}

/**
 * The pseudo-locale en-XA: longer and accented, so that a test detects cut-off texts and texts that
 * are in no catalogue.
 */
export function pseudo(parts: readonly MessagePart[]): MessagePart[] {
  const long = parts.map((part): MessagePart => {
    if (typeof part === 'string')
      return part.replace(/[aeioucny]/g, (letter) => accents[letter] ?? letter)
    if ('tag' in part) return { ...part, parts: pseudo(part.parts) }
    if ('kind' in part)
      return {
        ...part,
        cases: Object.fromEntries(
          Object.entries(part.cases).map(([name, one]) => [name, pseudo(one)]),
        ),
      }
    return part
  })
  const letters = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0)
  return [...long, letters > 2 ? ` ${'~'.repeat(Math.ceil(letters * 0.3))}` : '']
}
