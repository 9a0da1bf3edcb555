/** The form of a listener: what a person fills in, what is wrong with it, and what is sent. */
import type { SeenListener } from '../../parts/seen-listeners.ts'
import type { Words } from '../../words/words.ts'
import { type Key, statusesOf } from './words.ts'

export const kinds = ['REQUEST_STATUS_UPDATED', 'JOB_STATUS_UPDATED', 'provider'] as const
export type Kind = (typeof kinds)[number]

export const emptyForm = {
  kind: 'REQUEST_STATUS_UPDATED' as Kind,
  client: '',
  /** The URL of a connector's listener; for a provider's listener, that for jobs. */
  uri: '',
  assetTaskUri: '',
  statuses: [] as readonly string[],
  taskStatuses: [] as readonly string[],
  jobId: '',
  providerId: '',
  acknowledge: true,
  sign: true,
}
export type Form = typeof emptyForm

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
    assetTaskUri,
    statuses: some(jobStatusCodes, statusesOf.job),
    taskStatuses: some(assetTaskStatusCodes, statusesOf.assetTask),
    providerId,
  }
}

/** Faults found before the hub is called, by field. */
export function faultsOf(form: Form, t: Words<Key>): Record<string, string> {
  const isUrl = (text: string) => /^https?:\/\//.test(text.trim()) && URL.canParse(text.trim())
  const { kind, client, uri, assetTaskUri: taskUri } = form
  const needsUri = kind !== 'provider' || (uri.trim() === '' && taskUri.trim() === '')
  return {
    ...(client.trim() === '' && { client: t('faultClient') }),
    ...((needsUri || uri.trim() !== '') && !isUrl(uri) && { uri: t('faultUrl') }),
    ...(taskUri.trim() !== '' && !isUrl(taskUri) && { assetTaskUri: t('faultUrl') }),
  }
}

/** What the fields of the form are called in the two bodies. */
export function namesOf({ kind, uri, statuses, taskStatuses, acknowledge, sign }: Form) {
  const authType = sign ? 'SIGNATURE' : 'NONE'
  return {
    connector: {
      type: kind,
      statusCodes: statuses,
      authType,
      ...(kind === 'REQUEST_STATUS_UPDATED' && { acknowledgeStatusUpdate: acknowledge }),
    },
    provider: {
      ...(uri.trim() && { jobUri: uri.trim() }),
      jobStatusCodes: statuses,
      assetTaskStatusCodes: taskStatuses,
      authType,
    },
  }
}
