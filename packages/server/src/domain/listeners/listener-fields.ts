/** Maps the fields of a call to columns of a listener, for both sides, and refuses invalid ones. */
import {
  authTypeOf,
  type GivenProviderListener,
  HubError,
  type ListenerChange,
  type ListenerType,
  listenerTypes,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { mustBeAllowedUri } from '../../outgoing/post.ts'
import type { ListenerRow } from '../../store/tables.ts'
import { type Call, mayCall } from '../access/caller.ts'

export type Columns = Partial<Omit<ListenerRow, 'listener_id' | 'site_id' | 'client_id' | 'side'>>
export type ListenerInput = {
  readonly connector: ListenerChange
  readonly provider: GivenProviderListener
}

const given = [
  'type',
  'uri',
  'statusCodes',
  'acknowledgeStatusUpdate',
  'jobId',
  'providerId',
  'jobUri',
  'jobStatusCodes',
  'assetTaskUri',
  'assetTaskStatusCodes',
  'onSupportAssetCreate',
  'onTmUpdateCreate',
  'onComment',
  'authType',
  'secret',
  'disabled',
] as const satisfies readonly (keyof ListenerChange | keyof GivenProviderListener)[]

/** The names of the fields that a call sets. */
export const fieldsIn = (input: ListenerInput[keyof ListenerInput]): string[] =>
  given.filter((name) => (input as Readonly<Record<string, unknown>>)[name] !== undefined)

const flag = (value: boolean): number => (value ? 1 : 0)

/** Another name of a type is kept only to be returned. */
const authColumns = (given: string): Columns => {
  const type = authTypeOf(given)
  return { auth_type: type, auth_name: given === type ? null : given }
}

const shared = (input: ListenerChange | GivenProviderListener): Columns => ({
  ...(input.onSupportAssetCreate === undefined
    ? {}
    : { on_support_asset: flag(input.onSupportAssetCreate) }),
  ...(input.onTmUpdateCreate === undefined ? {} : { on_tm_update: flag(input.onTmUpdateCreate) }),
  ...(input.onComment === undefined ? {} : { on_comment: flag(input.onComment) }),
  ...(input.authType === undefined ? {} : authColumns(input.authType)),
  ...(input.disabled === undefined ? {} : { disabled: flag(input.disabled) }),
})

/** An absent or empty list means all statuses. */
const listed = (codes: readonly string[]): string | null =>
  codes.length === 0 ? null : JSON.stringify([...new Set(codes)])

export function connectorColumns(
  hub: Hub,
  _call: Call,
  input: ListenerChange,
  before?: ListenerRow,
): Columns {
  const type = (input.type ?? before?.type) as ListenerType
  if (input.uri !== undefined) mustBeAllowedUri(hub, input.uri)
  if (input.statusCodes) mustFitType(type, input.statusCodes)
  // A change of type resets the statuses but keeps the address.
  const typeChanges = before !== undefined && before.type !== type
  const uri = input.uri ?? (typeChanges ? (before.job_uri ?? before.request_uri) : undefined)
  const codes = input.statusCodes ? listed(input.statusCodes) : typeChanges ? null : undefined
  const isJob = type === 'JOB_STATUS_UPDATED'
  return {
    ...(input.type === undefined ? {} : { type }),
    ...(typeChanges
      ? { job_uri: null, job_codes: null, request_uri: null, request_codes: null }
      : {}),
    ...(uri === undefined ? {} : isJob ? { job_uri: uri } : { request_uri: uri }),
    ...(codes === undefined ? {} : isJob ? { job_codes: codes } : { request_codes: codes }),
    ...(input.acknowledgeStatusUpdate === undefined
      ? {}
      : { acknowledges: flag(input.acknowledgeStatusUpdate) }),
    ...(input.jobId === undefined ? {} : { job_id: input.jobId }),
    ...shared(input),
  }
}

function mustFitType(type: ListenerType, codes: readonly string[]): void {
  const known: readonly string[] = listenerTypes[type]
  const wrong = codes.find((code) => !known.includes(code))
  if (wrong === undefined) return
  const message = `${wrong} is not valid for a listener of type ${type}; valid values are ${known.join(', ')}`
  const details = [{ path: 'statusCodes', message }]
  throw new HubError('INVALID_REQUEST', { because: `statusCodes: ${message}.` }, { details })
}

/** One without an address would never be told anything. */
export function mustHaveAddress({ job_uri, request_uri }: Columns): void {
  if (job_uri || request_uri) return
  const message = 'say where updates go: jobUri, assetTaskUri or both'
  const details = [{ path: 'jobUri', message }]
  throw new HubError('INVALID_REQUEST', { because: `${message}.` }, { details })
}

export function providerColumns(hub: Hub, call: Call, input: GivenProviderListener): Columns {
  const { providerId, jobUri, assetTaskUri, jobStatusCodes, assetTaskStatusCodes } = input
  for (const uri of [jobUri, assetTaskUri]) if (uri !== undefined) mustBeAllowedUri(hub, uri)
  if (
    providerId !== undefined &&
    !mayCall(call.caller, 'admin') &&
    !call.caller.providerIds.includes(providerId)
  )
    throw new HubError('PROVIDER_NOT_FOUND', { providerId })
  return {
    ...(providerId === undefined ? {} : { provider_id: providerId }),
    ...(jobUri === undefined ? {} : { job_uri: jobUri }),
    ...(jobStatusCodes === undefined ? {} : { job_codes: listed(jobStatusCodes) }),
    ...(assetTaskUri === undefined ? {} : { request_uri: assetTaskUri }),
    ...(assetTaskStatusCodes === undefined ? {} : { request_codes: listed(assetTaskStatusCodes) }),
    ...shared(input),
  }
}
