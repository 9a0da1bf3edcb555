/**
 * The last step of a restore and of a move: what belonged to the old place is put right, and the
 * mark is removed.
 */
import type { Hub } from '../../../hub.ts'
import { beginChains } from '../../../store/stored-seals.ts'
import { markFinished } from '../../../store/unfinished.ts'
import type { Act } from '../../access/audit/acts.ts'
import { commandLine, recordActs } from '../../access/audit/record-acts.ts'
import { settleUploads } from '../../files/settle-uploads.ts'
import { forgetLeases, forgetNodes } from './backup-rows.ts'
import { dropTurn } from './backup-turn.ts'

/** Returns how many unfinished uploads were ended: none if the files stay where they are. */
export async function finishCopy(
  hub: Hub,
  act: Act,
  files: 'files copied' | 'same files',
): Promise<number> {
  const by = commandLine()
  const ended = files === 'files copied' ? await settleUploads(hub, by.traceId) : 0
  await hub.db.transact(async (tx) => {
    await forgetNodes(tx)
    await forgetLeases(tx)
    await dropTurn(tx)
    await markFinished(tx)
    await beginChains(tx, hub.vault, hub.clock.now())
    await recordActs(hub, tx, by, [act])
  })
  return ended
}
