/**
 * Reads a body into one buffer of its declared length. Collecting the chunks first would take twice
 * the memory and leave as much garbage, because chunks that live until the body is complete outlive
 * the quick collections.
 */
import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file of any size. */
    readonly streams?: 'always' | 'unless JSON'
  }
}

type Done = (error: Error | null, body?: Buffer | IncomingMessage) => void

export function receiveBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  // The handler reads it as it arrives.
  const { streams } = request.routeOptions.config
  if (
    streams === 'always' ||
    (streams && !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
  ) {
    done(null, payload)
    return
  }
  const limit = request.routeOptions.bodyLimit
  const declared = lengthIn(request)
  if (declared !== undefined && declared > limit) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  let whole: Buffer | undefined
  /** Collects a body that does not declare its length. */
  const chunks: Buffer[] = []
  let received = 0
  const end = (error: Error | null, body?: Buffer): void => {
    payload.off('data', take).off('end', finish).off('error', fail)
    done(error, body)
  }
  const take = (chunk: Buffer): void => {
    const at = received
    received += chunk.length
    if (received > (declared ?? limit)) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else if (declared === undefined) chunks.push(chunk)
    else {
      // Allocated with the first bytes: a caller that declares a body and sends nothing takes no
      // memory.
      whole ??= Buffer.allocUnsafe(declared)
      chunk.copy(whole, at)
    }
  }
  const finish = (): void => {
    if (declared === undefined) end(null, Buffer.concat(chunks, received))
    else if (received < declared) end(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    else end(null, whole ?? Buffer.alloc(0))
  }
  const fail = (error: Error): void => end(Object.assign(error, { statusCode: 400 }))
  payload.on('data', take).on('end', finish).on('error', fail)
}

function lengthIn({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
