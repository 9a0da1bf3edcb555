/**
 * extendedMetadata in answers with many requests. All of it together may be larger than memory
 * allows, so that it is no part of the items but read and written a few requests at a time.
 */
import { type Further, HubError, limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { FoundRequest } from './request-rows.ts'
import { selectMetadata } from './request-rows.ts'

export type Answered<T> = { readonly items: T[]; readonly further?: Further }

/**
 * Bounds what one transaction stores: a small body may ask for many copies of it, and SQLite writes
 * them in one go.
 */
export function mustFitCall(bytes: number): void {
  if (bytes <= limits.callMetadataBytes) return
  const what = 'What this call stores as extendedMetadata'
  const details = [
    { path: 'extendedMetadata', message: 'is too large in all; send fewer requests in one call' },
  ]
  throw new HubError('CONTENT_TOO_LARGE', { what, limit: limits.callMetadataBytes }, { details })
}

/** An answer whose metadata is known: `texts` has that of each item. */
export function withTexts<T extends object>(
  items: T[],
  texts: readonly (string | null)[],
): Answered<T> {
  if (texts.every((text) => text === null)) return { items }
  // An answer that an earlier version stored under a key has the metadata in its items.
  const further: Further = async (from, until) =>
    texts
      .slice(from, until)
      .map((text, at) => fieldOf('extendedMetadata' in (items[from + at] ?? {}) ? null : text))
  return { items, further }
}

type Described<T> = {
  readonly rows: readonly FoundRequest[]
  readonly describe: (row: FoundRequest) => T
  /** The metadata that the call itself set, by the index of the row. */
  readonly written?: (at: number) => string | undefined
}

/**
 * An answer with requests that were read without their metadata: it is read after the transaction.
 */
export function withMetadata<T>(
  hub: Hub,
  siteId: string,
  { rows, describe, written = () => undefined }: Described<T>,
): Answered<T> {
  const items = rows.map(describe)
  const [first] = rows
  if (
    !first ||
    !rows.some(({ metadata_bytes }, at) => metadata_bytes > 0 || written(at) !== undefined)
  )
    return { items }
  const further: Further = async (from, until) => {
    const some = rows.slice(from, until).map((row, at) => ({ row, text: written(from + at) }))
    const unknown = some.filter(({ row, text }) => text === undefined && row.metadata_bytes > 0)
    const ids = unknown.map(({ row }) => row.request_id)
    const found = ids.length > 0 ? await selectMetadata(hub.db.read, siteId, first.job_id, ids) : []
    const texts = new Map(found.map((row) => [row.request_id, row.extended_metadata]))
    return some.map(({ row, text }) => fieldOf(text ?? texts.get(row.request_id) ?? null))
  }
  return { items, further }
}

const fieldOf = (text: string | null): Record<string, string> =>
  text === null ? {} : { extendedMetadata: text }

/** The only item of such an answer, with its metadata. */
export async function onlyItem<T extends object>({
  items: [item],
  further,
}: Answered<T>): Promise<T | undefined> {
  const [texts = {}] = (await further?.(0, 1)) ?? []
  return (
    item &&
    Object.assign(
      item,
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.parse(text)])),
    )
  )
}
