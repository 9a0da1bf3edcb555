/**
 * The one place through which every translation comes, however it was sent: it moves the requests,
 * frees what they had, and tells the desk. The last delivery is the truth (contract, section 15).
 */
import type { Change } from '../../../../hub.ts'
import type { JobRow } from '../../../../store/tables.ts'
import { queueNews } from '../../queue-mail.ts'
import { freeReplaced } from '../free-translations.ts'
import { type Moved, type Moving, moveRequests } from '../move-requests.ts'
import type { Deliverable } from '../request.ts'
import {
  dropCorrected,
  keepTargets,
  lockDesks,
  replaceTargets,
  selectVersions,
  writeFormer,
} from './delivery-rows.ts'
import { type Formers, translationIdOf } from './former-targets.ts'

export type Delivering<R extends Deliverable> = Moving<R> & {
  /** The translation was joined from the targets of the desk. */
  readonly fromDesk?: boolean
  /** A reviewer corrected it: what others corrected before still stands. */
  readonly isCorrection?: boolean
}

/** The caller has locked the job. `formers`: what the requests had before. */
export async function deliverRequests<R extends Deliverable>(
  change: Change,
  job: JobRow,
  delivering: readonly Delivering<R>[],
  formers: Formers,
): Promise<Moved<R>> {
  const { hub, tx } = change
  const delivered_at = hub.clock.now()
  const at = { siteId: job.site_id, jobId: job.job_id }
  if (delivering.length === 0) return { job, requests: [] }
  const desks = await lockDesks(tx, at, idsOf(delivering))
  const written = await selectVersions(tx, at, idsOf(delivering))
  const moving = delivering.map(({ request, also }) => {
    const { request_id: id } = request
    const last = Math.max(desks.get(id) ?? 0, written.get(id) ?? 0)
    return { request, also: { ...also, desk_version: last + 1, delivered_at } }
  })
  const moved = await moveRequests(change, job, moving, { on: 'deliver' })
  const replaced = moving.map(({ request, also }) => ({ before: request, after: also }))
  await freeReplaced(change, job, replaced)
  const drafted = delivering.filter(({ request }) => written.has(request.request_id))
  const [kept, over] = [drafted.filter(isFromDesk), drafted.filter((one) => !isFromDesk(one))]
  if (kept.length > 0) await keepTargets(tx, at, idsOf(kept))
  if (over.length > 0) await replaceTargets(tx, at, idsOf(over))
  const renewed = delivering.filter(({ isCorrection }) => !isCorrection)
  if (renewed.length > 0) await dropCorrected(tx, at, idsOf(renewed))
  if (renewed.length > 0)
    await queueNews(change, {
      ...{ kind: 'delivered', siteId: job.site_id, jobId: job.job_id },
      many: renewed.length,
    })
  await noteFormers(change, job, delivering, formers)
  return moved
}

const isFromDesk = ({ fromDesk }: { readonly fromDesk?: boolean }): boolean => fromDesk === true
const idsOf = (some: readonly Moving<Deliverable>[]): string[] =>
  some.map(({ request }) => request.request_id)

/** Not if another translation was there in the meantime. */
async function noteFormers(
  { tx }: Change,
  { site_id, job_id }: JobRow,
  delivering: readonly Moving<Deliverable>[],
  formers: Formers,
): Promise<void> {
  const again = delivering.filter(({ request }) => translationIdOf(request) !== null)
  if (again.length === 0) return
  const rows = again.flatMap(({ request }) => {
    const { request_id } = request
    const former = formers.get(request_id)
    return former?.translationId === translationIdOf(request)
      ? [{ site_id, job_id, request_id, texts: former.texts }]
      : []
  })
  await writeFormer(tx, { siteId: site_id, jobId: job_id }, idsOf(again), rows)
}
