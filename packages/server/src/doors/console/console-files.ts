/**
 * Serves the built console: its files by names that hold their hash, kept for ever, compressed at
 * build time; and the page that loads them, made anew for each call with a nonce for its styles.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { HubError } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathPrefix } from '../../config/path-prefix.ts'
import type { Hub } from '../../hub.ts'
import { acceptedEncodings } from '../http/accepted-encodings.ts'
import type { Page } from '../http/navigation.ts'

/** Beside the compiled server, also when it runs from its sources. */
const folder = new URL('../../../dist/console/', import.meta.url)
const assetsPath = '/console/assets/'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** Endings of the files that the build compressed, the smallest first. */
const endings = { br: '.br', gzip: '.gz' } as const
const encodings = ['br', 'gzip'] as const

export type ConsoleFiles = { readonly page: Page; register(app: FastifyInstance): void }

/** Undefined if the console is not built. */
export function openConsoleFiles(hub: Hub): ConsoleFiles | undefined {
  const index = new URL('index.html', folder)
  if (!existsSync(index)) return undefined
  const prefix = pathPrefix(hub.config)
  const template = readFileSync(index, 'utf8')
    .replaceAll('./assets/', `${prefix}${assetsPath}`)
    .replace('{prefix}', prefix)
  const hasTls = hub.config.tls !== undefined || hub.config.publicUrl?.startsWith('https:') === true
  return {
    page(_request, reply) {
      const nonce = randomBytes(16).toString('base64url')
      return reply
        .headers(pageHeaders(nonce, hasTls))
        .type('text/html; charset=utf-8')
        .send(template.replaceAll('{nonce}', nonce))
    },
    register(app) {
      const names = new Set(readdirSync(new URL('assets/', folder)))
      const cached = new Map<string, Buffer>()
      app.get(`${assetsPath}:name`, async (request, reply) => {
        const { name } = request.params as { name: string }
        const type = types[extname(name)]
        if (!names.has(name) || type === undefined)
          throw new HubError('NOT_FOUND', { what: `${assetsPath}${name.slice(0, 100)}` })
        return sendFile(request, reply.type(type), { name, names, cached })
      })
    },
  }
}

type Served = {
  readonly name: string
  readonly names: ReadonlySet<string>
  readonly cached: Map<string, Buffer>
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, names, cached }: Served,
): FastifyReply {
  const accepted = acceptedEncodings(request.headers['accept-encoding'], encodings)
  const packed = accepted.find((encoding) => names.has(name + endings[encoding]))
  const file = name + (packed ? endings[packed] : '')
  const bytes = cached.get(file) ?? readFileSync(new URL(`assets/${file}`, folder))
  cached.set(file, bytes)
  reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'accept-encoding',
  })
  if (packed) reply.header('content-encoding', packed)
  return reply.send(bytes)
}

/**
 * Trusted Types: the console's default policy takes no markup
 * (packages/console/src/trusted-types.ts).
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')

const pageHeaders = (nonce: string, hasTls: boolean): Record<string, string> => ({
  'content-security-policy': policy(nonce),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  ...(hasTls && { 'strict-transport-security': 'max-age=31536000' }),
})
