/**
 * A call under a name that is not the hub's is refused (421) before any door sees it: otherwise links and metadata would
 * repeat what a caller made up, and a web page whose name was made to point at loopback would be at home in the sandbox.
 * With a public URL answers do not depend on the name, so any is good, unless the operator has listed them.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import type { Hub } from '../../hub.ts'
import { nameIn, ownNames } from '../../own-names.ts'

export function answerToOwnNames(app: FastifyInstance, { config }: Hub): void {
  const isSandbox = config.profile === 'sandbox'
  if (!isSandbox && config.publicUrl !== undefined && config.hosts.length === 0) return
  const isOwn = ownNames(config)
  let lastGood: string | undefined
  const isGood = (host: string): boolean => {
    if (host === lastGood) return true
    if (!isOwn(nameIn(host))) return false
    lastGood = host
    return true
  }
  app.addHook('onRequest', async (request) => {
    // In the sandbox no forwarded name may stand in for the real one: a page of a foreign name could send it.
    const hosts = isSandbox ? [request.headers.host ?? '', request.host] : [request.host]
    const foreign = hosts.find((host) => !isGood(host))
    // Balancers and supervisors call by whatever address they have.
    if (foreign === undefined || isHealth(request.url)) return
    throw new HubError('MISDIRECTED_REQUEST', {
      host: nameIn(foreign) ?? '(no name)',
      because: isSandbox
        ? 'the sandbox answers to loopback names (localhost, 127.0.0.1, [::1]) and to what DRAGOMAN_PUBLIC_URL and DRAGOMAN_HOSTS name.'
        : 'its operator must set DRAGOMAN_PUBLIC_URL, or name it in DRAGOMAN_HOSTS.',
    })
  })
}

const isHealth = (url: string): boolean => /^\/(healthz|readyz)(\?|$)/.test(url)
