/**
 * The start page and the OpenAPI document: `/` and `/openapi.json` (contract, section 1). The site
 * at /docs has its own room.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { isNavigation, type Page } from '../http/navigation.ts'
import { addressOf } from './address.ts'
import { openSite, readPage } from './stored-pages.ts'

/** `page` is the console, for a browser. */
export function registerPages(app: FastifyInstance, hub: Hub, page?: Page): void {
  /** By the address that the caller uses: there may be several in front of one hub. */
  const documents = new LRUCache<string, ReturnType<typeof readyDocument>>({ max: 8 })

  app.get('/', async (call, reply) => {
    if (page && isNavigation(call)) return page(call, reply)
    const { content, type } = await readPage(hub.config, 'home.html', addressOf(hub, call))
    return reply.headers({ ...homeHeaders(), 'content-type': type }).send(content)
  })

  app.get('/openapi.json', async (call, reply) => {
    const address = addressOf(hub, call)
    const document = documents.get(address) ?? readyDocument(address)
    documents.set(address, document)
    const { text, etag } = await document
    reply.headers({ etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    if (matches(call.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/**
 * The page loads nothing: its style and script are inline, and the policy allows only those two.
 */
const homeHeaders = () => ({
  'content-security-policy': openSite().policies.home,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
})

/** The same text as openapi.json in the repository, except for the address. */
async function readyDocument(address: string): Promise<{ text: string; etag: string }> {
  const { openapi } = await import('@dragoman/docs/reference')
  const text = `${JSON.stringify(openapi(undefined, address), null, 2)}\n`
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false
