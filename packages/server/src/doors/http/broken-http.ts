/**
 * Answers on the bare socket what never becomes a call: bytes that are not HTTP, or a head that is
 * too large or too slow. The answer closes the connection even if the client keeps it open.
 */
import type { Socket } from 'node:net'
import { HubError } from '@dragoman/contract'
import { newTraceId } from '../../store/ids.ts'
import { errorObject } from './problem.ts'

/** Time for the client to read the answer before the socket is destroyed. */
const lingerMs = 1_000
const answered = new WeakSet<Socket>()

export function refuseBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  // More bytes of a head that was already refused.
  if (socket.destroyed || answered.has(socket)) return
  const refusal = refusalOf(error.code)
  // A reset or a failed TLS handshake: no answer can be sent, and a write would hang.
  if (!refusal || !socket.writable) {
    socket.destroy()
    return
  }
  answered.add(socket)
  const traceId = newTraceId()
  const body = JSON.stringify(
    errorObject(new HubError('INVALID_REQUEST', { because: refusal.because }), traceId),
  )
  const head = `HTTP/1.1 ${refusal.status}\r\nContent-Type: application/json; charset=utf-8\r\nx-request-id: ${traceId}`
  socket.end(
    `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(linger))
}

function refusalOf(code = ''): { status: string; because: string } | undefined {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: '431 Request Header Fields Too Large', because: 'its headers are too large.' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: '408 Request Timeout', because: 'it did not arrive in time.' }
  return code.startsWith('HPE_')
    ? { status: '400 Bad Request', because: 'it is not well-formed HTTP.' }
    : undefined
}
