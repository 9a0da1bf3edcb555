/**
 * Makes a call of the endpoint table in this process, as the operator at the command line: without
 * a token.
 */
import {
  type Answer,
  type Endpoint,
  type EndpointName,
  type Endpoints,
  endpoints,
} from '@dragoman/contract'
import { type Call, noSite } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import { type CallInput, runCall } from './run-call.ts'
import type { Items } from './settled.ts'

export type LocalInput = CallInput

export async function callLocally<N extends EndpointName>(
  hub: Hub,
  name: N,
  input: LocalInput = {},
): Promise<Answer<Endpoints[N]>> {
  const endpoint: Endpoint = endpoints[name]
  const given = await runCall(hub, operator(), name, input)
  if (!endpoint.collection) return given as Answer<Endpoints[N]>
  const { items, next } = given as Items
  return {
    [endpoint.collection]: items,
    pagination: next === undefined ? {} : { navNext: next },
  } as Answer<Endpoints[N]>
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
