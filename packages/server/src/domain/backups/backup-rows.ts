/** SQL of copies of a hub. No site: a restore and a move cover all sites. */
import type { Db } from '../../store/engine.ts'

/** The nodes of the hub that was copied do not run here. */
export async function forgetNodes(tx: Db): Promise<void> {
  await tx.deleteFrom('nodes').execute()
}
