/** What a handler answered as plain values, with all that would be read while it is sent. */
import { type Endpoint, type Further, JsonBytes } from '@dragoman/contract'

/** The answer of a collection: its items, and the cursor of the next page. */
export type Items = { readonly items: unknown[]; readonly next?: string }

/** The answer as an object; `Items` for a collection. */
export const settled = async (
  { collection }: Pick<Endpoint, 'collection'>,
  answer: unknown,
): Promise<unknown> =>
  collection === undefined ? plain(answer) : itemsOf(answer as Items & { further?: Further })

async function itemsOf({ items, next, further }: Items & { further?: Further }): Promise<Items> {
  const fields = further ? await further(0, items.length) : []
  const whole = items.map((item, at) => ({ ...(plain(item) as object), ...parsed(fields[at]) }))
  return { items: whole, ...(next !== undefined && { next }) }
}

const parsed = (fields: Readonly<Record<string, string>> = {}): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, json]) => [name, JSON.parse(json) as unknown]),
  )

const plain = (given: unknown): unknown =>
  given instanceof JsonBytes
    ? (JSON.parse(Buffer.from(given.bytes).toString('utf8')) as unknown)
    : given
