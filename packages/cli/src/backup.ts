/**
 * `dragoman backup`: copies the hub to a folder or a bucket while it runs, and lists such copies.
 */
import type { BackupReport, ListedBackup } from '@dragoman/server/commands'
import {
  type Command,
  exitCodes,
  flag,
  readArgs,
  type Screen,
  text,
  UsageError,
} from './command.ts'
import { openProgress } from './progress.ts'
import { type Column, count, json, showTable, sizeText } from './table.ts'

const list: Command = {
  says: 'list the backups in a place',
  help: `Usage: dragoman backup list --from PLACE [--json]

Lists the backups in a folder or a bucket, newest first.

  --from PLACE  a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME
  --json        print JSON`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { from: text, json: flag } })
    if (values.from === undefined) throw new UsageError('backup list needs --from.')
    const { backupsIn } = await import('@dragoman/server/commands')
    const found = await backupsIn(values.from)
    if (values.json) screen.out(json(found))
    else showTable(screen, found, columns, `There are no backups in ${values.from}.`)
    return 0
  },
}

const columns: readonly Column<ListedBackup>[] = [
  { title: 'ID', of: ({ id }) => id },
  {
    title: 'TIME',
    of: (one) => ('header' in one ? new Date(one.header.at).toISOString() : 'damaged'),
  },
  { title: 'DATABASE', of: (one) => ('header' in one ? one.header.engine : '') },
  { title: 'VERSION', of: (one) => ('header' in one ? one.header.hubVersion : '') },
  { title: 'FILES', of: (one) => ('header' in one ? one.header.files : '') },
  { title: 'SIZE', of: (one) => ('header' in one ? sizeText(one.header.bytes) : '') },
]

export const backup: Command = {
  says: 'back up the hub while it runs',
  help: `Usage: dragoman backup --to PLACE [--keep N] [--json]
       dragoman backup list --from PLACE [--json]

Backs up the hub set in the environment (DRAGOMAN_DATA, DRAGOMAN_DATABASE_URL, DRAGOMAN_BLOBS_URL): the database, then the files.
The hub can keep running. Files that an earlier backup in the same place has are not copied again. If it is interrupted, there is
no new backup, and the next run continues with the files that are there. PostgreSQL is copied with pg_dump, which must be installed.

The master key is not in the backup: keep a copy of it elsewhere. Without it, a backup cannot be restored.

  --to PLACE  a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME with the usual AWS credential variables
  --keep N    then remove all but the N newest backups, and files that only they needed
  --json      print JSON

Exit code: 0 done, 1 refused, or done but the hub itself has lost or damaged files, 2 could not run.`,
  verbs: { list },
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { to: text, keep: text, json: flag } })
    if (values.to === undefined)
      throw new UsageError('backup needs --to: a folder, or s3://BUCKET/PREFIX.')
    const keep = values.keep === undefined ? {} : { keep: readKeep(values.keep) }
    const server = await import('@dragoman/server/commands')
    const progress = openProgress(screen)
    const told = (done: number, total: number) => progress.show(done, total, 'files')
    const report = await server
      .backup(screen.env, { to: values.to, ...keep, told })
      .finally(progress.end)
    if (values.json) screen.out(json(report))
    else show(screen, report)
    return report.missing.length + report.damaged.length === 0 ? exitCodes.done : exitCodes.refused
  },
}

function readKeep(given: string): number {
  const keep = /^\d{1,5}$/.test(given) ? Number(given) : 0
  if (keep === 0)
    throw new UsageError(`--keep must be a whole number from 1 to 99999, not "${given}".`)
  return keep
}

function show(
  screen: Screen,
  { id, to, files, bytes, copied, missing, damaged, removed }: BackupReport,
): void {
  screen.out(
    `Backup ${id} is in ${to}: the database and ${count(files, 'file')}, ${sizeText(bytes)}. ${count(copied.files, 'file')} (${sizeText(copied.bytes)}) were new.`,
  )
  if (removed.length > 0) screen.out(`Removed: ${count(removed.length, 'old backup')}.`)
  for (const [what, ids] of Object.entries({ missing, damaged }))
    if (ids.length > 0)
      screen.err(
        `${count(ids.length, 'file')} of the hub ${ids.length === 1 ? 'is' : 'are'} ${what}. Run dragoman check.`,
      )
  screen.out('The master key is not in it. Keep a copy of the key elsewhere.')
}
