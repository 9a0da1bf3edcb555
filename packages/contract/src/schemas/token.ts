/** The token endpoint, RFC 6749 sections 4.4 and 5.2 (contract, section 2). */
import type { Static } from 'typebox'
import { choice } from './parts.ts'
import Type from './type.ts'

export const scopes = ['content', 'provider', 'settings', 'admin', 'operator'] as const
export type Scope = (typeof scopes)[number]

/**
 * `admin` includes every other scope of its site (contract, section 11). `operator` is for the hub
 * and belongs to no site.
 */
export function includesScope(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || (wanted !== 'operator' && held.includes('admin'))
}

export const TokenForm = Type.Object(
  {
    grant_type: choice(['client_credentials']),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    scope: Type.Optional(
      Type.String({ description: 'Scopes to request, separated by spaces; default all.' }),
    ),
  },
  { title: 'TokenForm', description: 'Send the credentials here or with HTTP Basic.' },
)

export const RevocationForm = Type.Object(
  {
    token: Type.String(),
    token_type_hint: Type.Optional(
      Type.String({ description: 'Ignored: there is one type of token.' }),
    ),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  },
  { title: 'RevocationForm', description: 'Send the credentials here or with HTTP Basic.' },
)

export const Token = Type.Object(
  {
    access_token: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    token_type: choice(['Bearer']),
    scope: Type.String(),
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>

export const tokenErrors = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  unauthorized_client: 400,
  unsupported_token_type: 400,
} as const
export type TokenErrorCode = keyof typeof tokenErrors

export const TokenError = Type.Object(
  {
    error: choice(Object.keys(tokenErrors) as TokenErrorCode[]),
    error_description: Type.Optional(Type.String()),
  },
  { title: 'TokenError' },
)
