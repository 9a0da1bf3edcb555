/**
 * A page of a list, under every spelling that deployed clients use (contract, section 3, Pages).
 */
import { Readable } from 'node:stream'
import { type Further, JsonBytes, limits } from '@dragoman/contract'
import { writeInTurns } from '../../turns/json-in-turns.ts'
import { yieldWholeTurn } from '../../turns/pauses.ts'
import { partsOf } from '../http/once-key.ts'

type Paged = {
  readonly items: readonly unknown[]
  readonly next?: string
  readonly further?: Further
}
export type Form = {
  readonly name: string
  /** The path and query of the call. */
  readonly url: string
  readonly format: 'full' | 'plain'
  readonly addAliases: <T>(item: T) => T
}

/**
 * The body. The items are serialised once and included twice, which JSON.stringify cannot do. An
 * answer with thousands of requests may be longer than memory allows: it is streamed as fast as the
 * caller reads.
 */
export async function pageAnswer(page: Paged, form: Form): Promise<Buffer | Readable> {
  const { head, between, tail } = frameOf(page, form)
  if (page.items.length > usual || page.further) return wholeOrStream(inTurns(page, form))
  const items = itemsOf(page.items)
  return Buffer.concat(between ? [head, items, between, items, tail] : [head, items, tail])
}

/** Pages of a list are shorter; the answer to a call with thousands of requests is not. */
const usual = limits.pageItems
/** An answer of this length is sent as one, with its length. */
const wholeBytes = 4 * 1024 ** 2

type Frame = { readonly head: Buffer; readonly between?: Buffer; readonly tail: Buffer }

/** The text around the items. */
function frameOf(page: Paged, { name, url, format }: Form): Frame {
  const key = JSON.stringify(name)
  const next = page.next === undefined ? undefined : JSON.stringify(page.next)
  const head = Buffer.from(`{"pagination":${next ? `{"navNext":${next}}` : '{}'},${key}:[`)
  if (format === 'plain') return { head, tail: Buffer.from(']}') }
  const self = JSON.stringify({ href: url })
  const links =
    page.next === undefined
      ? `{"self":${self}}`
      : `{"self":${self},"next":${nextLink(url, page.next)}}`
  const tail = Buffer.from(`]},"_links":${links}${next ? `,"next":${next}` : ''}}`)
  return { head, between: Buffer.from(`],"_embedded":{${key}:[`), tail }
}

const comma = Buffer.from(',')
const bytesOf = (item: unknown): Uint8Array =>
  item instanceof JsonBytes ? item.bytes : Buffer.from(JSON.stringify(item))

/** The items, separated by commas. */
function itemsOf(items: readonly unknown[]): Buffer {
  if (!items.some((item) => item instanceof JsonBytes))
    return Buffer.from(JSON.stringify(items).slice(1, -1))
  return Buffer.concat(
    items.flatMap((item, at) => (at === 0 ? [bytesOf(item)] : [comma, bytesOf(item)])),
  )
}

/** If the items are too long to be kept, they are written a second time. */
async function* inTurns(page: Paged, form: Form): AsyncGenerator<Buffer> {
  const { head, between, tail } = frameOf(page, form)
  const bytesOfText = rememberLast((text: string) => Buffer.from(text))
  const write = (from: number, until: number) => partsFrom(page, form, bytesOfText, { from, until })
  const written = () => writeInTurns(page.items.length, comma, write, yieldWholeTurn)
  const kept: Buffer[] = []
  let left = wholeBytes / 2
  yield head
  for await (const bytes of written()) {
    left -= bytes.length
    if (left > 0) kept.push(bytes)
    else kept.length = 0
    yield bytes
  }
  if (between) {
    yield between
    if (left > 0) yield* kept
    else yield* written()
  }
  yield tail
}

type BytesOfText = (text: string) => Buffer

/** Above this size parts are not joined, so that copies of one field share their bytes. */
const longParts = 256 * 1024

async function partsFrom(
  { items, further }: Paged,
  { addAliases }: Form,
  bytesOfText: BytesOfText,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Buffer[]> {
  const some = items.slice(from, until)
  if (!further) return [itemsOf(some)]
  const fields = await further(from, until)
  const parts = some.flatMap((item, at) => {
    const whole = withFields(item, addAliases({ ...fields[at] }), bytesOfText)
    return at === 0 ? whole : [comma, ...whole]
  })
  return parts.reduce((sum, { length }) => sum + length, 0) > longParts
    ? parts
    : [Buffer.concat(parts)]
}

function withFields(
  item: unknown,
  fields: Readonly<Record<string, string>>,
  bytesOfText: BytesOfText,
): Buffer[] {
  const text = JSON.stringify(item)
  const more = Object.entries(fields)
  if (more.length === 0) return [Buffer.from(text)]
  const named = more.flatMap(([name, value]) => [
    Buffer.from(`,${JSON.stringify(name)}:`),
    bytesOfText(value),
  ])
  return [Buffer.from(text.slice(0, -1)), ...named, Buffer.from('}')]
}

/**
 * Items next to each other often have the same text: one field under two names, a request in many
 * languages.
 */
function rememberLast<T>(make: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly made: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) }
    return last.made
  }
}

async function wholeOrStream(parts: AsyncGenerator<Buffer>): Promise<Buffer | Readable> {
  const begun: Buffer[] = []
  for (let bytes = 0; bytes <= wholeBytes; ) {
    const { value, done } = await parts.next()
    if (done) return Buffer.concat(begun)
    bytes += value.length
    begun.push(value)
  }
  return Readable.from(streamed(begun, parts), { objectMode: false })
}

async function* streamed(begun: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.concat(begun.splice(0))
  yield* rest
}

function nextLink(url: string, next: string): string {
  const { path, query } = partsOf(url)
  const parameters = new URLSearchParams(query)
  parameters.delete('next')
  parameters.set('navNext', next)
  return JSON.stringify({ href: `${path}?${parameters}` })
}
