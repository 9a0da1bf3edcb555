/**
 * Gives the calls of connectors about a job to the recorder, with their bodies. Bytes of files stay
 * where they are.
 */

import { limits } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { knownToRecord } from '../../domain/engines/recording-sites.ts'
import { recordHere } from '../../domain/upstream/record-here.ts'
import { allRecorded } from '../../domain/upstream/recording-queue.ts'
import type { Hub } from '../../hub.ts'

export function recordConnectorCalls(app: FastifyInstance, hub: Hub): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const route = request.routeOptions.url ?? ''
    if (isOfConnector(route)) record(hub, request, reply, payload)
    done(null, payload)
  })
  app.addHook('onClose', () => allRecorded(hub))
}

const isOfConnector = (route: string): boolean =>
  (/^\/v2\/jobs(\/|$)/.test(route) && !/\/(timeline|cassette)$/.test(route)) ||
  route.startsWith('/fms/')

function record(hub: Hub, request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const caller = request.caller as FastifyRequest['caller'] | undefined
  const params = request.params as Record<string, string> | undefined
  const siteId = caller?.siteId ?? request.about?.siteId
  const jobId = request.about?.jobId ?? params?.jobId
  if (siteId === undefined || jobId === undefined) return
  if (knownToRecord(hub, siteId) === false) return
  const { headers } = request
  const key = headers['idempotency-key']
  const sent = bytesOf(request.body)
  const answered = bytesOf(payload)
  const location = reply.getHeader('location')
  recordHere(hub, {
    siteId,
    jobId,
    method: request.method,
    path: request.url,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    sent: {
      type: headers['content-type'] ?? null,
      bytes: Number(headers['content-length'] ?? 0) || 0,
      ...(typeof key === 'string' && { key }),
      ...(sent && { body: sent }),
    },
    answered: {
      type: (reply.getHeader('content-type') as string | undefined) ?? null,
      bytes: Number(reply.getHeader('content-length') ?? 0) || 0,
      ...(typeof location === 'string' && { location }),
      ...(answered && { body: answered }),
    },
  })
}

const most = limits.cassetteBodyBytes

function bytesOf(body: unknown): { bytes: Uint8Array; isCut: boolean } | undefined {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined
  return { bytes: bytes.subarray(0, most), isCut: bytes.length > most }
}
