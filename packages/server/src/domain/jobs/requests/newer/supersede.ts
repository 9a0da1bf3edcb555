/**
 * A newer source (contract, section 17): a request names the older one whose place it takes. Once
 * its job is submitted, the older one is cancelled, unless it is approved or cancelled already.
 */
import { findLanguage, findMove, HubError, type NewRequest, requestMoves } from '@dragoman/contract'
import type { Change } from '../../../../hub.ts'
import type { Db } from '../../../../store/database.ts'
import type { JobRow } from '../../../../store/tables.ts'
import { lockJob } from '../../find-job.ts'
import { moveRequests } from '../move-requests.ts'
import { inside, refusal } from '../request-source.ts'
import { updateRequests } from '../requests-of-job.ts'
import { type OlderRow, type Superseding, selectOlder, selectSuperseding } from './newer-rows.ts'

type Place = { readonly siteId: string; readonly jobId: string }

/** Checks what new requests supersede. The caller has locked their job. */
export async function mustSupersede(
  tx: Db,
  at: Place,
  inputs: readonly NewRequest[],
): Promise<void> {
  if (inputs.every(({ supersedes }) => supersedes === undefined)) return
  const named = inputs.flatMap(({ supersedes }) => supersedes ?? [])
  const older = await selectOlder(tx, at.siteId, named)
  const taken = new Map(
    (await selectSuperseding(tx, at)).map((one) => [one.supersedes, one.request_id]),
  )
  const seen = new Set<string>()
  for (const [index, input] of inputs.entries()) {
    const { supersedes: requestId } = input
    if (requestId === undefined) continue
    const path = inside(inputs.length > 1 ? `requests[${index}]` : '', 'supersedes')
    const row = older.get(requestId)
    if (!row) throw new HubError('REQUEST_NOT_FOUND', { requestId })
    const by = row.superseded_by ?? taken.get(requestId)
    if (by !== undefined) throw alreadyBy(requestId, by)
    if (seen.has(requestId)) throw refusal(path, `names the request ${requestId} a second time`)
    seen.add(requestId)
    mustBeAlike(input, row, path)
  }
}

function mustBeAlike(input: NewRequest, older: OlderRow, path: string): void {
  const { sourceNativeLanguageCode: source, targetNativeLanguageCodes: targets } = input
  const [target = ''] = targets
  if (targets.length > 1)
    throw refusal(
      path,
      `is one request, but targetNativeLanguageCodes has ${targets.length} languages; add a request for each`,
    )
  const because = unlike({ source, target, isFile: input.fmsFileId !== undefined }, older)
  if (because) throw refusal(path, because)
}

type Kind = { readonly source: string; readonly target: string; readonly isFile: boolean }

/** Why it cannot take the place of the older one. */
function unlike({ source, target, isFile }: Kind, older: OlderRow): string | undefined {
  if (!isSame(source, older.source_language) || !isSame(target, older.target_language))
    return `is from ${older.source_language} to ${older.target_language}, and this request from ${source} to ${target}`
  if ((older.file_id !== null) === isFile) return undefined
  return isFile ? 'has fields, and this request a file' : 'has a file, and this request fields'
}

const isSame = (one: string, other: string): boolean => findLanguage(one) === findLanguage(other)

const alreadyBy = (requestId: string, by: string): HubError =>
  new HubError('ALREADY_SUPERSEDED', { requestId, by }, { also: { by } })

/** Runs in the transaction that submits the job, which the caller has locked. */
export async function supersedeOlder(change: Change, job: JobRow): Promise<void> {
  const { tx } = change
  const { site_id: siteId, job_id: jobId } = job
  const superseding = await selectSuperseding(tx, { siteId, jobId })
  if (superseding.length === 0) return
  const newerOf = new Map(superseding.map((one) => [one.supersedes, one.request_id]))
  const found = await selectOlder(tx, siteId, [...newerOf.keys()])
  for (const newer of superseding) mustStillBeAlike(newer, found.get(newer.supersedes))
  const jobIds = new Set([...found.values()].map((row) => row.job_id))
  for (const olderId of [...jobIds].sort()) {
    const older = await lockJob(tx, siteId, olderId)
    await supersedeIn(change, older, newerOf)
  }
}

/** Either of them may have been changed since. */
function mustStillBeAlike(newer: Superseding, older: OlderRow | undefined): void {
  const { source_language: source, target_language: target, file_id } = newer
  const because = older && unlike({ source, target, isFile: file_id !== null }, older)
  if (because)
    throw refusal(`request ${newer.request_id}`, `supersedes ${newer.supersedes}, which ${because}`)
}

/** Reads the requests again: with their job locked nobody approves them any more. */
async function supersedeIn(
  change: Change,
  job: JobRow,
  newerOf: ReadonlyMap<string, string>,
): Promise<void> {
  const { hub, tx } = change
  const all = await selectOlder(tx, job.site_id, [...newerOf.keys()])
  const here = [...all.values()].filter((row) => row.job_id === job.job_id)
  const taken = here.find((row) => row.superseded_by !== null)
  if (taken) throw alreadyBy(taken.request_id, taken.superseded_by ?? '')
  await updateRequests(
    tx,
    [job.site_id, job.job_id],
    { modified_at: hub.clock.now() },
    here.map(({ request_id }) => ({
      request_id,
      superseded_by: newerOf.get(request_id) ?? null,
    })),
  )
  const moving = here
    .filter(({ status }) => findMove(requestMoves, status, 'cancel'))
    .map((request) => ({ request, also: { cancel_cause: 'SUPERSEDED' as const } }))
  await moveRequests(change, job, moving, { on: 'cancel', supersededBy: newerOf })
}
