/**
 * What is there after a step, read at every door and in the rows, compared with the model: what the
 * desk shows as delivered is what the connector retrieves; nobody did what they may not; a status
 * update exists exactly for the three events; versions only rise; the memory has only approved text.
 */
import type { Hub } from '../../../packages/server/src/hub.ts'
import type { Holder, Model, Request } from './model.ts'
import { deskOf, isReady, reviewedOf } from './model.ts'
import { type Segment, type Stage, textsIn } from './moves.ts'

/** The highest version seen of each segment, at the desk and in review, with its text. */
export type Versions = Map<string, { readonly version: number; readonly text: string | undefined }>

type Seen = Segment & {
  readonly review?: { readonly verdict: string }
  readonly correction?: readonly unknown[]
  readonly corrected?: { readonly target: readonly unknown[] }
}

const textIn = ({ target }: Segment): string | undefined => target?.join('')

/** The rows of the job against the model. */
export async function compareRows(hub: Hub, stage: Stage, model: Model): Promise<string[]> {
  const { jobId, requestIds, personIds } = stage
  const { read } = hub.db
  const [job, rows, updates] = await Promise.all([
    read
      .selectFrom('jobs')
      .select(['status', 'archive_status'])
      .where('site_id', '=', 'demo')
      .where('job_id', '=', jobId)
      .executeTakeFirst(),
    read
      .selectFrom('requests')
      .select(['request_id', 'status', 'has_error', 'assignee', 'is_shared'])
      .where('site_id', '=', 'demo')
      .where('job_id', '=', jobId)
      .orderBy('position')
      .execute(),
    read
      .selectFrom('status_updates')
      .select(['request_ids', 'status', 'has_error'])
      .where('site_id', '=', 'demo')
      .where('job_id', '=', jobId)
      .orderBy('sequence')
      .execute(),
  ])
  const wrong: string[] = []
  const same = (what: string, is: unknown, should: unknown) => {
    const [one, other] = [JSON.stringify(is), JSON.stringify(should)]
    if (one !== other) wrong.push(`${what} is ${one}, not ${other}`)
  }
  same('the status of the job', job?.status, model.job)
  same('the job', job?.archive_status, model.archived ? 'ARCHIVED' : 'ACTIVE')
  same(
    'the list of requests',
    rows.map(({ request_id }) => requestIds.indexOf(request_id)),
    model.requests.map((_, at) => at),
  )
  const told = new Map<string, string[]>()
  for (const { request_ids, status, has_error } of updates) {
    const ids = JSON.parse(request_ids) as string[]
    for (const id of ids.length > 0 ? ids : ['']) {
      const event = Number(has_error) === 1 ? 'ERROR' : status
      told.set(id, [...(told.get(id) ?? []), event])
    }
  }
  same('what the updates tell of the job', told.get('') ?? [], model.told)
  for (const [at, request] of model.requests.entries()) {
    const row = rows[at]
    const id = requestIds[at] ?? ''
    const holder = ([...personIds] as [Holder, string][]).find(([, one]) => one === row?.assignee)
    same(`the status of request ${at}`, row?.status, request.status)
    same(`the error of request ${at}`, Number(row?.has_error) === 1, request.error !== undefined)
    same(`the holder of request ${at}`, holder?.[0] ?? row?.assignee, request.holder ?? null)
    same(`the sharing of request ${at}`, row?.is_shared === 1, request.shares !== undefined)
    same(`what the updates tell of request ${at}`, told.get(id) ?? [], request.told)
  }
  return wrong
}

