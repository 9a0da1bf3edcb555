/**
 * Finds out how a receiver computed a signature that differs: tries the usual mistakes, alone and
 * in pairs, and names those that give the value. Pure, and bounded: a few hundred hashes of one
 * body.
 */
import { createHmac } from 'node:crypto'
import type { SignatureMistake } from '@dragoman/contract'
import { parseJson } from '../../process/parse.ts'
import { keyOf } from './sign.ts'

/** What was signed, and what may have signed it. */
export type Signed = {
  readonly id: string
  readonly timestamp: string
  readonly body: string
  /** The timestamps of the other attempts. */
  readonly otherTimestamps: readonly string[]
  /** The current secret first; an ended one no longer signs. */
  readonly secrets: readonly { readonly secret: string; readonly hasEnded: boolean }[]
}
export type Judged = { readonly mistakes: readonly SignatureMistake[]; readonly secret: number }
type Mistakes = readonly SignatureMistake[]
type Algorithm = 'sha256' | 'sha1' | 'sha512'

/** The bytes of a hash, read from text. */
type Read = { readonly digest: Buffer; readonly algorithm: Algorithm; readonly mistakes: Mistakes }

const algorithms: Readonly<Record<number, Algorithm>> = { 20: 'sha1', 32: 'sha256', 64: 'sha512' }
const prefix = 'whsec_'

/** Undefined: none of the mistakes gives it. `unreadable`: it is no signature at all. */
export function judgeSignature(pasted: string, signed: Signed): Judged | 'unreadable' | undefined {
  const read = pasted.trim().split(/\s+/).slice(0, 10).flatMap(readOne)
  if (read.length === 0) return 'unreadable'
  let best: Judged | undefined
  for (const { digest, algorithm, mistakes } of read) {
    for (const key of keysOf(signed)) {
      for (const content of contentsOf(signed)) {
        const all = [
          ...mistakes,
          ...(algorithm === 'sha256' ? [] : [hashMistakes[algorithm]]),
          ...key.mistakes,
          ...content.mistakes,
        ]
        if (best && best.mistakes.length <= all.length) continue
        if (!createHmac(algorithm, key.bytes).update(content.text).digest().equals(digest)) continue
        best = { mistakes: all, secret: key.secret }
      }
    }
  }
  return best
}

const hashMistakes = { sha1: 'SHA1', sha512: 'SHA512' } as const

/**
 * `v1,` and base64, or what people have in its place. The whole header may be pasted, with several
 * signatures.
 */
function readOne(text: string): Read[] {
  const hasVersion = text.startsWith('v1,')
  const value = hasVersion ? text.slice(3) : text.startsWith('sha256=') ? text.slice(7) : text
  const version: Mistakes = hasVersion ? [] : ['MISSING_V1']
  const bare = value.replaceAll('=', '')
  for (const [encoding, digest, mistakes] of [
    ['hex', Buffer.from(value, 'hex'), ['HEX']],
    ['base64', Buffer.from(value, 'base64'), []],
    ['base64url', Buffer.from(value, 'base64url'), ['BASE64URL']],
  ] as const) {
    const algorithm = algorithms[digest.length]
    const written = digest.toString(encoding).replaceAll('=', '')
    if (algorithm && written === (encoding === 'hex' ? bare.toLowerCase() : bare))
      return [{ digest, algorithm, mistakes: [...version, ...mistakes] }]
  }
  return []
}

type Key = { readonly bytes: Buffer; readonly secret: number; readonly mistakes: Mistakes }

function keysOf({ secrets }: Signed): Key[] {
  return secrets.flatMap(({ secret: text, hasEnded }, at): Key[] => {
    const ended: Mistakes = hasEnded ? ['OLD_SECRET'] : []
    const secret = at + 1
    const right = keyOf(text)
    const plain = text.startsWith(prefix) ? text.slice(prefix.length) : text
    const wrong: Key[] = [
      { bytes: Buffer.from(plain), secret, mistakes: [...ended, 'SECRET_NOT_DECODED'] },
      { bytes: Buffer.from(plain, 'base64'), secret, mistakes: [...ended, 'SECRET_DECODED'] },
      { bytes: Buffer.from(prefix + plain), secret, mistakes: [...ended, 'SECRET_WITH_PREFIX'] },
    ]
    return [
      { bytes: right, secret, mistakes: ended },
      ...wrong.filter(({ bytes }) => !bytes.equals(right)),
    ]
  })
}

