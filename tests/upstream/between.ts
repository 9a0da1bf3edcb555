/**
 * A stage between the front hub and the other: calls pass unchanged, or get another answer, or
 * their answer is changed.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
export type Passing = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: string
}
export type Between = {
  url: string
  readonly seen: Passing[]
  /** Answers instead of the hub; undefined lets the call pass. */
  answer: (
    call: Passing,
  ) => { status: number; body?: Json; raw?: string; headers?: Record<string, string> } | undefined
  /** Changes what the hub answered. */
  change: (call: Passing, answered: Json) => Json
  /** Forgets the plans of the last test. */
  reset(): void
  close(): Promise<void>
}

export async function startBetween(to: string): Promise<Between> {
  const server = createServer((call, reply) => {
    const chunks: Buffer[] = []
    call.on('data', (chunk: Buffer) => chunks.push(chunk))
    call.on('end', () => void pass(Buffer.concat(chunks)).catch(() => reply.destroy()))
    const pass = async (body: Buffer): Promise<void> => {
      const { method = 'GET', url: path = '/' } = call
      const headers = new Headers()
      for (const [name, value] of Object.entries(call.headers))
        if (!['host', 'connection', 'content-length', 'transfer-encoding'].includes(name))
          headers.set(name, String(value))
      const passing: Passing = { method, path, headers, body: body.toString() }
      between.seen.push(passing)
      const instead = between.answer(passing)
      if (instead) {
        reply.writeHead(instead.status, { 'content-type': 'application/json', ...instead.headers })
        reply.end(instead.raw ?? JSON.stringify(instead.body ?? {}))
        return
      }
      const sent = await fetch(new URL(path, to), {
        method,
        headers,
        redirect: 'manual',
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      })
      const bytes = Buffer.from(await sent.arrayBuffer())
      const isJson = sent.headers.get('content-type')?.includes('json') === true && bytes.length > 0
      const answered = isJson
        ? Buffer.from(JSON.stringify(between.change(passing, JSON.parse(bytes.toString()))))
        : bytes
      const back: Record<string, string> = {}
      for (const [name, value] of sent.headers)
        if (
          !['content-length', 'content-encoding', 'transfer-encoding', 'connection'].includes(name)
        )
          back[name] = value
      reply.writeHead(sent.status, back)
      reply.end(answered)
    }
  })
  // On a busy machine the hub would meet a connection that closes.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const between: Between = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    answer: () => undefined,
    change: (_, answered) => answered,
    reset: () => {
      between.answer = () => undefined
      between.change = (_, answered) => answered
      between.seen.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return between
}
