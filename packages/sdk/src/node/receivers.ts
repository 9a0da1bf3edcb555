/**
 * Ready-made delivery handlers for Node's http, Express and Fastify. All read the raw body, because
 * the signature covers its bytes: in Express mount it before any JSON parser (or use
 * `express.raw`); the Fastify plugin brings its own.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { openReceiver, type Receipt, type ReceiverOptions } from '../receive.ts'

const mostBytes = 1024 ** 2

/** `createServer(httpReceiver({ secret, onDelivery }))`. */
export function httpReceiver(
  options: ReceiverOptions,
): (call: IncomingMessage, answer: ServerResponse) => Promise<void> {
  const receive = openReceiver(options)
  return async (call, answer) => {
    if (call.method !== 'POST') return send(answer, refusal(405, 'A delivery is a POST.'))
    const body = await readBody(call)
    send(answer, body ? await receive(call.headers, body) : tooLarge)
  }
}

type ExpressCall = IncomingMessage & { readonly body?: unknown }

/** `app.post('/deliveries', expressReceiver({ secret, onDelivery }))`. */
export function expressReceiver(
  options: ReceiverOptions,
): (call: ExpressCall, answer: ServerResponse) => Promise<void> {
  const receive = openReceiver(options)
  return async (call, answer) => {
    const { body } = call
    if (body !== undefined && !isRaw(body))
      return send(
        answer,
        refusal(500, 'The body was parsed before it could be verified; mount the receiver first.'),
      )
    const bytes = isRaw(body) ? body : await readBody(call)
    send(answer, bytes ? await receive(call.headers, bytes) : tooLarge)
  }
}

type FastifyLike = {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (
      call: unknown,
      body: Buffer,
      done: (error: Error | null, body?: unknown) => void,
    ) => void,
  ): unknown
  removeAllContentTypeParsers(): unknown
  post(path: string, handle: (call: FastifyCall, reply: FastifyReply) => Promise<unknown>): unknown
}
type FastifyCall = { readonly headers: IncomingMessage['headers']; readonly body: unknown }
type FastifyReply = { code(status: number): FastifyReply; send(body?: unknown): unknown }

/**
 * `app.register(fastifyReceiver({ path: '/deliveries', secret, onDelivery }))`: a plugin with its
 * own parser.
 */
export function fastifyReceiver({
  path = '/deliveries',
  ...options
}: ReceiverOptions & { readonly path?: string }) {
  const receive = openReceiver(options)
  return async (app: FastifyLike): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: mostBytes },
      (_call, body, done) => done(null, body),
    )
    app.post(path, async (call, reply) => {
      const { status, body } = await receive(call.headers, isRaw(call.body) ? call.body : '')
      return reply.code(status).send(body)
    })
  }
}

const isRaw = (body: unknown): body is Uint8Array | string =>
  typeof body === 'string' || body instanceof Uint8Array

async function readBody(call: IncomingMessage): Promise<Uint8Array | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of call as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > mostBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function send(answer: ServerResponse, { status, body }: Receipt): void {
  answer.statusCode = status
  if (body) answer.setHeader('content-type', 'application/json; charset=utf-8')
  answer.end(body && JSON.stringify(body))
}

const refusal = (status: number, message: string): Receipt => ({
  status,
  body: { code: 'INVALID_REQUEST', message },
})
const tooLarge = refusal(413, 'The body is too large for a delivery.')
