/**
 * Carries targets over to requests that supersede others, before their job is handed over: equal
 * segments keep their targets and states, and only what changed is open. An older request that
 * cannot be read any more stops no job: then everything is open.
 */
import { HubError } from '@dragoman/contract'
import { FormatError } from '@dragoman/text/formats'
import type { Hub } from '../../../../hub.ts'
import type { DraftRow } from '../../../../store/tables.ts'
import { openPauses } from '../../../../turns/pauses.ts'
import { countBytes } from '../../../access/site-bytes.ts'
import { openNote, sealNote } from '../../../files/seals/notes.ts'
import { eachPage } from '../../../language/worker/pages.ts'
import { runSafely } from '../../../language/worker/run.ts'
import { findIfAny, lockIfAny } from '../../find-job.ts'
import { findRequestIfAny } from '../find-request.ts'
import { sourceOf, translationOf, withContents } from '../read-segments.ts'
import type { OneRequest, RequestWithFile } from '../request.ts'
import {
  type Carried,
  type Found,
  knownTargets,
  pickBefore,
  placesDone,
  type TextBefore,
} from './find-carried.ts'
import {
  insertCarried,
  insertDrafts,
  selectCarried,
  selectOlder,
  selectSuperseding,
} from './newer-rows.ts'
import { type Older, readOlder } from './older-work.ts'

const module = new URL('./find-carried.ts', import.meta.url)
type Place = { readonly siteId: string; readonly jobId: string }

export async function carryOver(hub: Hub, at: Place): Promise<void> {
  const { siteId, jobId } = at
  for (const { request_id } of await selectSuperseding(hub.db.read, at)) {
    if ((await selectCarried(hub.db.read, at, request_id)) !== undefined) continue
    const request = await findRequestIfAny(hub.db.read, siteId, jobId, request_id)
    const found = request && (await find(hub, request))
    if (request && found) await store(hub, request, found)
  }
}

type FoundWork = Found & { readonly older: Older; readonly providerId: string | null }

async function find(hub: Hub, request: RequestWithFile): Promise<FoundWork | undefined> {
  const before = await findOlder(hub, request)
  if (!before) return undefined
  try {
    const older = await readOlder(hub, before)
    const translation = translationOf(before)
    const refs = [sourceOf(before), sourceOf(request), ...(translation ? [translation] : [])]
    const found = await withContents(hub, refs, ([source, newer, delivered]) =>
      runSafely<Found | undefined>(
        module,
        'findCarried',
        [source, newer, older.work, ...(delivered ? [delivered] : [])],
        { siteId: request.site_id },
      ),
    )
    const job = await findIfAny(hub.db.read, before.site_id, before.job_id)
    return found && { ...found, older, providerId: job?.provider_id ?? null }
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof HubError)) throw error
    hub.log.info(
      { err: error, requestId: request.request_id },
      'a superseded request could not be read; nothing is carried over',
    )
    return undefined
  }
}

async function findOlder(hub: Hub, request: RequestWithFile): Promise<OneRequest | undefined> {
  const { site_id: siteId, supersedes } = request
  if (supersedes === null) return undefined
  const row = (await selectOlder(hub.db.read, siteId, [supersedes])).get(supersedes)
  return row && findRequestIfAny(hub.db.read, siteId, row.job_id, supersedes)
}

/** Only once, however often the task runs; what people wrote in the meantime stays. */
async function store(hub: Hub, request: OneRequest, found: FoundWork): Promise<void> {
  const { site_id, job_id, request_id } = request
  const rows: DraftRow[] = []
  const pause = openPauses()
  for await (const some of eachPage<Carried>(found.carried))
    for (const one of some) {
      rows.push(draftOf(hub, request, one, found))
      await pause()
    }
  const texts = sealNote(hub, new TextDecoder().decode(found.texts))
  await hub.db.transact(async (tx) => {
    if (!(await lockIfAny(tx, site_id, job_id))) return
    const at = { siteId: site_id, jobId: job_id }
    if ((await selectCarried(tx, at, request_id)) !== undefined) return
    await insertCarried(tx, { site_id, job_id, request_id, texts })
    await insertDrafts(tx, rows)
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    await countBytes(hub.db, tx, site_id, bytes)
  })
}

