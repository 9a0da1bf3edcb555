/**
 * The MCP server of `dragoman mcp` on standard input and output: passes what an assistant asks on
 * to /mcp of a hub, so the tools, their scopes and the call log are the hub's. It speaks both eras
 * of the protocol with the assistant and the newest with the hub. It uses nothing else of the
 * server, so that the bundle of the hub is not divided for it.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { introduction, nameOfHub } from '../doors/assistants/words.ts'

export type AskHub = (
  message: object,
  options: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
) => Promise<unknown>

const protocolVersion = '2026-07-28'
const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`

export type Served = {
  readonly ask: AskHub
  readonly version: string
  readonly onerror: (error: Error) => void
}

/** Returns once the assistant has closed its end. */
export async function serveAssistant({ ask, version, onerror }: Served): Promise<void> {
  const transport = new StdioServerTransport()
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
  })
  const serving = serveStdio(() => serverOf(ask, version), { transport, onerror })
  await closed
  await serving.close()
}

function serverOf(ask: AskHub, version: string): Server {
  const server = new Server(
    { name: nameOfHub, title: 'Dragoman', version },
    { capabilities: { tools: {} }, instructions: introduction },
  )
  const pass = async (method: string, params: object | undefined, { mcpReq }: ServerContext) => {
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined
    const info = envelope?.[metaKey('clientInfo')] ?? server.getClientVersion()
    const meta = {
      [metaKey('protocolVersion')]: protocolVersion,
      [metaKey('clientCapabilities')]: {},
      ...(info !== undefined && { [metaKey('clientInfo')]: info }),
    }
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }
    const { name } = (params ?? {}) as { name?: string }
    const headers = {
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    }
    return resultOf(await ask(message, { headers, signal: mcpReq.signal }))
  }
  server.setRequestHandler('tools/list', async ({ params }, context) => {
    const { tools } = await pass('tools/list', params, context)
    return { tools: tools as [] }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const given = { name: params.name, arguments: params.arguments ?? {} }
    try {
      const { content, isError } = await pass('tools/call', given, context)
      return { content: content as [], ...(isError === true && { isError }) }
    } catch (error) {
      // The assistant can act on it; an error of the protocol would end in a message of its client.
      const { name, code, message } = error as Error & { code?: string }
      if (name !== 'HubError') throw error
      return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true }
    }
  })
  return server
}

function resultOf(answer: unknown): Record<string, unknown> {
  const { result, error } = answer as {
    result?: Record<string, unknown>
    error?: { code: number; message: string }
  }
  if (result) return result
  throw new ProtocolError(
    error?.code ?? ProtocolErrorCode.InternalError,
    error?.message ?? 'The hub gave no result.',
  )
}
