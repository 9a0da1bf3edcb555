/**
 * POST /upstream/{providerId}: a listener at an upstream calls this hub. Its signature is what
 * proves it, not a token.
 */
import { HubError, limits } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import { receiveUpdate } from '../../domain/upstream/listen.ts'
import type { Hub } from '../../hub.ts'

export function registerHeardCalls(app: FastifyInstance, hub: Hub): void {
  app.post<{ Params: { providerId: string } }>(
    '/upstream/:providerId',
    { bodyLimit: limits.jsonBytes },
    async (call, reply) => {
      const header = (name: string) => String(call.headers[name] ?? '')
      const isOurs = await receiveUpdate(hub, {
        providerId: call.params.providerId,
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body: Buffer.isBuffer(call.body) ? call.body.toString() : '',
        traceId: call.id,
      })
      if (!isOurs)
        throw new HubError('UNAUTHORIZED', {
          because: 'the signature is not of a listener of this hub.',
        })
      return reply.code(204).send()
    },
  )
}
