/**
 * `GET /console/work/{providerId}/{jobId}/{assetTaskId}/preview`: a translation in a frame of the
 * workbench. The content is the customer's, so its answer has a policy of its own: no scripts, no
 * network, an origin of its own. The site is in the query, since a frame sets no headers; `segment`
 * names the segment whose place is marked with the id `segment`.
 */
import { consoleEndpoints, type Endpoint, HubError } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { previewPage } from '../../domain/desk/preview/preview-page.ts'
import { sentencePage } from '../../domain/desk/preview/render-preview.ts'
import { mustBeWork } from '../../domain/jobs/work.ts'
import type { Hub } from '../../hub.ts'
import { mustNotBeCrossSite } from '../http/cors.ts'
import { identifyPerson } from './identify-person.ts'

/** The preview is for those who may list work. */
const previewed: Endpoint = { ...consoleEndpoints.listWork, call: 'GET /work/preview' }

const headers = {
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

type Path = { providerId: string; jobId: string; assetTaskId: string }
const isId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id)

export function registerPreview(app: FastifyInstance, hub: Hub): void {
  const identify = identifyPerson(hub, previewed)
  const send = (reply: FastifyReply, page: string) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(page)

  app.get('/console/work/:providerId/:jobId/:assetTaskId/preview', {
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      mustNotBeCrossSite(request)
      const { site } = request.query as { site?: unknown }
      if (typeof site === 'string' && site !== '') request.headers['x-dragoman-site'] = site
      await identify(request, reply)
    },
    handler: async (request, reply) => {
      const params = request.params as Path
      const { segment } = request.query as { segment?: unknown }
      const call = { caller: request.caller, traceId: request.id }
      const wrong = Object.entries(params).find(([, id]) => !isId(id))
      try {
        if (wrong) throw new HubError('NOT_FOUND', { what: `${wrong[0]} in this path` })
        await mustBeWork(hub, call, { params })
        return send(
          reply,
          await previewPage(hub, call, params, typeof segment === 'string' ? segment : undefined),
        )
      } catch (error) {
        // A person reads it in the frame.
        if (!(error instanceof HubError)) throw error
        reply.errorCode = error.code
        return send(reply.code(error.status), sentencePage(error.message))
      }
    },
  })
}
