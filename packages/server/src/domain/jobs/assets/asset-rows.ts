/** SQL of support assets, with the names of their files. */
import type { Insertable } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { SupportAssetRow, Tables } from '../../../store/tables.ts'

export type AssetWithFile = SupportAssetRow & { file_name: string }

export async function insertAsset(
  db: Db,
  row: Insertable<Tables['support_assets']>,
): Promise<void> {
  await db.insertInto('support_assets').values(row).execute()
}

const withFiles = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('support_assets')
    .innerJoin('files', (join) =>
      join
        .onRef('files.file_id', '=', 'support_assets.file_id')
        .onRef('files.site_id', '=', 'support_assets.site_id'),
    )
    .selectAll('support_assets')
    .select('files.name as file_name')
    .where('support_assets.site_id', '=', siteId)
    .where('support_assets.job_id', '=', jobId)

export function selectAsset(
  db: Db,
  siteId: string,
  jobId: string,
  assetId: string,
): Promise<AssetWithFile | undefined> {
  return withFiles(db, siteId, jobId).where('asset_id', '=', assetId).executeTakeFirst()
}

export function selectAssets(
  db: Db,
  siteId: string,
  jobId: string,
  page: { after?: number; limit: number },
): Promise<AssetWithFile[]> {
  return withFiles(db, siteId, jobId)
    .where('position', '>', page.after ?? 0)
    .orderBy('position')
    .limit(page.limit)
    .execute()
}

/** The number of assets and the last position. */
export async function measureAssets(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<{ count: number; last: number }> {
  const row = await db
    .selectFrom('support_assets')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('position').as('last')])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), last: Number(row.last ?? 0) }
}

export async function removeAsset(
  db: Db,
  siteId: string,
  jobId: string,
  assetId: string,
): Promise<void> {
  await db
    .deleteFrom('support_assets')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('asset_id', '=', assetId)
    .execute()
}
