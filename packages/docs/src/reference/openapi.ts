/**
 * Generates the OpenAPI 3.1 document from the endpoint table. Titled schemas become components of
 * that name; our own keywords become text (openapi-schemas.ts).
 */

import {
  type Endpoint,
  type EndpointName,
  type ErrorCode,
  ErrorObject,
  endpointNames,
  endpoints,
  errors,
  failsOf,
  isRetryable,
  methodOf,
  page,
  pathOf,
  RevocationForm,
  type Scope,
  scopes,
  scopesOf,
  successesOf,
  Token,
  TokenError,
  type TokenErrorCode,
  TokenForm,
  tagSays,
  takesKey,
  tokenErrors,
} from '@dragoman/contract'
import type { TSchema } from 'typebox'
import { type Components, fieldOf, type Json, schemaOf } from './openapi-schemas.ts'
import { webhooks } from './openapi-webhooks.ts'
import { sampleCall } from './samples/sample-call.ts'

const scopeSays: Record<Scope, string> = {
  content: 'the connector API: jobs, requests, files, status updates',
  provider: 'the provider API, for the providers that the client owns',
  settings: 'analysis codes and price lists',
  admin: 'everything in the site',
  operator: 'the hub as a whole: sites, nodes, tasks, keys; no content of a site',
}

/** `address` is that of the hub, or the path that it is served under. */
export function openapi(names: readonly EndpointName[] = endpointNames, address = ''): Json {
  const components: Components = {}
  const paths: Record<string, Json> = {
    '/connect/token': { post: tokenOperation(components) },
    '/connect/revocation': { post: revocationOperation(components) },
  }
  const tags = new Set<keyof typeof tagSays>(['Token'])
  for (const name of names) {
    const endpoint: Endpoint = endpoints[name]
    const path = `/v2${pathOf(endpoint)}`
    if (endpoint.tag !== 'Console') tags.add(endpoint.tag)
    paths[path] = {
      ...paths[path],
      [methodOf(endpoint).toLowerCase()]: operation(name, endpoint, components),
    }
  }
  const updates = webhooks(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dragoman',
      version: '2',
      summary: 'Translation job service',
      description:
        'Submit content to translation providers as jobs, track the jobs, and download the translations. ' +
        'Responses omit fields without a value; unknown fields in a body are ignored.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: address || '/' }],
    tags: [...tags].map((name) => ({ name, description: tagSays[name] })),
    security: [{ bearer: [] }],
    paths,
    webhooks: updates,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: {
        'x-request-id': {
          description: 'The id of the call: the one from the request header, or a new one.',
          schema: { type: 'string' },
        },
        'Retry-After': {
          description: 'Seconds to wait before a retry.',
          schema: { type: 'integer' },
        },
        ...otherHeaders,
      },
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `${address}/connect/token`,
              scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeSays[scope]])),
            },
          },
        },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  }
}

function operation(operationId: string, endpoint: Endpoint, components: Components): Json {
  const parameters = [
    ...parametersOf(operationId, 'path', endpoint.params, components),
    ...parametersOf(operationId, 'query', endpoint.query, components),
    ...(takesKey(endpoint) && !movesBody(endpoint) ? [idempotencyKey] : []),
    ...(endpoint.asks ? [unneededKey] : []),
  ]
  return {
    operationId,
    summary: endpoint.says,
    ...(endpoint.deprecated && { deprecated: true }),
    description: descriptionOf(endpoint),
    tags: [endpoint.tag],
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.bodyOptional,
        ...json(schemaOf(endpoint.body, components), exampleOf(operationId)),
      },
    }),
    ...(endpoint.takes && {
      requestBody: { required: true, ...filesOrJson(endpoint.takes, endpoint.body, components) },
    }),
    responses: {
      ...(endpoint.redirects && { 200: followed(components) }),
      ...Object.fromEntries(
        successesOf(endpoint).map((status) => [status, success(endpoint, components)]),
      ),
      ...failures([...failsOf(endpoint), 'METHOD_NOT_ALLOWED'], components),
      431: { description: 'The headers are too long.', ...json(schemaOf(ErrorObject, components)) },
    },
  }
}

function securityOf(endpoint: Endpoint): Json[] {
  const oauth2 = scopesOf(endpoint).map((scope) => ({ oauth2: scope === 'any' ? [] : [scope] }))
  return [...oauth2, { bearer: [] }]
}

const traced = { 'x-request-id': { $ref: '#/components/headers/x-request-id' } }
const otherHeaders: Json = {
  'x-ignored-parameters': {
    description: 'Query parameters that the call does not know, if there are any.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'How many calls are left, and in how many seconds there are more.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'How many calls a second are allowed.',
    schema: { type: 'string' },
  },
  Deprecation: { description: 'Since when the call is deprecated.', schema: { type: 'string' } },
  Link: { description: 'The call that replaces it.', schema: { type: 'string' } },
}
const named = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
const sentHeaders = ({ deprecated }: Endpoint): Json => ({
  ...traced,
  ...named('x-ignored-parameters', 'RateLimit', 'RateLimit-Policy'),
  ...(deprecated && named('Deprecation', 'Link')),
})

