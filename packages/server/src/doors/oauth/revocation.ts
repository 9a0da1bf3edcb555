/**
 * POST /connect/revocation: a client takes back a token of its own (RFC 7009). A token that is
 * unknown, malformed or expired answers 200 as well, because it is refused anyway.
 * `token_type_hint` changes nothing: there is one type of token.
 */
import type { FastifyInstance } from 'fastify'
import { revokeToken } from '../../domain/access/tokens.ts'
import type { Hub } from '../../hub.ts'
import { type Form, type FormEndpoint, formEndpoint, Refusal } from './client-form.ts'

export function registerRevocation(app: FastifyInstance, hub: Hub): void {
  const answer: FormEndpoint['answer'] = async (client, form, call) => {
    const done = await revokeToken(hub, client, form.get('token') ?? '', call.id)
    if (done === 'of another client')
      throw new Refusal(
        'unauthorized_client',
        'The token was issued to another client; only that client revokes it.',
      )
    if (done === 'of another issuer')
      throw new Refusal(
        'unsupported_token_type',
        'The token was signed by another issuer; revoke it there.',
      )
    return {}
  }
  formEndpoint(app, hub, { path: '/connect/revocation', check: mustNameToken, answer })
}

/** RFC 7009, section 2.1, requires the token. */
function mustNameToken(form: Form): void {
  if (!form.has('token')) throw new Refusal('invalid_request', 'The parameter token is missing.')
}
