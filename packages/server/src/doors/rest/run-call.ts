/**
 * Makes a call of the endpoint table in this process: the same checks and the same handler as over
 * HTTP.
 */
import {
  type Endpoint,
  type EndpointName,
  endpoints,
  type Further,
  JsonBytes,
} from '@dragoman/contract'
import type { Call } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import { bodyCheck, queryCheck } from '../../validation/validate.ts'
import type { AnyHandler, Web } from './bind.ts'
import { handlers } from './every-call.ts'

export type CallInput = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const noWeb: Web = { publicUrl: '', accept: undefined }

/** The answer of a collection: its items, and the cursor of the next page. */
export type Items = { readonly items: unknown[]; readonly next?: string }

/** The answer as an object; `Items` for a collection. */
export async function runCall(
  hub: Hub,
  call: Call,
  name: EndpointName,
  given: CallInput = {},
): Promise<unknown> {
  const endpoint: Endpoint = endpoints[name]
  const input = {
    params: endpoint.params && queryCheck(endpoint.params)({ ...given.params }),
    query: endpoint.query && queryCheck(endpoint.query)({ ...given.query }),
    body: endpoint.body && bodyCheck(endpoint.body)(given.body ?? {}),
  }
  const answer = await (handlers[name] as AnyHandler)(hub, call, input, noWeb)
  return endpoint.collection === undefined
    ? plain(answer)
    : itemsOf(answer as Items & { further?: Further })
}

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