/** Who may call, and what a client should know beyond the summary. */
function descriptionOf(endpoint: Endpoint): string {
  const wanted = scopesOf(endpoint)
  const scope = wanted.includes('any')
    ? 'Any client may call it.'
    : `Needs the scope ${wanted.map((one) => `\`${one}\``).join(' or ')}.`
  return [
    endpoint.deprecated && `Use ${endpoint.deprecated}.`,
    scope,
    endpoint.collection &&
      endpoint.paged !== false &&
      'Answers a page; `pagination.navNext` leads to the next one.',
    takesKey(endpoint) && 'A repetition with the same `Idempotency-Key` has no further effect.',
    endpoint.redirects && 'Answers a redirect to a signed address that needs no token.',
  ]
    .filter(Boolean)
    .join(' ')
}

const exampleOf = (operationId: string): unknown => sampleCall(operationId as EndpointName).body
const filesOf = (types: readonly string[]): Json => ({
  content: Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  ),
})
const filesOrJson = (
  types: readonly string[],
  body: TSchema | undefined,
  components: Components,
): Json => ({
  content: {
    ...(filesOf(types).content as Json),
    ...(body && (json(schemaOf(body, components)).content as Json)),
  },
})
const json = (schema: Json, example?: unknown): Json => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
})

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Within 24 hours, a retry with the same key and the same body returns the first response and has no further effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/**
 * Generated clients pass an optional body after the headers: a new header would move the body of a
 * call that existed before PUT took keys. The call takes a key all the same.
 */
const movesBody = (endpoint: Endpoint): boolean =>
  endpoint.bodyOptional === true && methodOf(endpoint) !== 'POST'

const unneededKey: Json = {
  ...idempotencyKey,
  description: 'Not needed: the call changes nothing, and a retry runs again.',
}

function parametersOf(
  call: string,
  place: 'path' | 'query',
  schema: unknown,
  components: Components,
): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = fieldOf(property, components, [
      `${call}.${name}`,
      `${place}.${name}`,
      name,
    ])
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...(property.type === 'array' && { style: 'form', explode: true }),
      schema: rest,
    }
  })
}

const Base64File = {
  title: 'Base64File',
  type: 'string',
  contentEncoding: 'base64',
  description: 'The file, if the call asks for it with `Accept: application/json`.',
}

/** What a client gets that follows redirects, as most do. */
const followed = (components: Components): Json => ({
  description: 'The file, at the address that the redirect leads to.',
  headers: traced,
  content: {
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    // The type of the file itself.
    '*/*': { schema: { type: 'string', format: 'binary' } },
    'application/json': { schema: schemaOf(Base64File, components) },
  },
})

function success(endpoint: Endpoint, components: Components): Json {
  if (endpoint.redirects) {
    const location = {
      description: 'A signed URL of the file. It needs no token.',
      schema: { type: 'string' },
    }
    return {
      description: 'Redirects to the file.',
      headers: { ...sentHeaders(endpoint), Location: location },
    }
  }
  if (endpoint.gives)
    return {
      description: endpoint.says,
      headers: sentHeaders(endpoint),
      ...filesOf(endpoint.gives),
    }
  const { collection, answers } = endpoint
  const schema = collection ? { ...page(collection, answers), title: pageTitle(endpoint) } : answers
  const headers = sentHeaders(endpoint)
  return { description: endpoint.says, headers, ...json(schemaOf(schema, components)) }
}

/** `JobPage`: without a name of its own, a generated client would call it InlineResponse20017. */
function pageTitle({ answers, collection = '', tag }: Endpoint): string {
  const { title = `${collection.charAt(0).toUpperCase()}${collection.slice(1)}` } = answers as {
    title?: string
  }
  // The provider API spells its collections in its own way.
  return `${tag === 'ProviderSide' && !title.startsWith('Provider') ? 'Provider' : ''}${title}Page`
}

/** One response per status, which lists its codes. */
function failures(codes: readonly ErrorCode[], components: Components): Record<string, Json> {
  const statuses = [...new Set(codes.map((code) => errors[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const those = codes.filter((code) => errors[code].status === status)
      const waits = those.some((code) => isRetryable(code))
      return [
        status,
        {
          description: those.map((code) => `\`${code}\`: ${errors[code].says}`).join('\n\n'),
          headers: {
            ...traced,
            ...(waits && { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }),
          },
          ...json(schemaOf(ErrorObject, components)),
        },
      ]
    }),
  )
}

const tokenCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unsupported_grant_type',
] as const
const revocationCodes = [
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_token_type',
] as const

/** Calls outside the table, because their body is a form and they have the errors of RFC 6749. */
function formOperation(
  operation: {
    operationId: string
    summary: string
    form: TSchema
    codes: readonly TokenErrorCode[]
    done: Json
  },
  components: Components,
): Json {
  const { operationId, summary, form, codes, done } = operation
  const problem = (status: number) => ({
    description: codes
      .filter((code) => tokenErrors[code] === status)
      .map((code) => `\`${code}\``)
      .join(', '),
    ...json(schemaOf(TokenError, components)),
  })
  return {
    operationId,
    summary,
    tags: ['Token'],
    security: [],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: schemaOf(form, components) } },
    },
    responses: {
      200: done,
      400: problem(400),
      401: problem(401),
      ...failures(['RATE_LIMITED', 'INTERNAL', 'SERVICE_UNAVAILABLE'], components),
    },
  }
}

/** RFC 6749, section 4.4. */
const tokenOperation = (components: Components): Json =>
  formOperation(
    {
      operationId: 'createToken',
      summary: 'Exchange the credentials of a client for an access token',
      form: TokenForm,
      codes: tokenCodes,
      done: { description: 'A token', ...json(schemaOf(Token, components)) },
    },
    components,
  )

/** RFC 7009 defines this call. */
const revocationOperation = (components: Components): Json =>
  formOperation(
    {
      operationId: 'revokeToken',
      summary: 'Revoke an access token of the client before it expires',
      form: RevocationForm,
      codes: revocationCodes,
      done: {
        description: 'The token is no longer valid, or never was',
        ...json({ type: 'object' }),
      },
    },
    components,
  )
