/**
 * A translation engine for tests: a real HTTP server with LibreTranslate's interface. It
 * "translates" by upper-casing words, keeps markers and entities, and shows any fault that a test
 * sets.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type EngineCall = {
  readonly q: readonly string[]
  readonly source: string
  readonly target: string
  readonly format: string
  readonly api_key?: string
}
/** The response: JSON, or plain text; none if the connection breaks or hangs. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | 'breaks'
  | 'waits'
/** The fault of a call; undefined for none. `nth` counts the calls since it was set, from 1. */
export type Fault = (call: EngineCall, nth: number) => Reply | undefined | Promise<undefined>

export type TranslationEngine = {
  readonly url: string
  readonly calls: EngineCall[]
  /** The maximum number of calls that were open at once. */
  readonly together: () => number
  /** Sets the fault and clears the list of calls. */
  be(fault?: Fault): void
  close(): Promise<void>
}

export const inCapitals = (text: string): string =>
  text.replace(/&\w+;|<[^>]*>|⟦[^⟧]*⟧|[^&<⟦]+/g, (part) =>
    /^[&<⟦]/.test(part) ? part : part.toUpperCase(),
  )

export const translated = (call: EngineCall): Reply => ({
  body: { translatedText: call.q.map(inCapitals) },
})

export async function startEngine(): Promise<TranslationEngine> {
  const calls: EngineCall[] = []
  let fault: Fault = () => undefined
  let open = 0
  let most = 0
  const server = createServer(async (request, response) => {
    open += 1
    most = Math.max(most, open)
    response.once('close', () => {
      open -= 1
    })
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const isKnown = request.method === 'POST' && request.url === '/translate'
    if (!isKnown) return response.writeHead(404).end()
    const call = JSON.parse(Buffer.concat(pieces).toString('utf8')) as EngineCall
    calls.push(call)
    const reply = (await fault(call, calls.length)) ?? translated(call)
    if (reply === 'waits') return
    if (reply === 'breaks') return response.destroy()
    const isText = typeof reply.body === 'string'
    response.writeHead(reply.status ?? 200, {
      'content-type': isText ? 'text/html' : 'application/json',
      ...reply.headers,
    })
    response.end(isText ? reply.body : JSON.stringify(reply.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    together: () => most,
    be: (next = () => undefined) => {
      fault = next
      calls.length = 0
      most = 0
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
