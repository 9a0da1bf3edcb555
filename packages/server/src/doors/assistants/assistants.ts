/**
 * The door for assistants (contract, section 14): POST /mcp with a token, and the metadata of RFC
 * 9728 that says where tokens come from. The protocol is loaded with the first call.
 */
import { HubError, limits, scopes } from '@dragoman/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nameInOrigin, ownNames } from '../../config/own-names.ts'
import type { Hub } from '../../hub.ts'
import { identify } from '../http/identify.ts'
import { assistantPath, resourcePath } from '../http/problem.ts'
import { issuerFor, publicUrl } from '../http/public-url.ts'
import { runCall } from '../rest/run-call.ts'

export function registerAssistants(app: FastifyInstance, hub: Hub): void {
  const known = identify(hub, 'any')
  const isOwn = ownNames(hub.config)
  /** The protocol asks for this: a page must not use the hub by DNS rebinding. */
  const mustBeKnownOrigin = ({ headers: { origin } }: FastifyRequest): void => {
    if (
      origin === undefined ||
      hub.config.corsOrigins.includes(origin) ||
      isOwn(nameInOrigin(origin))
    )
      return
    throw new HubError('FORBIDDEN', {
      because: `pages of ${origin.slice(0, 200)} may not call the hub.`,
    })
  }
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    mustBeKnownOrigin(request)
    await known(request)
  }
  app.post(assistantPath, { bodyLimit: limits.jsonBytes, onRequest }, async (request, reply) =>
    (await import('./serve.ts')).answerAssistant(hub, runCall, request, reply),
  )
  const describe = async (call: FastifyRequest) => {
    const here = publicUrl(hub, call)
    return {
      resource: `${here}${assistantPath}`,
      authorization_servers: [issuerFor(hub, call)],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Dragoman',
      resource_documentation: `${here}/docs/guides/assistants`,
    }
  }
  app.get('/.well-known/oauth-protected-resource', describe)
  app.get(resourcePath, describe)
}
