/**
 * What a call did, by its route: the key of its sentence. Calls of the console and of clients have
 * the same sentences.
 */
import type en from '../../words/en/job.json'
import { countOf, type TimelineEvent } from './timeline-rows.ts'

type Key = keyof typeof en

const job = '/jobs/:jobId'
const atProvider = `/providers/:providerId${job}`
const task = `${atProvider}/assetTasks`
const words: Readonly<Record<string, Key>> = {
  'POST /jobs': 'call.created',
  [`PATCH ${job}`]: 'call.changed',
  [`PUT ${job}`]: 'call.changed',
  [`PUT ${job}/submit`]: 'call.submitted',
  [`PUT ${job}/complete`]: 'call.completed',
  [`PUT ${job}/intranslation`]: 'call.reopened',
  [`PUT ${job}/archive`]: 'call.archived',
  [`PUT ${job}/unarchive`]: 'call.unarchived',
  [`POST ${job}/sourcefiles`]: 'call.beganUpload',
  [`POST ${job}/sourcecontent`]: 'call.addedContent',
  [`POST ${job}/supportassets`]: 'call.addedAsset',
  [`POST ${job}/tmupdates`]: 'call.addedMemory',
  [`POST ${job}/requests/add`]: 'call.added',
  [`POST ${job}/requests/addfile`]: 'call.added',
  [`PATCH ${job}/requests`]: 'call.changedRequests',
  [`PATCH ${job}/requests/:requestId`]: 'call.changedRequests',
  [`PUT ${job}/requests/updatefilecontent`]: 'call.changedRequests',
  [`DELETE ${job}/requests/:requestId`]: 'call.deletedRequest',
  [`PUT ${job}/requests/approve`]: 'call.approved',
  [`PUT ${job}/requests/reject`]: 'call.rejected',
  [`PATCH ${atProvider}`]: 'call.changedAtProvider',
  [`PUT ${atProvider}/acknowledge`]: 'call.acknowledged',
  [`PATCH ${task}`]: 'call.changedRequests',
  [`PATCH ${task}/:assetTaskId`]: 'call.changedRequests',
  [`PUT ${task}/:assetTaskId/translatedContent`]: 'call.sentTranslation',
  [`POST ${task}/:assetTaskId/translatedFile`]: 'call.beganUpload',
  'POST /providers/:providerId/invocations': 'call.invoked',
}
/** What a call moved says more than its route. */
const byMove: Readonly<Record<string, Key>> = {
  deliver: 'call.delivered',
  start: 'call.began',
  cancel: 'call.cancelled',
  fail: 'call.reported',
}

const tailOf = (route: string): string => route.replace(/^\/(v2|console\/api)/, '')

/** Whether a provider made the call; its name then says more than that of its client. */
export const isByProvider = (route = ''): boolean => tailOf(route).startsWith('/providers/')

/** The end of the path, shown in small print beside the sentence. */
export function shortPath({ kind, method = '', route = '' }: TimelineEvent['entry']): string {
  if (route.startsWith('/fms/…')) return `${method} fms`
  const parts = (kind === 'upstream' ? formOf(route) : tailOf(route))
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
  const end = parts.slice(parts[0] === 'jobs' && parts.length > 1 ? 1 : -1)
  return `${method} ${end.join('/')}`
}

const wordsOfRequests = '(?!add$|addfile$|approve$|reject$|updatefilecontent$)'
const aRequest = new RegExp(`/requests/${wordsOfRequests}[^/]+`)
/** Paths at the upstream have its ids. */
const formOf = (route: string): string =>
  tailOf(route)
    .replace(/^\/jobs\/[^/]+/, job)
    .replace(aRequest, '/requests/:requestId')

/** What a call of this hub to the upstream did. */
export function upstreamWords({
  method = '',
  route = '',
  statusCode,
}: TimelineEvent['entry']): Key {
  if (statusCode === undefined) return 'upstream.noAnswer'
  if (Number(statusCode) >= 400) return 'upstream.refused'
  const isFile = route.startsWith('/fms/')
  if (method === 'GET' || method === 'HEAD') return isFile ? 'upstream.downloaded' : 'call.read'
  if (isFile) return 'call.uploaded'
  const key = words[`${method} ${formOf(route)}`] ?? 'call.other'
  if (key === 'call.approved') return 'upstream.approved'
  return key === 'call.rejected' ? 'upstream.rejected' : key
}

export function callWords(
  { entry }: TimelineEvent,
  caused: readonly TimelineEvent[],
): { key: Key; count: number } {
  const { method = '', route = '', statusCode } = entry
  const moves = caused.flatMap(({ joined }) =>
    joined.filter(({ kind, requestIds }) => kind === 'move' && requestIds),
  )
  const count = countOf(moves) || (entry.requestIds?.length ?? 0)
  if (typeof statusCode === 'number' && statusCode >= 400) return { key: 'call.refused', count }
  if (method === 'GET') return { key: 'call.read', count }
  const moved = isByProvider(route) ? byMove[moves[0]?.move ?? ''] : undefined
  if (moved) return { key: moved, count }
  if (route.startsWith('/fms/')) return { key: 'call.uploaded', count }
  return { key: words[`${method} ${tailOf(route)}`] ?? 'call.other', count }
}
