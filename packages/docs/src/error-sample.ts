/**
 * The body of each error that a call can return, as the hub sends it: with the ids of the samples
 * and what fits the call.
 */
import {
  bodyBytesOf,
  type Detail,
  type Endpoint,
  type ErrorCode,
  endpoints,
  errors,
  fill,
  isRetryable,
  quotaRows,
  scopesOf,
} from '@dragoman/contract'
import { statesOf } from './call-states.ts'
import { type Call, codesOf, contentOf, type Document } from './document.ts'
import {
  alsoByCode,
  commonFacts,
  type Facts,
  factsByCode,
  quotaOfCall,
  tokenSays,
} from './error-facts.ts'
import { insideOf } from './fields.ts'
import { sampleIds } from './reference/index.ts'

type Sample = {
  readonly facts: Facts
  readonly details?: readonly Detail[]
  readonly quota?: object
}

/** Without a call, a sample for the page of all errors. */
export function errorSample(document: Document, code: ErrorCode, call?: Call): object {
  const { facts, details, quota } = (call && ofCall(document, code, call)) ?? { facts: {} }
  const [first] = details ?? []
  return {
    code,
    message: fill(errors[code].says, { ...commonFacts, ...factsByCode[code], ...facts }),
    ...(details && { details }),
    ...(quota && { quota }),
    ...alsoByCode[code],
    ...(first && { field: first.path }),
    traceId: sampleIds.traceId,
  }
}

/** An error of the token endpoints, which have those of OAuth. */
export function tokenErrorSample(error: string, status: string): object {
  const message = tokenSays[error] ?? ''
  const code = status === '401' ? 'UNAUTHORIZED' : 'INVALID_REQUEST'
  return { error, error_description: message, message, code, traceId: sampleIds.traceId }
}

export const waitOf = (code: ErrorCode): number | undefined =>
  !isRetryable(code) ? undefined : code.endsWith('UNAVAILABLE') ? 5 : 1

function ofCall(document: Document, code: ErrorCode, call: Call): Sample | undefined {
  const { operation } = call
  const endpoint = (endpoints as Readonly<Record<string, Endpoint>>)[operation.operationId]
  if (code === 'INVALID_REQUEST') return wrong(missingIn(document, call))
  if (code === 'INVALID_PARAMETER') return wrong(parameterOf(call))
  if (code === 'QUOTA_EXCEEDED') return quotaOf(operation.operationId)
  if (code === 'INVALID_TRANSITION') return moveOf(call)
  if (!endpoint) return undefined
  const [scopes, wanted] = [scopesOf(endpoint), endpoint.takes ?? []]
  if (code === 'FORBIDDEN' && !scopes.includes('any'))
    return {
      facts: {
        because: `the call needs the scope ${scopes.join(' or ')}, which the token does not have.`,
      },
    }
  if (code === 'CONTENT_TOO_LARGE')
    return { facts: { what: 'The body', limit: bodyBytesOf(endpoint) } }
  if (code === 'UNSUPPORTED_MEDIA_TYPE')
    return {
      facts: {
        given: 'text/plain',
        wanted: wanted.length > 0 ? wanted.join(' or ') : 'application/json',
      },
    }
  return undefined
}

const wrong = ({ path, message }: Detail): Sample => ({
  facts: { because: `${[path, message].filter(Boolean).join(' ')}.` },
  ...(path !== '' && { details: [{ path, message }] }),
})

/** The first field that a body must have. */
function missingIn(document: Document, { operation }: Call): Detail {
  const schema = contentOf(operation.requestBody)?.schema
  const object = schema && !schema.items ? insideOf(document, schema) : undefined
  const [path] = object?.required ?? []
  return path === undefined
    ? { path: '', message: 'it is missing; send a JSON object' }
    : { path, message: 'is missing' }
}

/** A page that is too large, a value that is not in its list, or else a key. */
function parameterOf({ operation }: Call): Detail {
  const { parameters = [] } = operation
  const size = parameters.find(({ name }) => name === 'pageSize')
  if (size) return { path: 'pageSize', message: `must be <= ${size.schema.maximum}` }
  const choice = parameters.find(({ schema }) => schema.enum)
  if (choice)
    return { path: choice.name, message: `must be one of ${choice.schema.enum?.join(', ')}` }
  const id = parameters.find(
    ({ in: where, schema }) => where === 'path' && schema.pattern !== undefined,
  )
  if (id) return { path: id.name, message: idMessage(id.description ?? '') }
  return { path: '', message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' }
}

/** The last sentence of a description is that of its form. */
const idMessage = (description: string): string =>
  `is not valid; expected: ${description.trim().replace(/\.$/, '').split('. ').at(-1) ?? ''}`

function quotaOf(name: string): Sample {
  const quota = quotaOfCall[name] ?? 'MaxBytesPerSite'
  const limit = quotaRows[quota].value
  return { facts: { quota, limit, count: limit + 1 }, quota: { name: quota, limit, used: limit } }
}

/** The call in the first state that it does not allow. */
function moveOf(call: Call): Sample {
  const { operationId, responses } = call.operation
  const codes = Object.values(responses).flatMap(codesOf)
  const row = statesOf(operationId, codes).find(
    ({ otherwise }) => otherwise === 'INVALID_TRANSITION',
  )
  const thing = row?.of === 'Request' ? 'Request' : 'Job'
  return {
    facts: {
      thing,
      id: thing === 'Job' ? sampleIds.jobId : sampleIds.requestId,
      status: row?.refused[0] ?? 'CANCELLED',
      move: row?.on ?? 'deliver',
      from: (row?.states ?? []).join(', '),
    },
  }
}
