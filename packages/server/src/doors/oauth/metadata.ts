/**
 * Discovery for clients and verifiers: the token endpoint (RFC 8414, also under the OpenID path
 * that many libraries use) and the keys that verify tokens (RFC 7517).
 */
import { scopes } from '@dragoman/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listPublicKeys, signingAlgorithm } from '../../domain/access/signing-keys.ts'
import type { Hub } from '../../hub.ts'
import { issuerFor, publicUrl } from '../http/public-url.ts'

/**
 * RFC 8705. A certificate is recognised by its thumbprint, so it may be self-signed or come from
 * any authority.
 */
const byCertificate = {
  methods: ['tls_client_auth', 'self_signed_tls_client_auth'],
  said: { tls_client_certificate_bound_access_tokens: true },
}

const authorizePath = '/connect/authorize'
const noPeople =
  'This hub gives tokens to clients with credentials only: use the grant type client_credentials.'

export function registerMetadata(app: FastifyInstance, hub: Hub): void {
  const certificates = hub.config.tls?.clientCerts ? byCertificate : undefined
  const methods = ['client_secret_basic', 'client_secret_post', ...(certificates?.methods ?? [])]
  const describe = async (call: FastifyRequest) => {
    const here = publicUrl(hub, call)
    return {
      issuer: issuerFor(hub, call),
      // Both official SDKs of MCP demand it, also of a hub where nothing is authorized by a person.
      authorization_endpoint: `${here}${authorizePath}`,
      token_endpoint: `${here}/connect/token`,
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint: `${here}/connect/revocation`,
      revocation_endpoint_auth_methods_supported: methods,
      ...certificates?.said,
      grant_types_supported: ['client_credentials'],
      // The authorization endpoint refuses all of them; the member is required.
      response_types_supported: [],
      scopes_supported: scopes,
      jwks_uri: `${here}/.well-known/jwks.json`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [signingAlgorithm],
      service_documentation: `${here}/docs`,
    }
  }
  app.get(authorizePath, async (_call, reply) =>
    reply.code(400).send({
      error: 'unsupported_response_type',
      error_description: noPeople,
    }),
  )
  app.get('/.well-known/oauth-authorization-server', describe)
  app.get('/.well-known/openid-configuration', describe)
  // Short, so that verifiers pick up a new key soon.
  app.get('/.well-known/jwks.json', async (_call, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({ keys: await listPublicKeys(hub) }),
  )
}
