/**
 * Makes a call of the endpoint table in this process, as the operator at the command line: the same checks and the same
 * handler as over HTTP, without a token.
 */
import { type Answer, type Endpoint, type EndpointName, type Endpoints, endpoints } from '@dragoman/contract'
import { type Call, noSite } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import { bodyCheck, queryCheck } from '../../validation/validate.ts'
import { handlers } from './every-call.ts'

export type LocalInput = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

export async function callLocally<N extends EndpointName>(
  hub: Hub,
  name: N,
  { params, query, body }: LocalInput = {},
): Promise<Answer<Endpoints[N]>> {
  const endpoint: Endpoint = endpoints[name]
  const input = {
    params: endpoint.params && queryCheck(endpoint.params)({ ...params }),
    query: endpoint.query && queryCheck(endpoint.query)({ ...query }),
    body: endpoint.body && bodyCheck(endpoint.body)(body ?? {}),
  }
  const handler = handlers[name] as (hub: Hub, call: Call, input: unknown, web: unknown) => unknown
  const given = await handler(hub, operator(), input, { publicUrl: '', accept: undefined })
  if (!endpoint.collection) return given as Answer<Endpoints[N]>
  const { items, next } = given as { items: unknown[]; next?: string }
  return { [endpoint.collection]: items, pagination: next === undefined ? {} : { navNext: next } } as Answer<
    Endpoints[N]
  >
}

const operator = (): Call => ({
  caller: {
    siteId: noSite,
    clientId: 'command line',
    scopes: ['operator'],
    providerIds: [],
    pageFormat: 'full',
    since: undefined,
    quotas: {},
  },
  traceId: newTraceId(),
  isLocal: true,
})
