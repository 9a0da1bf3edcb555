/**
 * The site at /docs: the reference of every call, errors, schemas and the guides, rendered by the hub itself. Pages are made on
 * first use and kept, one copy for each name that the hub is called by, since examples show the reader's own hub.
 */
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { addressOf } from '../pages/address.ts'
import { escapeHtml } from '../pages/html.ts'
import { here } from './context.ts'
import { pageHeaders } from './layout.ts'
import { makeReady, type Ready, sendReady } from './ready.ts'
import type { Served, Site } from './site.ts'

const keptBytes = 16 * 1024 * 1024

export function registerDocs(app: FastifyInstance, hub: Hub): void {
  let opened: Promise<Site> | undefined
  const kept = new LRUCache<string, Ready>({ maxSize: keptBytes, sizeCalculation: ({ bytes }) => bytes.length })

  async function readyFor(path: string, base: string): Promise<Ready> {
    // Loaded on first use: it has a Markdown parser and every sample, which a hub without readers does not need.
    opened ??= import('./site.ts').then(({ openSite }) => openSite(hub.config))
    const site = await opened
    const isThere = site.has(path)
    const key = `${base} ${isThere ? path : ''}`
    const known = kept.get(key)
    if (known) return known
    const ready = await pageOf((isThere && site.find(path)) || site.missing(), base)
    kept.set(key, ready)
    return ready
  }

  for (const route of ['/docs', '/docs/*'])
    app.get(route, async (call, reply) => {
      const rest = (call.params as { '*'?: string })['*'] ?? ''
      const path = rest === '' ? '/docs' : `/docs/${rest}`
      return sendReady(call, reply.headers(pageHeaders), await readyFor(path, addressOf(hub, call)))
    })
}

const pageOf = ({ content, type, status }: Served, base: string): Promise<Ready> =>
  makeReady(typeof content === 'string' ? content.replaceAll(here, escapeHtml(base)) : content, type, status)
