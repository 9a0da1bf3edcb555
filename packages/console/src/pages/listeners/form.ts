/** The form of a listener: what a person fills in, what is wrong with it, and what is sent. */
import type { GivenProviderListener, NewListener } from '@dragoman/contract/wire'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import type { Words } from '../../words/words.ts'
import { type Key, statusesOf } from './words.ts'

export const kinds = ['REQUEST_STATUS_UPDATED', 'JOB_STATUS_UPDATED', 'provider'] as const
export type Kind = (typeof kinds)[number]

export type Form = {
  readonly kind: Kind
  readonly client: string
  /** The URL of a connector's listener; for a provider's listener, that for jobs. */
  readonly uri: string
  readonly taskUri: string
  readonly statuses: readonly string[]
  readonly taskStatuses: readonly string[]
  readonly jobId: string
  readonly providerId: string
  readonly acknowledge: boolean
  readonly sign: boolean
}

export const emptyForm: Form = {
  kind: 'REQUEST_STATUS_UPDATED',
  client: '',
  uri: '',
  taskUri: '',
  statuses: [],
  taskStatuses: [],
  jobId: '',
  providerId: '',
  acknowledge: true,
  sign: true,
}

/** Choosing all of them means any, which is sent as an empty list. */
const some = (codes: readonly string[], all: readonly string[]): readonly string[] =>
  codes.length >= all.length ? [] : codes

export function formOf(seen: SeenListener): Form {
  const { listener, clientId = '' } = seen
  const shared = { ...emptyForm, client: clientId, sign: listener.authType !== 'NONE' }
  if (seen.side === 'connector') {
    const { type, uri, statusCodes, jobId = '', acknowledgeStatusUpdate = true } = seen.listener
    const statuses = some(statusCodes, statusesOf[type])
    return { ...shared, kind: type, uri, statuses, jobId, acknowledge: acknowledgeStatusUpdate }
  }
  const {
    jobUri = '',
    assetTaskUri = '',
    jobStatusCodes,
    assetTaskStatusCodes,
    providerId = '',
  } = seen.listener
  return {
    ...shared,
    kind: 'provider',
    uri: jobUri,
    taskUri: assetTaskUri,
    statuses: some(jobStatusCodes, statusesOf.job),
    taskStatuses: some(assetTaskStatusCodes, statusesOf.assetTask),
    providerId,
  }
}

/** Faults found before the hub is called, by field. */
export function faultsOf(form: Form, t: Words<Key>): Record<string, string> {
  const isUrl = (text: string) => /^https?:\/\//.test(text.trim()) && URL.canParse(text.trim())
  const { kind, client, uri, taskUri } = form
  const needsUri = kind !== 'provider' || (uri.trim() === '' && taskUri.trim() === '')
  return {
    ...(client.trim() === '' && { client: t('faultClient') }),
    ...((needsUri || uri.trim() !== '') && !isUrl(uri) && { uri: t('faultUrl') }),
    ...(taskUri.trim() !== '' && !isUrl(taskUri) && { assetTaskUri: t('faultUrl') }),
  }
}

export function bodyOf(form: Form): { connector: NewListener; provider: GivenProviderListener } {
  const { kind, uri, taskUri, statuses, taskStatuses, jobId, providerId, acknowledge, sign } = form
  const authType = sign ? 'SIGNATURE' : 'NONE'
  const type = kind === 'provider' ? 'REQUEST_STATUS_UPDATED' : kind
  return {
    connector: {
      uri: uri.trim(),
      type,
      statusCodes: [...statuses] as NonNullable<NewListener['statusCodes']>,
      authType,
      ...(type === 'REQUEST_STATUS_UPDATED' && { acknowledgeStatusUpdate: acknowledge }),
      ...(jobId.trim() && { jobId: jobId.trim() }),
    },
    provider: {
      ...(uri.trim() && { jobUri: uri.trim() }),
      ...(taskUri.trim() && { assetTaskUri: taskUri.trim() }),
      jobStatusCodes: [...statuses] as NonNullable<GivenProviderListener['jobStatusCodes']>,
      assetTaskStatusCodes: [...taskStatuses] as NonNullable<
        GivenProviderListener['assetTaskStatusCodes']
      >,
      authType,
      ...(providerId && { providerId }),
    },
  }
}
