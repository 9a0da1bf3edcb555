/** The last finished backup, as `dragoman backup` notes it. */
import type { Db } from '../../../store/database.ts'
import { readHubState } from '../../../store/hub-state.ts'

export type LastBackup = { readonly at: number; readonly to: string; readonly bytes: number }

export async function lastBackup(db: Db): Promise<LastBackup | undefined> {
  const text = await readHubState(db, 'last_backup')
  return text === undefined ? undefined : (JSON.parse(text) as LastBackup)
}
