/**
 * Makes a call of the endpoint table in this process: the same checks and the same handler as over
 * HTTP.
 */
import { type Endpoint, type EndpointName, endpoints } from '@dragoman/contract'
import type { Call } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import { bodyCheck, queryCheck } from '../../validation/validate.ts'
import type { AnyHandler, Web } from './bind.ts'
import { handlers } from './every-call.ts'
import { settled } from './settled.ts'

export type CallInput = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const noWeb: Web = { publicUrl: '', accept: undefined }

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
  return settled(endpoint, answer)
}
