/**
 * POST /connect/token: exchanges client credentials for a token (RFC 6749, sections 4.4 and 5.2;
 * contract, sections 2 and 11). The steps follow the order of the RFC; each continues or refuses
 * with one of its error codes.
 */
import { scopes as allScopes, type Scope } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import { granted } from '../../domain/access/known-clients.ts'
import { issueToken } from '../../domain/access/tokens.ts'
import type { Hub } from '../../hub.ts'
import { issuerFor } from '../http/public-url.ts'
import { certificateOf } from '../http/tls.ts'
import { type Form, type FormEndpoint, formEndpoint, Refusal } from './client-form.ts'

export function registerToken(app: FastifyInstance, hub: Hub): void {
  const answer: FormEndpoint['answer'] = async (client, form, call) => {
    const scopes = chooseScopes(hub, client.scopes, form.get('scope'))
    const bound = client.certificates.length > 0 ? certificateOf(hub, call) : undefined
    const { token, expiresIn } = await issueToken(hub, client, scopes, {
      issuer: issuerFor(hub, call),
      bound,
    })
    return {
      access_token: token,
      expires_in: expiresIn,
      token_type: 'Bearer',
      scope: scopes.join(' '),
    }
  }
  formEndpoint(app, hub, { path: '/connect/token', check: mustAskForClientCredentials, answer })
}

/** RFC 6749, section 4.4.2, requires this grant type. */
function mustAskForClientCredentials(form: Form): void {
  const grant = form.get('grant_type')
  if (grant === undefined)
    throw new Refusal('invalid_request', 'The parameter grant_type is missing.')
  if (grant !== 'client_credentials')
    throw new Refusal(
      'unsupported_grant_type',
      'The only supported grant_type is client_credentials.',
    )
}

/**
 * 3.3: what the client has of the requested scopes, named in the response: clients ask for every
 * scope that the metadata lists. All of the client's scopes if it requests none.
 */
function chooseScopes(
  hub: Hub,
  held: readonly Scope[],
  wanted: string | undefined,
): readonly Scope[] {
  if (wanted === undefined) return held
  const names = wanted.split(' ').filter((name) => name !== '')
  const known = names.flatMap((name) => scopeNamed(hub, name) ?? [])
  const asked = [...new Set(known)]
  if (known.length < names.length)
    throw new Refusal('invalid_scope', `Unknown scope; the scopes are ${allScopes.join(', ')}.`)
  if (asked.length === 0) return held
  const found = granted({ scopes: held }, asked)
  if (found.length === 0)
    throw new Refusal('invalid_scope', `This client has only ${held.join(', ')}.`)
  return found
}

/** One of our scopes, or the scope that the operator maps this name to. */
function scopeNamed(hub: Hub, name: string): Scope | undefined {
  const alias = hub.config.scopeAliases.find(({ begins, ends }) =>
    ends === undefined
      ? name === begins
      : name.length >= begins.length + ends.length &&
        name.startsWith(begins) &&
        name.endsWith(ends),
  )
  return allScopes.find((scope) => scope === name) ?? alias?.scope
}
