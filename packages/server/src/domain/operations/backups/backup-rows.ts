/** SQL of copies of a hub. No site: a restore and a move cover all sites. */
import type { Db } from '../../../store/database.ts'

/** The nodes of the hub that was copied do not run here. */
export async function forgetNodes(tx: Db): Promise<void> {
  await tx.deleteFrom('nodes').execute()
}

/** Nor do they run the tasks that they held when it was copied. */
export async function forgetLeases(tx: Db): Promise<void> {
  const none = { leased_by: null, lease_until: null }
  await tx.updateTable('tasks').set(none).where('lease_until', 'is not', null).execute()
}
