/**
 * How much work a reader does, as a number that is the same on every machine and under every load:
 * how often V8 ran each block of code, and how many characters and bytes the built-in methods
 * processed. The work inside a regular expression is checked by rules (tests/regexes), and by time
 * in the campaign (`npm run faults -- --only attacks --part growth`).
 */
import { Session } from 'node:inspector/promises'
import type { Read } from './campaigns/growth.ts'

/** The work of reading each of the texts, or each list of texts; a refusal is a valid result. */
export type CountWork = (
  read: Read,
  ...texts: readonly (string | readonly string[])[]
) => Promise<number[]>

type Method = (this: unknown, ...given: unknown[]) => unknown
/**
 * How much a call of a built-in method processed, from its receiver, its arguments and its result.
 */
type Cost = (
  self: { readonly length: number },
  given: readonly unknown[],
  result: unknown,
) => number

const whole: Cost = ({ length }) => length
const made: Cost = (_, __, result) => (result as { length: number }).length
const givenWhole: Cost = (_, [text]) => (text as { length?: number } | undefined)?.length ?? 0
/** Up to the match, or to the end. */
const ahead: Cost = ({ length }, [, from = 0], found) =>
  (Number(found) < 0 ? length : Number(found)) - Math.min(Number(from), length)
const behind: Cost = ({ length }, [, from = length], found) =>
  Math.min(Number(from), length) - Math.max(Number(found), 0)
const contains: Cost = (self, [what], isThere) =>
  isThere ? String(self).indexOf(String(what)) : self.length
const trimmed: Cost = (self, _, result) => self.length - (result as string).length

/**
 * A text that was put together is copied when somebody looks at its characters; the next look at
 * the same text costs nothing.
 */
const lookedAt: unknown[] = []
const flattened: Cost = (self) => {
  if (lookedAt.includes(self)) return 0
  lookedAt.unshift(self)
  lookedAt.length = Math.min(lookedAt.length, 8)
  return self.length
}

const counted: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [
    String.prototype,
    { indexOf: ahead, lastIndexOf: behind, includes: contains, split: whole, replaceAll: whole },
  ],
  [
    String.prototype,
    { trim: trimmed, trimStart: trimmed, trimEnd: trimmed, normalize: whole, toWellFormed: whole },
  ],
  [
    String.prototype,
    { toLowerCase: whole, toUpperCase: whole, localeCompare: whole, repeat: made, padEnd: made },
  ],
  [String.prototype, { startsWith: flattened, endsWith: flattened, at: flattened }],
  [
    Array.prototype,
    {
      join: made,
      slice: made,
      splice: made,
      concat: made,
      unshift: whole,
      shift: whole,
      sort: whole,
    },
  ],
  [
    Array.prototype,
    { indexOf: ahead, lastIndexOf: behind, toSorted: whole, with: whole, toSpliced: whole },
  ],
  [
    Buffer.prototype,
    {
      toString: made,
      indexOf: ahead,
      lastIndexOf: behind,
      set: givenWhole,
      copy: whole,
      equals: whole,
    },
  ],
  [Object.getPrototypeOf(Uint8Array.prototype), { indexOf: ahead, set: givenWhole, slice: made }],
  [Buffer, { from: made, concat: made, byteLength: givenWhole }],
  [TextDecoder.prototype, { decode: made }],
  [TextEncoder.prototype, { encode: made }],
  [JSON, { parse: givenWhole, stringify: (_, __, result) => String(result).length }],
]

/** Nothing else may run in the process in the meantime. */
export async function withWorkCount<Result>(
  act: (count: CountWork) => Promise<Result>,
): Promise<Result> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  let wentOver = 0
  let isOn = false
  const add = (cost: () => number) => {
    if (!isOn) return
    // The cost of computing the cost is not counted.
    isOn = false
    wentOver += cost()
    isOn = true
  }
  const restore = counted.flatMap(([of, methods]) =>
    Object.entries(methods).map(([name, cost]) => replace(of, name, cost, add)),
  )
  restore.push(replaceExec(add))
  /** How often blocks have run since the last call. */
  const blocksRun = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    let sum = 0
    for (const { url, functions } of result)
      if (!isOurOwn(url))
        for (const { ranges } of functions) for (const { count } of ranges) sum += count
    return sum
  }
  try {
    return await act(async (read, ...texts) => {
      const works: number[] = []
      await blocksRun()
      for (const text of texts) {
        wentOver = 0
        isOn = true
        for (const one of [text].flat())
          try {
            await read(one)
          } catch {
            // Refused.
          }
        isOn = false
        works.push(wentOver + (await blocksRun()))
      }
      return works
    })
  } finally {
    for (const one of restore) one()
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

const isOurOwn = (url: string): boolean =>
  url.startsWith('node:') || url.includes('/node_modules/vite') || url.endsWith('/work-count.ts')

/**
 * How much the work may grow when the text doubles: twice, plus a margin for sorting and late
 * starts. Quadratic work grows four times.
 */
export const mostGrowth = 2.6

/**
 * The maximum work per character of a long text. With quadratic work, a text of 5,000 characters
 * takes more than ten times as much.
 */
export const perCharacter = 300

/** The factor by which the work grows when the text doubles. */
export async function growthOfWork(
  count: CountWork,
  read: Read,
  make: (length: number) => string | readonly string[],
  length = 2_048,
): Promise<number> {
  const [once = 0, twice = 0] = await count(read, make(length), make(2 * length))
  return twice / once
}

function replace(
  of: object,
  name: string,
  cost: Cost,
  add: (cost: () => number) => void,
): () => void {
  const methods = of as Record<string, Method>
  const method = methods[name]
  if (!method) return () => {}
  const own = Object.getOwnPropertyDescriptor(of, name)
  methods[name] = function counting(...given) {
    const self = this as { readonly length: number }
    const length = self?.length ?? 0
    const result = method.apply(this, given)
    add(() => cost(typeof self === 'string' ? self : { length }, given, result))
    return result
  }
  return () => {
    if (own) Object.defineProperty(of, name, own)
    else delete methods[name]
  }
}

/** Every other method of a regular expression calls `exec` once it has been replaced. */
function replaceExec(add: (cost: () => number) => void): () => void {
  const own = RegExp.prototype.exec
  RegExp.prototype.exec = function counting(text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = own.call(this, text)
    const end = found ? found.index + found[0].length : this.sticky ? from : String(text).length
    add(() => Math.max(end - from, 0) + 1)
    return found
  }
  return () => {
    RegExp.prototype.exec = own
  }
}