type Content = { readonly text: string; readonly mistakes: Mistakes }

function contentsOf({ id, timestamp, body, otherTimestamps }: Signed): Content[] {
  const head = `${id}.${timestamp}.`
  const others = otherTimestamps.filter((other) => other !== timestamp)
  const whole: Content[] = [
    { text: head + body, mistakes: [] },
    { text: `${timestamp}.${id}.${body}`, mistakes: ['WRONG_ORDER'] },
    { text: `${id}.${timestamp}000.${body}`, mistakes: ['MILLISECONDS'] },
    { text: body, mistakes: ['BODY_ONLY'] },
    { text: `${timestamp}.${body}`, mistakes: ['NO_ID'] },
    { text: `${id}.${body}`, mistakes: ['NO_TIMESTAMP'] },
    { text: id + timestamp + body, mistakes: ['NO_DOTS'] },
    ...others.map(
      (other): Content => ({ text: `${id}.${other}.${body}`, mistakes: ['OTHER_ATTEMPT'] }),
    ),
  ]
  const bodies = otherBodies(body)
  return [
    ...whole,
    ...bodies.map(({ text, mistakes }): Content => ({ text: head + text, mistakes })),
    ...bodies.map(
      ({ text, mistakes }): Content => ({ text, mistakes: ['BODY_ONLY', ...mistakes] }),
    ),
  ]
}

/**
 * The body as other programs would write it again, and with the end of line that editors and `echo`
 * add.
 */
function otherBodies(body: string): Content[] {
  const newlines: Content[] = ['\n', '\r\n'].map((end) => ({
    text: body + end,
    mistakes: ['TRAILING_NEWLINE'],
  }))
  const bare = body.replace(/\r?\n$/, '')
  if (bare !== body) newlines.push({ text: bare, mistakes: ['TRAILING_NEWLINE'] })
  const value = parseJson(body)
  if (value === undefined) return newlines
  const made = new Map<string, Mistakes>()
  for (const [keyOrder, sorted] of [
    [false, value],
    [true, inOrder(value)],
  ] as const)
    for (const [spaces, write] of writers)
      for (const slashes of [false, true])
        for (const unicode of [false, true]) {
          const text = escapeAll(write(sorted), slashes, unicode)
          const mistakes: SignatureMistake[] = [
            ...(spaces ? (['JSON_SPACES'] as const) : []),
            ...(keyOrder ? (['JSON_KEY_ORDER'] as const) : []),
            ...(slashes ? (['JSON_SLASHES'] as const) : []),
            ...(unicode ? (['JSON_UNICODE'] as const) : []),
          ]
          if (text !== body && !made.has(text))
            made.set(text, mistakes.length > 0 ? mistakes : ['JSON_SPACES'])
        }
  return [...newlines, ...[...made].map(([text, mistakes]): Content => ({ text, mistakes }))]
}

/** Compact, indented by two, four or a tab, and as Python writes it. */
const writers: readonly (readonly [boolean, (value: unknown) => string])[] = [
  [false, (value) => JSON.stringify(value)],
  [true, (value) => JSON.stringify(value, null, 2)],
  [true, (value) => JSON.stringify(value, null, 4)],
  [true, (value) => JSON.stringify(value, null, '\t')],
  [true, spaced],
]

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`)
    .join(', ')}}`
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, inOrder(one)]))
}

function escapeAll(json: string, slashes: boolean, unicode: boolean): string {
  const one = slashes ? json.replaceAll('/', '\\/') : json
  if (!unicode) return one
  return one.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
