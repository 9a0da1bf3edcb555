/**
 * Every call of the REST interface: the source of routes, validation, OpenAPI, the SDK and the
 * command line's help. A row without a handler does not compile. Paths are below /v2.
 */
import type { Static, TSchema } from 'typebox'
import { checkEndpoints } from './endpoints/checks.ts'
import { commentEndpoints } from './endpoints/desk/comments.ts'
import { deskEndpoints } from './endpoints/desk.ts'
import { fileEndpoints } from './endpoints/files.ts'
import { formatEndpoints } from './endpoints/formats.ts'
import { jobEndpoints } from './endpoints/jobs.ts'
import { memoryEndpoints } from './endpoints/memory.ts'
import { clientEndpoints } from './endpoints/operating-clients.ts'
import { operatingDeliveryEndpoints } from './endpoints/operating-deliveries.ts'
import { findingEndpoints } from './endpoints/operating-findings.ts'
import { operatingLogEndpoints } from './endpoints/operating-log.ts'
import { peopleEndpoints } from './endpoints/operating-people.ts'
import { reportEndpoints } from './endpoints/operating-reports.ts'
import { siteEndpoints } from './endpoints/operating-sites.ts'
import { operatingTaskEndpoints } from './endpoints/operating-tasks.ts'
import { providerSideEndpoints } from './endpoints/provider-side.ts'
import { providerEndpoints } from './endpoints/providers.ts'
import { requestEndpoints } from './endpoints/requests.ts'
import { settingsEndpoints } from './endpoints/settings.ts'
import { termEndpoints } from './endpoints/terms.ts'
import { updateEndpoints } from './endpoints/updates.ts'
import type { JsonBytes } from './json-bytes.ts'

export const endpoints = {
  ...providerEndpoints,
  ...jobEndpoints,
  ...requestEndpoints,
  ...formatEndpoints,
  ...fileEndpoints,
  ...updateEndpoints,
  ...providerSideEndpoints,
  ...deskEndpoints,
  ...commentEndpoints,
  ...checkEndpoints,
  ...settingsEndpoints,
  ...termEndpoints,
  ...memoryEndpoints,
  ...clientEndpoints,
  ...peopleEndpoints,
  ...siteEndpoints,
  ...operatingDeliveryEndpoints,
  ...operatingTaskEndpoints,
  ...findingEndpoints,
  ...operatingLogEndpoints,
  ...reportEndpoints,
} as const

/**
 * Also exported as separate tables: the hub loads the handlers of each on the first call to one of
 * its rows.
 */
export {
  clientEndpoints,
  commentEndpoints,
  deskEndpoints,
  findingEndpoints,
  operatingDeliveryEndpoints,
  operatingLogEndpoints,
  operatingTaskEndpoints,
  peopleEndpoints,
  providerSideEndpoints,
  reportEndpoints,
  siteEndpoints,
}

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
export const endpointNames = Object.keys(endpoints) as EndpointName[]

/** Calls of earlier versions that answer 410 and name their successor. */
export const gone = [
  { call: 'POST /jobs/{jobId}/upload', successor: 'POST /jobs/{jobId}/sourcefiles' },
  { call: 'PUT /jobs/{jobId}/requests', successor: 'PATCH /jobs/{jobId}/requests' },
] as const

type InputPart<E, K extends string> = E extends { readonly [P in K]: infer S extends TSchema }
  ? Static<S>
  : undefined
type Body<E> = E extends { readonly takes: unknown; readonly body: unknown }
  ? AsyncIterable<Uint8Array> | JsonBody<E>
  : E extends { readonly takes: unknown }
    ? AsyncIterable<Uint8Array>
    : JsonBody<E>
type JsonBody<E> = E extends { readonly bodyOptional: true }
  ? InputPart<E, 'body'> | undefined
  : InputPart<E, 'body'>

/** What a handler receives: validated, with other spellings normalised. */
export type Input<E> = {
  params: InputPart<E, 'params'>
  query: InputPart<E, 'query'>
  body: Body<E>
}

/**
 * Large fields of the items `from` to `until`, as JSON texts by name. They are read while the
 * response is written, because those of all items may not fit into memory.
 */
export type Further = (
  from: number,
  until: number,
) => Promise<readonly Readonly<Record<string, string>>[]>

/**
 * What a handler returns; for a collection, its items and, if there are more, the cursor of the
 * next page.
 */
export type HandlerAnswer<E> = E extends { readonly gives: unknown } ? FileAnswer : JsonAnswer<E>
type JsonAnswer<E> = E extends { readonly collection: string }
  ? {
      items: (InputPart<E, 'answers'> | JsonBytes)[]
      next?: string | undefined
      further?: Further | undefined
    }
  : InputPart<E, 'answers'> | JsonBytes

/** A file that is made while it is sent. */
export type FileAnswer = {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: AsyncIterable<Uint8Array | string>
}

/** What a client receives. */
export type Answer<E> = E extends { readonly collection: infer C extends string }
  ? Page<C, InputPart<E, 'answers'>>
  : InputPart<E, 'answers'>

export type Page<C extends string, Item> = { [K in C]: Item[] } & {
  pagination: { navNext?: string }
  next?: string
  _embedded?: { [K in C]: Item[] }
  _links?: { self: { href: string }; next?: { href: string } }
}
