/** The endpoint table as functions: `hub.createJob({ body })` is typed and sent as its row says. */
import {
  type Answer,
  type CallRow,
  callTable,
  type EndpointName,
  type Endpoints,
  heardError,
  type Input,
  methodOf,
  pathOf,
} from '@dragoman/contract/wire'
import type { CallOptions, Transport } from './call.ts'
import { itemsOf, nextOf } from './pages.ts'
import type { Prepare } from './prepare.ts'

type Nothing = Record<never, never>
/** Leaves out parts that the row lacks; a part without required members is optional. */
type Parts<T> = {
  [K in keyof T as undefined extends T[K] ? never : Nothing extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as [T[K]] extends [undefined]
    ? never
    : undefined extends T[K]
      ? K
      : Nothing extends T[K]
        ? K
        : never]?: T[K]
}
/** The bytes of a file. A stream cannot be sent again after a failure. */
export type FileBody = Uint8Array<ArrayBuffer> | Blob | string
type Sent<E> = E extends { takes: unknown }
  ? Omit<Input<E>, 'body'> & { body: FileBody | JsonBody<E> }
  : Input<E>
/** The JSON body of a call that takes a file or JSON. */
type JsonBody<E> = E extends { takes: unknown; body: unknown }
  ? Exclude<Input<E>['body' & keyof Input<E>], AsyncIterable<Uint8Array>>
  : never
export type CallInput<N extends EndpointName> = Parts<Sent<Endpoints[N]>>
type Arguments<N extends EndpointName> =
  Nothing extends CallInput<N>
    ? [input?: CallInput<N>, options?: CallOptions]
    : [input: CallInput<N>, options?: CallOptions]

/** A function for every row, except redirects to files, which `download` follows. */
export type CallName = {
  [N in EndpointName]: Endpoints[N] extends { redirects: true } ? never : N
}[EndpointName]
/** A call that gives a file returns the response, of which the caller reads the body. */
type Given<E> = E extends { gives: unknown } ? Response : Answer<E>
export type Calls = { [N in CallName]: (...input: Arguments<N>) => Promise<Given<Endpoints[N]>> }

/** The calls with paged responses. */
export type PagedName = {
  [N in CallName]: Endpoints[N] extends { collection: string }
    ? Endpoints[N] extends { paged: false }
      ? never
      : N
    : never
}[CallName]
export type Item<N extends PagedName> = Endpoints[N] extends { collection: infer C extends string }
  ? Answer<Endpoints[N]> extends { [K in C]: (infer I)[] }
    ? I
    : never
  : never
export type Each = <N extends PagedName>(name: N, ...input: Arguments<N>) => AsyncIterable<Item<N>>

type Loose = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

export function openCalls(transport: Transport, prepare: Prepare): { calls: Calls; each: Each } {
  const call = async (
    name: EndpointName,
    input: Loose = {},
    options: CallOptions = {},
  ): Promise<unknown> => {
    const row = rowOf(name)
    const { gives } = row
    const takes = isFile(input.body) ? row.takes : undefined
    const body = takes ? input.body : await prepare(name, input.body)
    const asked = {
      method: methodOf(row),
      path: addressOf(row, input.params),
      ...input,
      body,
      ...options,
    }
    const sent = takes ? { ...asked, contentType: takes, file: 'taken' as const } : asked
    return gives ? transport.send({ ...sent, accept: '*/*', file: 'given' }) : transport.ask(sent)
  }
  const names = Object.keys(callTable) as EndpointName[]
  const calls = names
    .filter((name) => !rowOf(name).redirects)
    .map((name) => [name, (input?: Loose, options?: CallOptions) => call(name, input, options)])
  const each = async function* (name: PagedName, input: Loose = {}, options: CallOptions = {}) {
    const { collection = '' } = rowOf(name)
    const { mostPages = Number.POSITIVE_INFINITY } = options
    const seen = new Set<string>()
    for (let cursor: string | undefined, pages = 1; ; pages += 1) {
      const query = { ...input.query, ...(cursor !== undefined && { navNext: cursor }) }
      const page = await call(name, { ...input, query }, options)
      yield* itemsOf(page, collection)
      cursor = nextOf(page)
      // A repeated cursor would loop for ever.
      if (cursor === undefined || seen.has(cursor)) return
      seen.add(cursor)
      if (pages >= mostPages)
        throw heardError(
          'SERVICE_UNAVAILABLE',
          `The list ${collection} of ${transport.url} has more than ${mostPages} pages.`,
          { status: 0 },
        )
    }
  }
  return { calls: Object.fromEntries(calls) as Calls, each: each as Each }
}

const isFile = (body: unknown): boolean =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob

export function rowOf(name: EndpointName): CallRow {
  const row = Object.hasOwn(callTable, name) ? callTable[name] : undefined
  if (!row) throw new TypeError(`There is no call ${name}.`)
  return row
}

/** `/v2/jobs/{jobId}` with its placeholders filled. */
export function addressOf(row: CallRow, params: Readonly<Record<string, string>> = {}): string {
  const path = pathOf(row).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '')
      throw new TypeError(`${row.call} needs the parameter ${name}.`)
    return encodeURIComponent(value)
  })
  return `/v2${path}`
}
