/**
 * The tools that the hub offers to assistants over MCP (contract, section 14). A tool is a call of
 * the endpoint table, with its sentence, arguments and scopes; two tools do more than one call.
 */
import type { Endpoint } from './endpoints/row.ts'
import { type EndpointName, endpoints } from './endpoints.ts'
import { ErrorQuestion, TextToTranslate } from './schemas/assistant.ts'

const reading = [
  'listJobs',
  'findJob',
  'listRequests',
  'retrieveContent',
  'listTimeline',
  'quoteJob',
  'countJobWords',
  'listProviders',
  'tryRouting',
  'findMatches',
  'listMemoryUnits',
  'lookUpTerms',
  'listTerms',
  'listFindings',
  'listSiteDeliveries',
  'listCalls',
] as const satisfies readonly EndpointName[]

const writing = [
  'approveRequests',
  'rejectRequests',
  'completeJob',
] as const satisfies readonly EndpointName[]

/** The parts of an endpoint that a tool needs. */
export type Tool = Pick<Endpoint, 'says' | 'scope' | 'params' | 'query' | 'body'> & {
  /** The call that it makes; absent if it makes several. */
  readonly endpoint?: EndpointName
  /** It changes something: only for callers that asked for `write`. */
  readonly writes: boolean
}

const ownTools: Readonly<Record<string, Tool>> = {
  explainError: {
    says: 'Explain an error of the hub: its cause, what to do, and whether the same call may be sent again',
    scope: 'any',
    body: ErrorQuestion,
    writes: false,
  },
  translateText: {
    says: 'Send a text to a provider as a job of its own, wait for the translations and return them',
    scope: 'content',
    body: TextToTranslate,
    writes: true,
  },
}

const toolOf =
  (writes: boolean) =>
  (name: EndpointName): [string, Tool] => {
    const { says, scope, params, query, body } = endpoints[name] as Endpoint
    const given = { ...(params && { params }), ...(query && { query }), ...(body && { body }) }
    return [name, { says, scope, ...given, endpoint: name, writes }]
  }

export const assistantTools: Readonly<Record<string, Tool>> = Object.fromEntries([
  ...reading.map(toolOf(false)),
  ...Object.entries(ownTools),
  ...writing.map(toolOf(true)),
])

export type CallPart = 'params' | 'query' | 'body'
export const callParts: readonly CallPart[] = ['params', 'query', 'body']

/** An endpoint, or what has the same parts. */
export type Parts = Pick<Endpoint, CallPart>

/** The fields of a part of a call, as its schema names them. */
export const fieldsOf = (schema: object | undefined): Readonly<Record<string, unknown>> =>
  (schema as { readonly properties?: Record<string, unknown> } | undefined)?.properties ?? {}

/** A cursor has two names; assistants see one. */
export const isArgument = (name: string): boolean => name !== 'next'

/** Which part of the call each argument belongs to. */
export const argumentParts = (endpoint: Parts): Map<string, CallPart> =>
  new Map(
    callParts.flatMap((part) =>
      Object.keys(fieldsOf(endpoint[part]))
        .filter(isArgument)
        .map((name) => [name, part] as const),
    ),
  )
