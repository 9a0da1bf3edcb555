/** Rules about what the hub keeps: the result of the last check, and backups. */
import { createHash } from 'node:crypto'
import { addDuration, formatTime } from '@dragoman/contract'
import { madeAt } from '../../../store/migrate.ts'
import { lastBackup } from '../backups/last-backup.ts'
import { lastCheck, type StoredFinding } from '../integrity/stored-check.ts'
import { bounded, type Finders, type RuleMatch } from './finder.ts'

export const storedRules: Finders<'check' | 'backup-old'> = {
  check: async (_, look) => {
    const last = await lastCheck(look.db)
    if (!last) return bounded([], look)
    const mine = last.findings.filter(
      ({ siteId }) => look.siteId === undefined || siteId === look.siteId,
    )
    const { found, more } = bounded(mine.map(ofCheck(last.at)), look)
    // Which sites those that were not kept belong to is not known.
    return {
      found,
      more: more + (look.siteId === undefined && look.thingId === undefined ? last.more : 0),
    }
  },

  'backup-old': async (hub, look) => {
    const { backupExpected } = hub.config
    if (!backupExpected) return bounded([], look)
    const at = (await lastBackup(look.db))?.at
    const since = at ?? (await madeAt(look.db))
    const due = addDuration(since, backupExpected)
    // A hub without any backup is told from the start: the first one shows whether they work.
    if (at !== undefined && hub.clock.now() < due) return bounded([], look)
    const last =
      at === undefined ? 'There is no backup.' : `The last backup finished at ${formatTime(at)}.`
    const facts = { last, due: formatTime(due) }
    return bounded(
      [{ thing: 'backup', thingId: 'last', since: at === undefined ? since : due, facts }],
      look,
    )
  },
}

const ofCheck =
  (at: number) =>
  ({ check, siteId, what, says, advice }: StoredFinding): RuleMatch<'check'> => {
    const space = what.indexOf(' ')
    return {
      ...(siteId === undefined ? {} : { siteId }),
      thing: space < 0 ? what : what.slice(0, space),
      thingId: space < 0 ? what : what.slice(space + 1),
      key: createHash('sha256').update(`${check}\n${what}`).digest('base64url').slice(0, 22),
      since: at,
      facts: { time: formatTime(at), what: `${check}: ${what}`, says, advice },
    }
  }