/** Its first version: a verdict over it stands until somebody writes another target. */
function draftOf(
  hub: Hub,
  { site_id, job_id, request_id }: OneRequest,
  { segmentId, target, state, from, words }: Carried,
  { older, providerId }: FoundWork,
): DraftRow {
  const text = JSON.stringify(target)
  const writer = older.writers.get(from)
  const isJudged = state === 'APPROVED' || state === 'REJECTED'
  const verdict = state === 'REJECTED' ? 'WRONG' : 'OK'
  const review = isJudged ? { ...writer?.review, verdict, over: 1 } : undefined
  return {
    ...{ site_id, job_id, request_id, segment_id: segmentId },
    target: sealNote(hub, text),
    target_digest: hub.vault.digest('note', `${request_id} ${text}`),
    state: state === 'DRAFT' || state === 'REJECTED' ? 'DRAFT' : 'TRANSLATED',
    version: 1,
    bytes: Buffer.byteLength(text),
    changed_by: writer?.changed_by || (providerId ?? ''),
    by_person: writer?.by_person ?? 0,
    changed_at: writer?.changed_at || hub.clock.now(),
    spent_ms: 0,
    words,
    filled: null,
    ...{ delivered: null, previous: null, replaced: null, previous_review: null },
    review: review ? sealNote(hub, JSON.stringify(review)) : null,
    kept: writer?.kept ?? null,
    delivered_kept: null,
  }
}

/** What was carried over, or what would be if the job were submitted now. */
async function textsOf(hub: Hub, request: RequestWithFile): Promise<string | undefined> {
  if (request.supersedes === null) return undefined
  const at = { siteId: request.site_id, jobId: request.job_id }
  const stored = await selectCarried(hub.db.read, at, request.request_id)
  if (stored !== undefined) return openNote(hub, stored) ?? undefined
  const found = await find(hub, request)
  return found && new TextDecoder().decode(found.texts)
}

/** Texts of this length are parsed here; more of them in a worker. */
const short = 64 * 1024

/** The work that is done already: places among the segments of the content that are work. */
export async function placesCarried(
  hub: Hub,
  request: RequestWithFile,
): Promise<ReadonlySet<number>> {
  const texts = await textsOf(hub, request)
  if (texts === undefined) return new Set()
  const siteId = request.site_id
  const places =
    texts.length <= short
      ? placesDone(texts)
      : await runSafely<readonly number[]>(module, 'placesDone', [texts], { siteId })
  return new Set(places)
}

/** The targets that no engine needs to make, by the ids of the content. */
export async function targetsCarried(
  hub: Hub,
  request: RequestWithFile,
): Promise<ReturnType<typeof knownTargets>> {
  const texts = await textsOf(hub, request)
  if (texts === undefined) return []
  const siteId = request.site_id
  return texts.length <= short
    ? knownTargets(texts)
    : runSafely<ReturnType<typeof knownTargets>>(module, 'knownTargets', [texts], { siteId })
}

/** What changed segments were, by the ids of the content. */
export async function textsBefore(
  hub: Hub,
  request: RequestWithFile,
  units: readonly string[],
): Promise<ReadonlyMap<string, TextBefore>> {
  if (request.supersedes === null || units.length === 0) return new Map()
  const at = { siteId: request.site_id, jobId: request.job_id }
  const stored = await selectCarried(hub.db.read, at, request.request_id)
  const texts = stored === undefined ? null : openNote(hub, stored)
  if (texts === null) return new Map()
  const args = [texts, [...units]] as const
  const picked =
    texts.length <= short
      ? pickBefore(...args)
      : await runSafely<ReturnType<typeof pickBefore>>(module, 'pickBefore', args, {
          siteId: request.site_id,
        })
  return new Map(picked)
}
