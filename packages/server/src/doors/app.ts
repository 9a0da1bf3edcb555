/** The app: the HTTP server with every door of the hub. */
import { limits } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import type { Hub } from '../hub.ts'
import type { Patience } from '../process/listen.ts'
import { registerAssistants } from './assistants/assistants.ts'
import { openConsole } from './console/console.ts'
import { mustNotBeCrossSite } from './http/cors.ts'
import { openHttpApp } from './http/http-app.ts'
import type { Metrics } from './http/metrics.ts'
import { registerOperation } from './http/operation.ts'
import { registerMetadata } from './oauth/metadata.ts'
import { registerRevocation } from './oauth/revocation.ts'
import { registerToken } from './oauth/token.ts'
import { registerDocs } from './pages/docs.ts'
import { registerPages } from './pages/pages.ts'
import { bind } from './rest/bind.ts'
import { handlers } from './rest/every-call.ts'
import { registerSandbox } from './sandbox/clock.ts'
import { registerFaultControls } from './sandbox/fault-controls.ts'
import { boxOf } from './sandbox/faults.ts'
import { takeOnlyJson } from './sandbox/only-json.ts'
import { watchForFaults } from './sandbox/watch-calls.ts'
import { registerSoap } from './soap/soap.ts'
import { registerDownload } from './transfer/download.ts'
import { registerMultipart } from './transfer/multipart.ts'
import { registerTus } from './transfer/tus.ts'
import { registerHeardCalls } from './upstream/heard-calls.ts'
import { recordConnectorCalls } from './upstream/recorded-calls.ts'
import type { Runner } from './work/runner.ts'

export type AppParts = {
  readonly runner: Runner
  readonly metrics: Metrics
  /** True once the hub has begun to stop. */
  readonly isStopping: () => boolean
  readonly patience: Patience
}

export async function buildApp(
  hub: Hub,
  { runner, metrics, isStopping, patience }: AppParts,
): Promise<FastifyInstance> {
  const console = openConsole(hub)
  const app = openHttpApp(hub, { metrics, patience, page: console.page })
  const box = boxOf(hub)
  if (box) watchForFaults(app, hub, box)
  recordConnectorCalls(app, hub)

  registerOperation(app, hub, metrics, isStopping)
  registerToken(app, hub)
  registerRevocation(app, hub)
  registerMetadata(app, hub)
  registerPages(app, hub, console.page)
  registerDocs(app, hub)
  registerSoap(app, hub)
  registerAssistants(app, hub)
  registerDownload(app, hub)
  registerHeardCalls(app, hub)
  await registerMultipart(app, hub)
  await registerTus(app, hub)
  if (hub.config.profile === 'sandbox')
    await app.register(async (scope) => {
      takeOnlyJson(scope)
      // With an origin, `allowOrigins` has decided: a page on loopback may be of another site.
      scope.addHook('onRequest', async (request) => {
        if (request.headers.origin === undefined) mustNotBeCrossSite(request)
      })
      registerSandbox(scope, hub, runner, box?.record)
      if (!box) return
      registerFaultControls(scope, box)
      scope.post('/sandbox/certify', { bodyLimit: limits.sandboxBytes }, async (call, reply) =>
        (await import('./sandbox/certify-calls.ts')).certify(hub, box, call, reply),
      )
    })
  bind(app, hub, handlers)
  console.register(app, { metrics, isStopping })
  await app.ready()
  return app
}
