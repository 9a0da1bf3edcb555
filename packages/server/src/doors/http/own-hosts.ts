/**
 * Refuses a call under a host name that is not the hub's (421) before any door sees it. Otherwise
 * links and metadata would repeat a made-up name, and a page could reach the sandbox by DNS
 * rebinding to loopback. With a public URL responses do not depend on the host name, so any name is
 * accepted unless the operator lists names.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nameIn, ownNames } from '../../config/own-names.ts'
import type { Hub } from '../../hub.ts'

export function answerToOwnNames(app: FastifyInstance, { config }: Hub): void {
  const isSandbox = config.profile === 'sandbox'
  if (!isSandbox && config.publicUrl !== undefined && config.hosts.length === 0) return
  const isOwn = ownNames(config)
  // Nearly all calls have the same host, and parsing it takes 3 % of a read by id.
  let lastGood: string | undefined
  const isGood = (host: string): boolean => {
    if (host !== lastGood && !isOwn(nameIn(host))) return false
    lastGood = host
    return true
  }
  const refusalOf = (request: FastifyRequest): HubError | undefined => {
    // In the sandbox a forwarded host must not replace the real one: a foreign page could send it.
    const hosts = isSandbox ? [request.headers.host ?? '', request.host] : [request.host]
    const foreign = hosts.find((host) => !isGood(host))
    // Load balancers and supervisors use any address.
    if (foreign === undefined || isHealth(request.url)) return undefined
    return new HubError('MISDIRECTED_REQUEST', {
      host: nameIn(foreign) ?? '(no name)',
      because: isSandbox
        ? 'the sandbox accepts loopback names (localhost, 127.0.0.1, [::1]) and the names in DRAGOMAN_PUBLIC_URL and DRAGOMAN_HOSTS.'
        : 'its operator must set DRAGOMAN_PUBLIC_URL, or add the name to DRAGOMAN_HOSTS.',
    })
  }
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}

const isHealth = (url: string): boolean => /^\/(healthz|readyz)(\?|$)/.test(url)