/** A request at the desk, in review and as it is retrieved. */
export async function compareTexts(
  { jobId, providerId, requestIds, call }: Stage,
  model: Model,
  at: number,
  versions: Versions,
): Promise<string[]> {
  const request = model.requests[at]
  const id = requestIds[at]
  if (!request || id === undefined || model.archived || model.job === 'CREATED') return []
  const own = `/jobs/${jobId}/requests/${id}`
  const [desk, review, texts] = await Promise.all([
    call('program', 'GET', `/providers/${providerId}/jobs/${jobId}/assetTasks/${id}/segments`),
    call('connector', 'GET', `${own}/segments`),
    retrieve(),
  ])
  const wrong: string[] = []
  if (desk?.status !== 200 || review?.status !== 200)
    return [`the segments of request ${at} are answered with ${desk?.status}, ${review?.status}`]
  const shown = desk.body.segments as Seen[]
  const reviewed = review.body.segments as Seen[]
  for (const [part, segment] of request.segments.entries()) {
    const where = `segment ${part} of request ${at}`
    const [here, there] = [shown[part], reviewed[part]]
    const [wanted, seen] = [deskOf(request, segment), reviewedOf(request.status, segment)]
    if (!here || !there) return [...wrong, `${where} is missing`]
    if (textIn(here) !== wanted.text || here.state !== wanted.state)
      wrong.push(`${where} is ${toldOf(here)} at the desk, not ${wanted.state} ${wanted.text}`)
    if (textIn(there) !== seen.text || there.state !== seen.state)
      wrong.push(`${where} is ${toldOf(there)} in review, not ${seen.state} ${seen.text}`)
    if (there.review?.verdict !== segment.verdict)
      wrong.push(`the verdict on ${where} is ${there.review?.verdict}, not ${segment.verdict}`)
    const waits = request.status === 'REVIEW_TRANSLATION' ? segment.correction : undefined
    if (there.correction?.join('') !== waits)
      wrong.push(`the correction of ${where} is ${there.correction?.join('')}, not ${waits}`)
    if (here.corrected?.target.join('') !== segment.corrected)
      wrong.push(`${where} is corrected to ${here.corrected?.target}, not ${segment.corrected}`)
    if (here.version < there.version)
      wrong.push(`${where} has version ${here.version} at the desk, ${there.version} in review`)
    for (const [side, one] of [['desk', here] as const, ['review', there] as const]) {
      const name = `${side} ${id} ${part}`
      const known = versions.get(name)
      const now = { version: one.version, text: textIn(one) }
      const hasRisen = known && (now.text === known.text || now.version > known.version)
      if (known && (now.version < known.version || !hasRisen))
        wrong.push(`${where} (${side}) went from version ${known.version} to ${now.version}`)
      versions.set(name, now)
    }
  }
  const delivered = request.segments.map(({ delivered }) => delivered)
  const should = isReady(request) ? JSON.stringify(expected(request, delivered)) : '409'
  if (texts !== should) wrong.push(`request ${at} is retrieved as ${texts}, not as ${should}`)
  return wrong

  async function retrieve(): Promise<string> {
    const isFile = request?.kind === 'file'
    const got = await call('connector', 'GET', `${own}/${isFile ? 'retrievefile' : 'retrieve'}`)
    if (!got || got.status >= 400) return String(got?.status)
    if (!isFile) {
      const [content] = got.body.translationContent
      return JSON.stringify(content.targetContent.map(({ value }: { value: string }) => value))
    }
    const path = new URL(String(got.headers.location))
    const file = await call('connector', 'GET', `${path.pathname}${path.search}`, { open: true })
    const text = Buffer.from((file?.body as Uint8Array) ?? '').toString('utf8')
    return JSON.stringify(textsIn(text))
  }
}

const toldOf = (segment: Segment): string => `${segment.state} ${textIn(segment)}`
const expected = ({ kind }: Request, texts: readonly (string | undefined)[]) =>
  kind === 'file' ? texts : texts.filter((text) => text !== undefined)

/** The memory has what is approved now, and nothing that never was. */
export async function compareMemory(
  hub: Hub,
  { requestIds }: Stage,
  model: Model,
): Promise<string[]> {
  if (requestIds.length === 0) return []
  const now = model.requests.flatMap(({ status, segments }) =>
    status === 'TRANSLATION_APPROVED' ? segments.flatMap(({ delivered }) => delivered ?? []) : [],
  )
  // No site: of these requests, and their texts.
  const units = await hub.db.read
    .selectFrom('memory_units')
    .select(['origin', 'target'])
    .where(({ or, eb }) =>
      or([eb('origin', 'in', [...requestIds]), eb('target', 'in', ['', ...now])]),
    )
    .execute()
  const wrong: string[] = []
  for (const { origin, target } of units) {
    const approved = model.requests[requestIds.indexOf(origin)]?.approved
    if (approved && !approved.includes(target))
      wrong.push(`the memory has "${target}", which nobody approved`)
  }
  const known = new Set(units.map(({ target }) => target))
  for (const text of now)
    if (!known.has(text)) wrong.push(`the memory lacks "${text}", which is approved`)
  return wrong
}
