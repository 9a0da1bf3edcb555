/**
 * Runs a tool for the caller of a call: checks its scopes and arguments, and makes the call of the
 * endpoint table.
 */
import {
  argumentParts,
  assistantTools,
  type Endpoint,
  type EndpointName,
  endpoints,
  HubError,
  methodOf,
  pathOf,
  scopesOf,
  type Tool,
} from '@dragoman/contract'
import { type Caller, mayCall } from '../../domain/access/caller.ts'
import type { Items } from '../rest/settled.ts'
import { countFitting, fit, markedText } from './bounded-answer.ts'
import { explainError } from './explain-error.ts'
import { translateText } from './translate-text.ts'
import type { Given, Turn } from './turn.ts'

const usualPageSize = 20

export const mayUse = (caller: Caller, tool: Tool): boolean =>
  scopesOf(tool).some((scope) => scope === 'any' || mayCall(caller, scope))

/** The text of the answer. */
export async function runTool(turn: Turn, name: string, given: Given): Promise<string> {
  const tool = assistantTools[name] as Tool
  mustBeAllowed(turn, name, tool)
  mustBeKnown(name, tool, given)
  if (name === 'explainError') return answered(await explainError(turn, given))
  if (name === 'translateText') return answered(await translateText(turn, given))
  return tool.endpoint === undefined ? answered({}) : callEndpoint(turn, tool.endpoint, given)
}

function mustBeAllowed({ call: { caller }, write }: Turn, name: string, tool: Tool): void {
  if (!mayUse(caller, tool))
    throw new HubError('FORBIDDEN', {
      because: `the call needs the scope ${scopesOf(tool).join(' or ')}, which the token does not have.`,
    })
  if (tool.writes && !write)
    throw new HubError('FORBIDDEN', {
      because: `${name} changes something, and the connection is for reading; connect with dragoman mcp --write or /mcp?write=true.`,
    })
}

/** A misspelt argument would be ignored, and the answer would be about something else. */
function mustBeKnown(name: string, tool: Tool, given: Given): void {
  const known = argumentParts(tool)
  const strange = Object.keys(given).find((one) => !known.has(one))
  if (strange === undefined) return
  const because = `${name} has no argument ${strange.slice(0, 100)}; it has ${[...known.keys()].join(', ') || 'none'}.`
  throw new HubError('INVALID_PARAMETER', { because })
}

async function callEndpoint(turn: Turn, name: EndpointName, given: Given): Promise<string> {
  const endpoint: Endpoint = endpoints[name]
  const { params, query, body } = partsOf(endpoint, given)
  if (typeof given.jobId === 'string') turn.about(given.jobId)
  const { collection } = endpoint
  const isPaged = collection !== undefined && endpoint.paged !== false
  const read = (pageSize?: unknown) => {
    const asked = isPaged ? { ...query, pageSize } : query
    return turn.runCall(turn.hub, turn.call, name, { params, query: asked, body })
  }
  const size = query.pageSize ?? usualPageSize
  const rest = `${methodOf(endpoint)} /v2${filledPath(endpoint, given)} returns all of it.`
  if (collection === undefined) return answered(await read(), rest)
  let page = (await read(size)) as Items
  // A shorter page has a cursor that goes on where it ends; a longer one would have to be cut.
  const fitting = countFitting(page.items)
  if (isPaged && fitting < page.items.length) page = (await read(fitting)) as Items
  const more =
    page.next === undefined
      ? undefined
      : `There is more: call ${name} again with navNext set to this navNext.`
  return answered(
    { [collection]: page.items, ...(page.next !== undefined && { navNext: page.next }) },
    rest,
    more,
  )
}

/** `rest` says where the whole is, if it is cut; `more` is said in any case. */
function answered(value: unknown, rest?: string, more?: string): string {
  const { json, isCut } = fit(value)
  const cut = isCut
    ? `Long texts and lists are cut. ${rest ?? 'Ask for less at a time.'}`
    : undefined
  return markedText(json, [cut, more].filter(Boolean).join(' ') || undefined)
}

function partsOf(
  endpoint: Endpoint,
  given: Given,
): Record<'params' | 'query' | 'body', Record<string, unknown>> {
  const found = { params: {}, query: {}, body: {} } as Record<
    'params' | 'query' | 'body',
    Record<string, unknown>
  >
  const known = argumentParts(endpoint)
  for (const [name, value] of Object.entries(given)) found[known.get(name) ?? 'query'][name] = value
  return found
}

const filledPath = (endpoint: Endpoint, given: Given): string =>
  pathOf(endpoint).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name] ?? '')),
  )
