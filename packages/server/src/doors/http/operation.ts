/**
 * Endpoints for monitoring: whether the process is alive, whether it can serve, and its metrics.
 * They are not part of the API: no token, no throttle, no row in the call log.
 */
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { inUrl } from '../../config/config.ts'
import type { Hub } from '../../hub.ts'
import type { Caps } from '../../process/connections.ts'
import { listen, serverOptions, usualPatience } from '../../process/listen.ts'
import { version } from '../../process/version.ts'
import { withTimeout } from '../../turns/timeout.ts'
import type { Metrics } from './metrics.ts'

const patienceMs = 5_000

/** Once `isStopping` is true, /readyz fails, so that the load balancer sends no more calls. */
export function registerOperation(
  app: FastifyInstance,
  hub: Hub,
  metrics: Metrics,
  isStopping: () => boolean,
): void {
  app.get('/healthz', async (_call, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version }),
  )
  app.get('/readyz', async (_call, reply) => {
    const missing = await whatIsMissing(hub)
    if (isStopping()) missing.unshift('the hub is stopping')
    reply.header('cache-control', 'no-store').code(missing.length === 0 ? 200 : 503)
    if (missing.length === 0) return { status: 'ready' }
    return reply.header('retry-after', '5').send({ status: 'not ready', missing })
  })
  if (hub.config.profile === 'sandbox')
    app.get('/metrics', async (_call, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    )
}

/** Queries the database and the blob store, in parallel, each with a timeout. */
async function whatIsMissing(hub: Hub): Promise<string[]> {
  const asked = { database: hub.db.ready(), 'blob store': hub.blobs.ready() }
  const missing = await Promise.all(
    Object.entries(asked).map(async ([name, ready]) => {
      try {
        await withTimeout(patienceMs, ready)
        return undefined
      } catch (error) {
        hub.log.warn({ err: error }, `the ${name} is not ready`)
        return `the ${name} does not respond`
      }
    }),
  )
  return missing.filter((one) => one !== undefined)
}

const metricsCaps: Caps = {
  all: 100,
  byAddress: 'off',
  isProxy: () => false,
  groupOf: (address) => address,
  refused: () => {},
}

export type MetricsServer = { readonly url: string; close(): Promise<void> }

/** Serves /metrics, and nothing else, at the address in DRAGOMAN_METRICS. */
export async function openMetricsServer(
  hub: Hub,
  metrics: Metrics,
  at: { host: string; port: number },
  patience = usualPatience,
): Promise<MetricsServer> {
  const server = createServer(serverOptions(patience), (call, reply) => {
    const path = call.url?.split('?', 1)[0]
    if (path !== '/metrics' || (call.method !== 'GET' && call.method !== 'HEAD')) {
      reply
        .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
        .end('Only GET /metrics is here.\n')
      return
    }
    metrics.text().then(
      (text) => reply.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        hub.log.error({ err: error }, 'the metrics could not be read')
        reply.writeHead(500).end()
      },
    )
  })
  const { port, drain } = await listen(server, at, { patience, caps: metricsCaps })
  server.on('error', (error) => hub.log.error({ err: error }, 'error on the metrics address'))
  return { url: `http://${inUrl(at.host)}:${port}`, close: () => drain(0) }
}
