/** The pages a browser may ask for, and the OpenAPI document: `/`, `/docs`, `/openapi.json` (contract, section 1). */
import { createHash } from 'node:crypto'
import { openapi } from '@dragoman/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Hub } from '../../hub.ts'
import { pathPrefix } from '../../path-prefix.ts'
import { isNavigation, type Page } from '../http/navigation.ts'
import { publicUrl } from '../http/public-url.ts'
import { pageHeaders } from './frame.ts'
import { demoTokenLines, homePage, tokenLines } from './home.ts'
import { escapeHtml } from './html.ts'
import { referencePage } from './reference.ts'

/** Placeholder for the hub's address in the stored reference: each caller may use a different name. */
const here = '{hub}'

/** `page` is the console, for a browser. */
export function registerPages(app: FastifyInstance, hub: Hub, page?: Page): void {
  const prefix = pathPrefix(hub.config)
  let reference: string | undefined
  let document: { text: string; etag: string } | undefined

  app.get('/', async (call, reply) =>
    page && isNavigation(call)
      ? page(call, reply)
      : reply.headers(pageHeaders).send(homePage(hub.config, addressOf(hub, call))),
  )

  app.get('/docs', async (call, reply) => {
    const isSandbox = hub.config.profile === 'sandbox'
    reference ??= referencePage(
      here,
      prefix,
      isSandbox ? demoTokenLines(here) : tokenLines(here, '$CLIENT_ID', '$CLIENT_SECRET'),
    )
    return reply.headers(pageHeaders).send(reference.replaceAll(here, escapeHtml(addressOf(hub, call))))
  })

  app.get('/openapi.json', async (call, reply) => {
    document ??= readyDocument(prefix)
    const { text, etag } = document
    reply.headers({ etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    if (matches(call.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/** The same text as openapi.json in the repository, except for the prefix. */
function readyDocument(prefix: string): { text: string; etag: string } {
  const text = `${JSON.stringify(openapi(undefined, prefix), null, 2)}\n`
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false

/** Readers copy examples into shells, so a Host that is more than a name and a port is not used. */
function addressOf(hub: Hub, call: FastifyRequest): string {
  const url = publicUrl(hub, call)
  return /^https?:\/\/[\w.:[\]/~-]+$/.test(url) ? url : 'http://HUB'
}
