/**
 * The site at /docs: the reference of every call, errors, schemas and the guides. Pages are read on
 * first use and kept, one copy for each name that the hub is called by, since examples show the
 * reader's own hub.
 */
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { addressOf } from './address.ts'
import { makeReady, type Ready, sendReady } from './ready.ts'
import { openSite, readPage } from './stored-pages.ts'

const cachedBytes = 16 * 1024 * 1024

export function registerDocs(app: FastifyInstance, hub: Hub): void {
  const cached = new LRUCache<string, Ready>({
    maxSize: cachedBytes,
    sizeCalculation: ({ bytes }) => bytes.length,
  })

  async function readyFor(file: string | undefined, base: string): Promise<Ready> {
    const key = `${base} ${file ?? ''}`
    const known = cached.get(key)
    if (known) return known
    const page = await readPage(hub.config, file ?? 'missing.html', base)
    const ready = await makeReady(page, file === undefined ? 404 : 200)
    cached.set(key, ready)
    return ready
  }

  for (const route of ['/docs', '/docs/*'])
    app.get(route, async (call, reply) => {
      const rest = (call.params as { '*'?: string })['*'] ?? ''
      const path = rest === '' ? '/docs' : `/docs/${rest}`
      const { paths, policies } = openSite()
      const file = Object.hasOwn(paths, path) ? paths[path] : undefined
      reply.headers({ ...pageHeaders, 'content-security-policy': policies.docs })
      return sendReady(call, reply, await readyFor(file, addressOf(hub, call)))
    })
}

const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
} as const
