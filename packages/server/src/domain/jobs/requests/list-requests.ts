/** Lists the requests of a job in order of creation. A cursor carries its filter. */
import { createHash } from 'node:crypto'
import {
  type Endpoints,
  HubError,
  type Input,
  type JobRequest,
  spellingsOf,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Page } from '../../../store/page.ts'
import type { Call } from '../../access/caller.ts'
import { mustReach } from '../job-activity.ts'
import { pageSizeOf, readCursor, toPage } from '../lists/position-pages.ts'
import { languagesOf } from '../work.ts'
import { describeRequest } from './describe-request.ts'
import { selectRequests } from './request-rows.ts'

type RequestsQuery = Input<Endpoints['listRequests']>['query']
type Filter = Pick<RequestsQuery, 'id' | 'statusCode' | 'targetNativeLanguageCode'>
/**
 * The filter inside a cursor. A list of ids that is too long is replaced by its hash, and the
 * caller must send it again.
 */
type Carried = Filter & { idHash?: string }

const names = ['id', 'statusCode', 'targetNativeLanguageCode'] as const
const maxIds = 50

export async function listRequests(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: RequestsQuery,
): Promise<Page<JobRequest>> {
  const { siteId } = call.caller
  const db = hub.db.read
  await mustReach(db, siteId, jobId)
  const of = { siteId, list: `requests:${jobId}` }
  const start = readCursor(hub, of, asked)
  const sent = normal(asked)
  const filter = asked.navNext ? filterOfCursor(start.filter, sent) : sent
  const { id: ids, statusCode: statuses, targetNativeLanguageCode: language } = filter
  const wanted = {
    ...(ids && { ids }),
    ...(statuses && { statuses }),
    ...languagesWanted(
      language === undefined ? undefined : spellingsOf(language),
      languagesOf(call.caller),
    ),
  }
  const { after } = start
  const page = { limit: pageSizeOf(asked) + 1, ...(after === undefined ? {} : { after }) }
  const rows = await selectRequests(db, siteId, jobId, { ...wanted, ...page })
  return toPage(hub, of, asked, {
    rows,
    describe: (row) => describeRequest(hub, row),
    filter: textOf(filter),
  })
}

/** Those asked for, of those that the caller sees. */
function languagesWanted(
  asked: readonly string[] | undefined,
  seen: readonly string[] | undefined,
) {
  const both = asked && seen ? asked.filter((code) => seen.includes(code)) : (asked ?? seen)
  return both && { languages: both.length > 0 ? both : [''] }
}

/** Sorted and without duplicates, so that the order of values does not matter. */
function normal(asked: RequestsQuery): Filter {
  const { id, statusCode, targetNativeLanguageCode } = asked
  return {
    ...(id?.length && { id: [...new Set(id)].sort() }),
    ...(statusCode?.length && { statusCode: [...new Set(statusCode)].sort() }),
    ...(targetNativeLanguageCode !== undefined && { targetNativeLanguageCode }),
  }
}

function textOf({ id, ...others }: Filter): string | undefined {
  const carried: Carried =
    id && id.length > maxIds ? { ...others, idHash: hashOf(id) } : { ...others, ...(id && { id }) }
  return Object.keys(carried).length === 0 ? undefined : JSON.stringify(carried)
}

/** The filter of the cursor. A filter sent along with it must be the same. */
function filterOfCursor(text: string | undefined, sent: Filter): Filter {
  const { idHash, ...carried }: Carried = text === undefined ? {} : JSON.parse(text)
  if (idHash !== undefined) {
    if (!sent.id || hashOf(sent.id) !== idHash) throw refusal('id')
    carried.id = sent.id
  }
  for (const name of names)
    if (sent[name] !== undefined && !isSame(name, sent, carried)) throw refusal(name)
  return carried
}

function isSame(name: (typeof names)[number], a: Filter, b: Filter): boolean {
  if (name !== 'targetNativeLanguageCode') return a[name]?.join() === b[name]?.join()
  return spellingsOf(a[name] ?? '').join() === spellingsOf(b[name] ?? '').join()
}

const refusal = (name: string) =>
  new HubError('INVALID_CURSOR', { because: `it was made with another ${name}.` })

const hashOf = (ids: readonly string[]): string =>
  createHash('sha256').update(ids.join()).digest('base64url')
