/** SQL of what a delivery does to the desk: drafts, and the targets of the delivery before. */
import { sql } from 'kysely'
import type { Db } from '../../../../store/database.ts'
import { lock } from '../../../../store/lock.ts'
import type { Tables } from '../../../../store/tables.ts'

type Place = { readonly siteId: string; readonly jobId: string }
type FormerRow = Tables['former_targets']

/** The version of each desk. Until the transaction ends, no draft of these requests is written. */
export async function lockDesks(
  tx: Db,
  { siteId, jobId }: Place,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const query = tx
    .selectFrom('requests')
    .select(['request_id', 'desk_version'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', 'in', [...requestIds])
    .orderBy('request_id')
  const rows = await lock(tx, query).execute()
  return new Map(rows.map(({ request_id, desk_version }) => [request_id, desk_version ?? 0]))
}

/** The highest version of a draft, of each request that has drafts. */
export async function selectVersions(
  db: Db,
  { siteId, jobId }: Place,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('drafts')
    .select('request_id')
    .select(({ fn }) => fn.max('version').as('version'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', 'in', [...requestIds])
    .groupBy('request_id')
    .execute()
  return new Map(rows.map(({ request_id, version }) => [request_id, Number(version)]))
}

const draftsOf = (tx: Db, { siteId, jobId }: Place, requestIds: readonly string[]) =>
  tx
    .updateTable('drafts')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', 'in', [...requestIds])

/** The targets as they are become those of the last delivery. */
export async function keepTargets(tx: Db, at: Place, requestIds: readonly string[]): Promise<void> {
  await draftsOf(tx, at, requestIds)
    .set(({ ref, fn }) => ({
      ...{ previous: ref('delivered'), delivered: fn.coalesce('target', 'delivered') },
      ...{ previous_review: ref('review'), review: null },
      ...{ delivered_kept: ref('kept'), replaced: null },
    }))
    .execute()
}

/** A translation came as a whole: no target is over it any more. */
export async function replaceTargets(
  tx: Db,
  at: Place,
  requestIds: readonly string[],
): Promise<void> {
  await draftsOf(tx, at, requestIds)
    .set(({ ref }) => ({
      ...{ previous: ref('delivered'), delivered: null },
      ...{ previous_review: ref('review'), review: null },
      replaced: sql<
        string | null
      >`case when target is null then replaced when target = delivered then null else target end`,
      ...{ target: null, target_digest: null, kept: null, delivered_kept: null },
    }))
    .execute()
}

/** What reviewers corrected in the deliveries before; what waits to be delivered stays. */
export async function dropCorrected(
  tx: Db,
  { siteId, jobId }: Place,
  requestIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable('corrections')
    .set({ delivered: null, delivered_by: null })
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', 'in', [...requestIds])
    .where('delivered', 'is not', null)
    .execute()
}

export async function writeFormer(
  tx: Db,
  { siteId, jobId }: Place,
  requestIds: readonly string[],
  rows: readonly FormerRow[],
): Promise<void> {
  await tx
    .deleteFrom('former_targets')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', 'in', [...requestIds])
    .execute()
  if (rows.length > 0)
    await tx
      .insertInto('former_targets')
      .values([...rows])
      .execute()
}

export async function selectFormer(
  db: Db,
  { siteId, jobId }: Place,
  requestId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('former_targets')
    .select('texts')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row?.texts ?? null
}
