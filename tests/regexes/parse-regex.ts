/** Reads the syntax of a regular expression, as far as ours go; throws on what it does not know. */
import {
  bothCases,
  type CharSet,
  charOf,
  classes,
  dot,
  everything,
  properties,
  union,
  without,
} from './char-set.ts'

export type Part =
  | { readonly kind: 'chars'; readonly set: CharSet }
  /** ^ and $ and \b, and whatever looks around without moving on. */
  | { readonly kind: 'edge'; readonly edge: 'start' | 'end' | 'word' }
  | {
      readonly kind: 'look'
      readonly behind: boolean
      readonly negative: boolean
      readonly inside: Ways
    }
  | { readonly kind: 'group'; readonly inside: Ways }
  | {
      readonly kind: 'repeat'
      readonly of: Part
      readonly min: number
      readonly max: number
      readonly lazy: boolean
    }
/** The alternatives of a group, each a row of parts. */
export type Ways = readonly (readonly Part[])[]

export function parseRegex(source: string, flags: string): Ways {
  let at = 0
  const fail = (why: string): never => {
    throw new Error(`/${source}/: ${why} at ${at}`)
  }
  const take = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false
    at += text.length
    return true
  }
  const set = (chars: CharSet): Part => ({
    kind: 'chars',
    set: flags.includes('i') ? bothCases(chars) : chars,
  })

  function ways(): Ways {
    const all: Part[][] = [[]]
    while (at < source.length && source[at] !== ')') {
      if (take('|')) all.push([])
      else all.at(-1)?.push(repeated(single()))
    }
    return all
  }

  function single(): Part {
    if (take('^')) return { kind: 'edge', edge: 'start' }
    if (take('$')) return { kind: 'edge', edge: 'end' }
    if (take('.')) return set(dot(flags))
    if (take('[')) return set(charClass())
    if (take('(')) return group()
    if (take('\\b') || take('\\B')) return { kind: 'edge', edge: 'word' }
    if (take('\\')) return set(escaped())
    const code = source.codePointAt(at) ?? fail('nothing')
    if (
      '*+?{'.includes(source.charAt(at)) &&
      !(source[at] === '{' && !/^\{\d+,?\d*\}/.test(source.slice(at)))
    )
      fail('a quantifier of nothing')
    at += String.fromCodePoint(code).length
    return set(charOf(code))
  }

  function group(): Part {
    const look = /^\?(<?)([=!])/.exec(source.slice(at))
    if (look) at += look[0].length
    else if (!take('?:')) at += /^\?<\w+>/.exec(source.slice(at))?.[0].length ?? 0
    const inside = ways()
    if (!take(')')) fail('an open group')
    if (!look) return { kind: 'group', inside }
    return { kind: 'look', behind: look[1] === '<', negative: look[2] === '!', inside }
  }

  function repeated(of: Part): Part {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})(\??)/.exec(source.slice(at))
    if (!found) return of
    at += found[0].length
    const [all, from = '0', comma, to] = found
    const sign = all.charAt(0)
    const min = sign === '{' ? Number(from) : sign === '+' ? 1 : 0
    const max =
      sign === '{'
        ? comma === ''
          ? min
          : to === ''
            ? Infinity
            : Number(to)
        : sign === '?'
          ? 1
          : Infinity
    return { kind: 'repeat', of, min, max, lazy: found[4] === '?' }
  }

  function escaped(): CharSet {
    const letter = source.charAt(at)
    at += 1
    const known = classes[letter]
    if (known) return known
    const property = /^\{(\w+)\}/.exec(source.slice(at))
    if ((letter === 'p' || letter === 'P') && property) {
      at += property[0].length
      const named = properties[property[1] ?? '']
      return named === undefined ? everything : letter === 'p' ? named : without(named)
    }
    const hex =
      (letter === 'x' && /^[\da-f]{2}/i.exec(source.slice(at))) ||
      (letter === 'u' && /^(?:[\da-f]{4}|\{[\da-f]{1,6}\})/i.exec(source.slice(at)))
    if (hex) {
      at += hex[0].length
      return charOf(Number.parseInt(hex[0].replace(/[{}]/g, ''), 16))
    }
    if (/[1-9k]/.test(letter)) fail('a reference back')
    const control: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 }
    return charOf(control[letter] ?? letter.codePointAt(0) ?? 0)
  }

  function charClass(): CharSet {
    const negative = take('^')
    const sets: CharSet[] = []
    while (!take(']')) {
      if (at >= source.length) fail('an open class')
      const from = classMember()
      const [first] = from
      const isRange =
        source[at] === '-' &&
        source[at + 1] !== ']' &&
        first &&
        from.length === 1 &&
        first[0] === first[1]
      if (isRange && take('-')) {
        const end = classMember()[0]?.[1] ?? fail('an open range')
        sets.push([[first[0], end]])
      } else sets.push(from)
    }
    const all = union(...sets)
    const folded = flags.includes('i') ? bothCases(all) : all
    return negative ? without(folded) : folded
  }

  function classMember(): CharSet {
    if (take('\\b')) return charOf(8)
    if (take('\\')) return escaped()
    const code = source.codePointAt(at) ?? 0
    at += String.fromCodePoint(code).length
    return charOf(code)
  }

  const all = ways()
  if (at < source.length) fail('a stray parenthesis')
  return all
}
