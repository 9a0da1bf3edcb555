/**
 * The MCP server of the hub: its tools, in both eras of the protocol. Loaded with the first call to
 * /mcp.
 */
import { assistantTools, HubError, limits } from '@dragoman/contract'
import { argumentsOf, errorHelp } from '@dragoman/docs/reference'
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call, Caller } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import { version } from '../../process/version.ts'
import { onceOf } from '../http/once-key.ts'
import { errorObject, toHubError } from '../http/problem.ts'
import { readBody } from '../http/read-body.ts'
import { assistantName, sessionOf } from './assistant-name.ts'
import { fit, markedText } from './bounded-answer.ts'
import { mayUse, runTool } from './run-tool.ts'
import type { Given, Turn } from './turn.ts'
import { introduction, nameOfHub } from './words.ts'

/** What the handlers of one message know about its call. */
type Exchange = {
  readonly turn: Turn
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
type Message = { readonly method?: unknown; readonly params?: { readonly name?: unknown } }

const handler = createMcpHandler(
  ({ authInfo }) => serverFor(authInfo?.extra?.exchange as Exchange),
  // The hub has nothing to announce: its tools depend on the token and on `write` alone.
  { maxSubscriptions: 0 },
)

export async function answerAssistant(
  hub: Hub,
  runCall: Turn['runCall'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const write = asksForWrite(request)
  const call: Call = { caller: request.caller, traceId: request.id, ...onceOf(request) }
  const message = await readMessage(request)
  const assistant = assistantName(message, request)
  const tool =
    message.method === 'tools/call' ? String(message.params?.name ?? '').slice(0, 100) : undefined
  request.about = { ids: { ...(assistant && { assistant }), ...(tool && { tool }) } }
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const about = (jobId: string) => {
    request.about = { ...request.about, jobId }
  }
  const exchange: Exchange = {
    turn: { hub, call, runCall, write, signal: gone.signal, about },
    request,
    reply,
  }
  const { clientId, scopes } = request.caller
  const authInfo = { token: '', clientId, scopes: [...scopes], extra: { exchange } }
  const answer = await handler.fetch(
    new Request('http://hub/mcp', {
      method: 'POST',
      headers: protocolHeaders(request),
      signal: gone.signal,
    }),
    { authInfo, parsedBody: message },
  )
  if (message.method === 'initialize' && assistant)
    reply.header('mcp-session-id', sessionOf(assistant))
  const type = answer.headers.get('content-type')
  if (type) reply.type(type)
  // Nothing is sent before the result, so its stream is a short text.
  return reply
    .code(answer.status)
    .header('cache-control', 'no-store')
    .send(await answer.text())
}

function asksForWrite({ query }: FastifyRequest): boolean {
  const { write } = query as { write?: unknown }
  if (write === undefined || write === 'false') return false
  if (write === 'true') return true
  throw new HubError('INVALID_PARAMETER', { because: 'write must be true or false.' })
}

/** One message per call: the throttle and the log count calls. */
async function readMessage(request: FastifyRequest): Promise<Message> {
  const anything = function* () {}
  const body = await readBody(request, {
    steps: anything,
    mayBeEmpty: false,
    maxValues: limits.jsonValues,
  })
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new HubError('INVALID_REQUEST', {
    because: 'send one JSON-RPC message; batches are not supported.',
  })
}

/** Not the token: the protocol has no use for it. */
function protocolHeaders({ headers }: FastifyRequest): Headers {
  const known = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && /^(accept|mcp-[\w-]+)$/.test(name)) known.set(name, value)
  return known
}

function serverFor({ turn, request, reply }: Exchange): Server {
  const server = new Server(
    { name: nameOfHub, title: 'Dragoman', version },
    { capabilities: { tools: {} }, instructions: introduction },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: toolsFor(turn.call.caller, turn.write) as never,
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (!Object.hasOwn(assistantTools, params.name))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name.slice(0, 100)}.`,
      )
    try {
      return {
        content: [
          {
            type: 'text',
            text: await runTool(turn, params.name, (params.arguments ?? {}) as Given),
          },
        ],
      }
    } catch (error) {
      const problem = toHubError(turn.hub, error, request)
      // Nobody waits for the answer any more: what was begun goes on.
      if (turn.signal.aborted && isAbort(error)) return { content: [], isError: true }
      if (problem.code === 'INTERNAL') request.log.error({ err: error }, 'internal error')
      reply.errorCode = problem.code
      return { content: [{ type: 'text', text: refusal(problem, request.id) }], isError: true }
    }
  })
  return server
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** What the token may use, and what was asked for. */
function toolsFor(caller: Caller, write: boolean): object[] {
  return Object.entries(assistantTools)
    .filter(([, tool]) => mayUse(caller, tool) && (write || !tool.writes))
    .map(([name, tool]) => ({
      name,
      description: `${tool.says}.`,
      inputSchema: argumentsOf(name, tool),
      annotations: {
        readOnlyHint: !tool.writes,
        ...(tool.writes && {
          destructiveHint: name === 'rejectRequests' || name === 'completeJob',
        }),
        openWorldHint: name === 'translateText',
      },
    }))
}

/** The error object, and what to do about it. */
function refusal(problem: HubError, traceId: string): string {
  const { remedy } = errorHelp[problem.code] ?? {}
  return markedText(
    fit({ ...errorObject(problem, traceId), ...(remedy && { remedy }) }).json,
    undefined,
  )
}
