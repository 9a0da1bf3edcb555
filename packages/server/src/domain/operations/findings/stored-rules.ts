/** Rules about what the hub keeps: the result of the last check, and backups. */
import { createHash } from 'node:crypto'
import { addDuration, formatTime } from '@dragoman/contract'
import { madeAt } from '../../../store/migrate.ts'
import { lastBackup } from '../backups/last-backup.ts'
import { listLostJobs, lostWork } from '../integrity/lost-work.ts'
import { lastCheck, type StoredCheck, type StoredFinding } from '../integrity/stored-check.ts'
import { bounded, type Finders, type Look, type RuleMatch } from './finder.ts'

export const storedRules: Finders<'check' | 'work-lost' | 'backup-old'> = {
  check: async (_, look) => {
    const last = await lastCheck(look.db)
    if (!last) return bounded([], look)
    const mine = ownOf(last, look).filter(({ check }) => check !== lostWork)
    const { found, more } = bounded(mine.map(ofCheck(last.at)), look)
    // Which sites those that were not kept belong to is not known.
    return {
      found,
      more: more + (look.siteId === undefined && look.thingId === undefined ? last.more : 0),
    }
  },

  'work-lost': async (_, look) => {
    const last = await lastCheck(look.db)
    const named = (last ? ownOf(last, look) : []).flatMap(({ check, what }) =>
      check === lostWork ? what.slice('job '.length) : [],
    )
    const still = named.length > 0 ? await listLostJobs(look.db, named) : []
    const found = still.map(({ site_id: siteId, job_id: jobId, since }) => ({
      siteId,
      thing: 'job',
      thingId: jobId,
      since,
      facts: { jobId, time: formatTime(since) },
    }))
    return bounded(found, look)
  },

  'backup-old': async (hub, look) => {
    const { backupExpected } = hub.config
    if (!backupExpected) return bounded([], look)
    const at = (await lastBackup(look.db))?.at
    const since = at ?? (await madeAt(look.db))
    const due = addDuration(since, backupExpected)
    // A new hub has as much time for its first one as for each later one.
    if (hub.clock.now() < due) return bounded([], look)
    const last =
      at === undefined ? 'There is no backup.' : `The last backup finished at ${formatTime(at)}.`
    const facts = { last, due: formatTime(due) }
    return bounded([{ thing: 'backup', thingId: 'last', since: due, facts }], look)
  },
}

const ownOf = ({ findings }: StoredCheck, { siteId }: Look): readonly StoredFinding[] =>
  findings.filter((one) => siteId === undefined || one.siteId === siteId)

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
