/**
 * The routes of the project settings service at /ProjectSettingsService.svc. The service is loaded
 * with its first call.
 */
import { limits } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import type { Hub } from '../../hub.ts'

const path = '/ProjectSettingsService.svc'
const service = () => import('./service.ts')

export function registerSoap(app: FastifyInstance, hub: Hub): void {
  app.get(path, async (call, reply) => (await service()).describeService(hub, path, call, reply))
  app.post(
    path,
    {
      bodyLimit: limits.soapBytes,
      onRequest: async (call) => (await service()).authenticate(hub, call),
      errorHandler: async (error, call, reply) =>
        (await service()).sendFault(hub, error as Error, call, reply),
    },
    async (call, reply) => (await service()).answerCall(hub, call, reply),
  )
}
