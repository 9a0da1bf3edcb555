/** SQL of what engines cost. Every function takes the site first. */
import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/prepared.ts'
import type { EngineUsageRow } from '../../../store/tables.ts'

/** The row of all jobs. */
export const allJobs = '*'

export type UsageKey = Pick<EngineUsageRow, 'provider_id' | 'job_id' | 'day' | 'unit'>
export type UsageChange = Partial<
  Pick<EngineUsageRow, 'estimated' | 'characters' | 'saved' | 'requests'>
> & {
  readonly billed?: number | undefined
}

export type Used = { readonly characters: number; readonly heldBy: EngineUsageRow['held_by'] }

const notHeld = { held_at: null, held_by: null, held_because: null } as const

/** Built once: it runs before every call to an engine. */
const add = prepared((db, row: Omit<EngineUsageRow, keyof typeof notHeld>) =>
  db
    .insertInto('engine_usage')
    .values({
      ...notHeld,
      provider_id: row.provider_id,
      job_id: row.job_id,
      day: row.day,
      unit: row.unit,
      site_id: row.site_id,
      estimated: row.estimated,
      characters: row.characters,
      saved: row.saved,
      requests: row.requests,
      billed: row.billed,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'job_id', 'day', 'unit'])
        .doUpdateSet({
          estimated: sql<number>`engine_usage.estimated + excluded.estimated`,
          characters: sql<number>`engine_usage.characters + excluded.characters`,
          saved: sql<number>`engine_usage.saved + excluded.saved`,
          requests: sql<number>`engine_usage.requests + excluded.requests`,
          // Stays null while no call was billed.
          billed: sql<number>`coalesce(engine_usage.billed + excluded.billed, excluded.billed, engine_usage.billed)`,
        })
        .where('engine_usage.site_id', '=', row.site_id),
    )
    .returning(['characters', 'held_by']),
)

/** Adds to a row, and returns what it is now. The row stays locked until the transaction ends. */
export async function addUsage(
  db: Db,
  siteId: string,
  key: UsageKey,
  change: UsageChange,
): Promise<Used> {
  const { estimated = 0, characters = 0, saved = 0, requests = 0, billed = null } = change
  const [row] = await add(db, {
    ...key,
    site_id: siteId,
    estimated,
    characters,
    saved,
    requests,
    billed,
  })
  if (!row) throw new Error(`The usage of provider ${key.provider_id} belongs to another site.`)
  return { characters: Number(row.characters), heldBy: row.held_by }
}

/**
 * The characters of a job (or of all) since a day, whatever their unit: limits count characters.
 */
export async function sumCharacters(
  db: Db,
  siteId: string,
  of: Omit<UsageKey, 'unit'>,
): Promise<number> {
  const row = await db
    .selectFrom('engine_usage')
    .select((eb) => eb.fn.sum('characters').as('sum'))
    .where('site_id', '=', siteId)
    .where('provider_id', '=', of.provider_id)
    .where('job_id', '=', of.job_id)
    .where('day', '>=', of.day)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

const limitsOf = prepared((db, at: { readonly siteId: string; readonly providerId: string }) =>
  db
    .selectFrom('providers')
    .select('limits')
    .where('site_id', '=', at.siteId)
    .where('provider_id', '=', at.providerId),
)

export async function selectLimits(
  db: Db,
  siteId: string,
  providerId: string,
): Promise<string | null> {
  const [row] = await limitsOf(db, { siteId, providerId })
  return row?.limits ?? null
}

export type Hold = {
  readonly at: number
  readonly by: 'DAY' | 'JOB' | 'VENDOR'
  readonly because: string
}

/** Keeps since when it is held. */
export async function holdUsage(
  db: Db,
  siteId: string,
  key: UsageKey,
  { at, by, because }: Hold,
): Promise<void> {
  await addUsage(db, siteId, key, {})
  await db
    .updateTable('engine_usage')
    .set({ held_at: sql<number>`coalesce(held_at, ${at})`, held_by: by, held_because: because })
    .where('site_id', '=', siteId)
    .where('provider_id', '=', key.provider_id)
    .where('job_id', '=', key.job_id)
    .where('day', '=', key.day)
    .where('unit', '=', key.unit)
    .execute()
}

/** Those of the provider, or only those of its vendor. */
export async function releaseHolds(
  db: Db,
  siteId: string,
  providerId: string,
  by?: 'VENDOR',
): Promise<void> {
  await db
    .updateTable('engine_usage')
    .set(notHeld)
    .where('site_id', '=', siteId)
    .where('provider_id', '=', providerId)
    .where('held_at', 'is not', null)
    .$if(by !== undefined, (query) => query.where('held_by', '=', by ?? 'VENDOR'))
    .execute()
}

/** What is held since this day. Without a site: on the whole hub, for an operator. */
export const selectHeld = (db: Db, siteId: string | undefined, day: number) =>
  db
    .selectFrom('engine_usage')
    .select(['site_id', 'provider_id', 'job_id', 'held_at', 'held_because'])
    .$narrowType<{ held_at: number; held_because: string }>()
    .where('held_at', 'is not', null)
    .where('day', '>=', day)
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .orderBy('held_at')
    .limit(1_000)
    .execute()

export type UsageSum = Pick<EngineUsageRow, 'estimated' | 'billed' | 'saved' | 'requests'>

export async function sumUsage(
  db: Db,
  siteId: string,
  { provider_id, unit }: Pick<UsageKey, 'provider_id' | 'unit'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<UsageSum> {
  const row = await db
    .selectFrom('engine_usage')
    .select((eb) => [
      eb.fn.sum('estimated').as('estimated'),
      eb.fn.sum('billed').as('billed'),
      eb.fn.sum('saved').as('saved'),
      eb.fn.sum('requests').as('requests'),
    ])
    .where('site_id', '=', siteId)
    .where('provider_id', '=', provider_id)
    .where('job_id', '=', allJobs)
    .where('unit', '=', unit)
    .where('day', '>=', from)
    .where('day', '<', to)
    .executeTakeFirst()
  const billed = row?.billed ?? null
  return {
    estimated: Number(row?.estimated ?? 0),
    billed: billed === null ? null : Number(billed),
    saved: Number(row?.saved ?? 0),
    requests: Number(row?.requests ?? 0),
  }
}
