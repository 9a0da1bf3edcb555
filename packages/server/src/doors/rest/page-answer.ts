/** A page of a list, under every spelling that deployed clients use (contract, section 3, Pages). */
import { JsonBytes, limits } from '@dragoman/contract'
import { openPauses } from '../../store/pauses.ts'
import { yieldWholeTurn } from '../../yield-for-bytes.ts'

type Paged = { readonly items: readonly unknown[]; readonly next?: string }

/**
 * The body as bytes. The items are serialised once and included twice, which JSON.stringify cannot do. `url` is the path and
 * query of the call.
 */
export async function pageBytes(name: string, page: Paged, url: string, format: 'full' | 'plain'): Promise<Buffer> {
  const items = page.items.length > usual ? await itemsInTurns(page.items) : [itemsOf(page.items)]
  const key = JSON.stringify(name)
  const next = page.next === undefined ? undefined : JSON.stringify(page.next)
  const head = Buffer.from(`{"pagination":${next ? `{"navNext":${next}}` : '{}'},${key}:[`)
  if (format === 'plain') return Buffer.concat([head, ...items, Buffer.from(']}')])
  const self = JSON.stringify({ href: url })
  const links = page.next === undefined ? `{"self":${self}}` : `{"self":${self},"next":${nextLink(url, page.next)}}`
  const tail = next ? `,"next":${next}` : ''
  const between = Buffer.from(`],"_embedded":{${key}:[`)
  return Buffer.concat([head, ...items, between, ...items, Buffer.from(`]},"_links":${links}${tail}}`)])
}

const comma = Buffer.from(',')
const bytesOf = (item: unknown): Uint8Array =>
  item instanceof JsonBytes ? item.bytes : Buffer.from(JSON.stringify(item))

/** The items, separated by commas. */
function itemsOf(items: readonly unknown[]): Buffer {
  if (!items.some((item) => item instanceof JsonBytes)) return Buffer.from(JSON.stringify(items).slice(1, -1))
  return Buffer.concat(items.flatMap((item, at) => (at === 0 ? [bytesOf(item)] : [comma, bytesOf(item)])))
}

/** Pages of a list are shorter; the answer to a call with thousands of requests is not. */
const usual = limits.pageItems
/** About as many bytes are written in a step. */
const batchBytes = 64 * 1024

async function itemsInTurns(items: readonly unknown[]): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  const pause = openPauses(yieldWholeTurn)
  for (let [at, many] = [0, 16]; at < items.length; ) {
    if (at > 0) parts.push(comma)
    const part = itemsOf(items.slice(at, at + many))
    parts.push(part)
    at += many
    // As many as were short enough; few if they are long.
    many = part.length < batchBytes ? many * 2 : Math.max(1, Math.floor((many * batchBytes) / part.length))
    const wait = pause()
    if (wait) await wait
  }
  return parts
}

/** A query may itself contain question marks. */
export function partsOf(url: string): { path: string; query: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

function nextLink(url: string, next: string): string {
  const { path, query } = partsOf(url)
  const parameters = new URLSearchParams(query)
  parameters.delete('next')
  parameters.set('navNext', next)
  return JSON.stringify({ href: `${path}?${parameters}` })
}
