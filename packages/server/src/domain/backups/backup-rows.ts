/** SQL of backups. No site: a backup, a restore and a move cover all sites. */
import type { Db } from '../../store/engine.ts'

const page = 1_000

export type StoredFile = { readonly blobId: string; readonly size: number; readonly sha256?: string }

/** Every stored file. The sha256 is missing for a sealed one: the row has that of the opened bytes. */
export async function* storedFiles(db: Db): AsyncGenerator<StoredFile> {
  for (let after = ''; ; ) {
    const found = await db
      .selectFrom('files')
      .select(['file_id', 'blob_id', 'size', 'sha256', 'sealed'])
      .where('state', '=', 'stored')
      .where('file_id', '>', after)
      .orderBy('file_id')
      .limit(page)
      .execute()
    for (const { blob_id, size, sha256, sealed } of found)
      if (blob_id !== null)
        yield { blobId: blob_id, size: size ?? 0, ...(sealed === 0 && sha256 !== null && { sha256 }) }
    if (found.length < page) return
    after = found.at(-1)?.file_id ?? ''
  }
}

/** The nodes of the hub that was copied do not run here. */
export async function forgetNodes(tx: Db): Promise<void> {
  await tx.deleteFrom('nodes').execute()
}
