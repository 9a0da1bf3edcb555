/**
 * What watches over the hub asks here: whether the process lives, whether it can serve now, and its figures. They are
 * no part of the API: no token, no throttle, no row in the call log.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Hub } from '../../hub.ts'
import type { Metrics } from './metrics.ts'

const patienceMs = 5_000

/** `isStopping`: /readyz says no from then on, so that a balancer sends nothing more. */
export function registerOperation(app: FastifyInstance, hub: Hub, metrics: Metrics, isStopping: () => boolean): void {
  app.get('/healthz', async (_call, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_call, reply) => {
    const missing = await whatIsMissing(hub)
    if (isStopping()) missing.unshift('the hub is stopping')
    reply.header('cache-control', 'no-store').code(missing.length === 0 ? 200 : 503)
    if (missing.length === 0) return { status: 'ready' }
    return reply.header('retry-after', '5').send({ status: 'not ready', missing })
  })
  if (hub.config.profile === 'sandbox')
    app.get('/metrics', async (_call, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}

/** Both are really asked, within a patience, at the same time. */
async function whatIsMissing(hub: Hub): Promise<string[]> {
  const asked = { database: hub.engine.ready(), 'blob store': hub.blobs.ready() }
  const missing = await Promise.all(
    Object.entries(asked).map(async ([name, ready]) => {
      try {
        await answered(ready)
        return undefined
      } catch (error) {
        hub.log.warn({ err: error }, `the ${name} is not ready`)
        return `the ${name} does not answer`
      }
    }),
  )
  return missing.filter((one) => one !== undefined)
}

async function answered(ready: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
  })
  try {
    await Promise.race([ready, late])
  } finally {
    clearTimeout(timer)
  }
}

export type MetricsServer = { readonly url: string; close(): Promise<void> }

/** The address that DRAGOMAN_METRICS names: /metrics and nothing else. */
export async function openMetricsServer(
  hub: Hub,
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((call, reply) => {
    const path = call.url?.split('?', 1)[0]
    if (path !== '/metrics' || (call.method !== 'GET' && call.method !== 'HEAD')) {
      reply.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Only GET /metrics is here.\n')
      return
    }
    metrics.text().then(
      (text) => reply.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        hub.log.error({ err: error }, 'the figures could not be read')
        reply.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((opened, refused) => {
    server.once('error', refused)
    server.listen(port, host, opened)
  })
  server.on('error', (error) => hub.log.error({ err: error }, 'trouble of the metrics address'))
  const at = server.address() as AddressInfo
  const name = at.family === 'IPv6' ? `[${at.address}]` : at.address
  return {
    url: `http://${name}:${at.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
