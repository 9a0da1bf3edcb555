/**
 * What the specification requires of a connector, applied to every outgoing body: the connector's
 * name and version on create and modify, names cut to their limit, languages mapped to accepted
 * codes. The rest of a body is unchanged.
 */
import { type EndpointName, limits } from '@dragoman/contract/wire'
import type { ConnectorFields } from './connector.ts'
import { type LanguageTable, mapLanguage } from './languages.ts'
import { cutName } from './names.ts'

export type Prepare = (name: EndpointName, body: unknown) => Promise<unknown>
type Fields = Readonly<Record<string, unknown>>

const jobCalls: readonly EndpointName[] = ['createJob', 'changeJob', 'replaceJob']
const requestCalls: readonly EndpointName[] = [
  'addRequests',
  'addFileRequests',
  'changeRequests',
  'changeRequest',
]
const otherCalls: readonly EndpointName[] = [
  'createSupportAsset',
  'createTmUpdate',
  'findKnownContent',
]

export function openPrepare(
  connector: () => Promise<ConnectorFields | undefined>,
  table: LanguageTable,
): Prepare {
  const fit = (one: unknown) => (isFields(one) ? withNames(withLanguages(one, table)) : one)
  return async (name, body) => {
    if (jobCalls.includes(name)) return { ...(await connector()), ...(fit(body ?? {}) as Fields) }
    if (requestCalls.includes(name)) return fitRequests(body, fit)
    return otherCalls.includes(name) ? fit(body) : body
  }
}

/** One request, a list of them, `{ requests }` or `{ requestIds, requestsUpdate }`. */
function fitRequests(body: unknown, fit: (one: unknown) => unknown): unknown {
  if (Array.isArray(body)) return body.map(fit)
  if (!isFields(body)) return body
  if (Array.isArray(body.requests)) return { ...body, requests: body.requests.map(fit) }
  if (isFields(body.requestsUpdate)) return { ...body, requestsUpdate: fit(body.requestsUpdate) }
  return fit(body)
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withNames(body: Fields): Fields {
  const { jobName, requestName } = body
  return {
    ...body,
    ...(typeof jobName === 'string' && { jobName: cutName(jobName, limits.jobNameBytes) }),
    ...(typeof requestName === 'string' && {
      requestName: cutName(requestName, limits.requestNameBytes),
    }),
  }
}

/** Leaves values that are not text for the hub to refuse. */
function withLanguages(body: Fields, table: LanguageTable): Fields {
  const map = (code: unknown) => (typeof code === 'string' ? mapLanguage(code, table) : code)
  const mapped: Record<string, unknown> = { ...body }
  for (const name of ['sourceNativeLanguageCode', 'targetNativeLanguageCode'])
    if (name in mapped) mapped[name] = map(mapped[name])
  const targets = mapped.targetNativeLanguageCodes
  if (Array.isArray(targets)) mapped.targetNativeLanguageCodes = targets.map(map)
  return mapped
}
