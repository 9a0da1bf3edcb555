/** `dragoman restore`: restores a backup into an empty place, and checks the result. */
import { showReport } from './check.ts'
import { type Command, exitCodes, flag, readArgs, text, UsageError } from './command.ts'
import { openProgress } from './progress.ts'
import { count, json, sizeText } from './table.ts'

export const restore: Command = {
  says: 'restore a backup into an empty place',
  help: `Usage: dragoman restore --from PLACE [--backup ID] [--salvage] [--unproven] [--json]

Restores a backup (dragoman backup) to the place set in the environment (DRAGOMAN_DATA, DRAGOMAN_DATABASE_URL, DRAGOMAN_BLOBS_URL),
which must be empty except for the master key: in DRAGOMAN_MASTER_KEY, or in master.key in DRAGOMAN_DATA. Every byte is compared with its
sha256, then everything is checked as dragoman check does. Until the restore is complete, no hub starts on it; if it is interrupted,
empty the place and start again. PostgreSQL is restored with pg_restore, which must be installed.

  --from PLACE  a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME
  --backup ID   which backup, by the beginning of its id; the newest by default
  --salvage     leave out files that are damaged or missing in the backup, instead of stopping
  --unproven    restore a backup whose MAC is missing or wrong: nothing then proves that nobody changed it
  --json        print JSON

Exit code: 0 restored and clean, 1 refused, or restored with findings, 2 could not run.`,
  run: async (args, screen) => {
    const options = { from: text, backup: text, salvage: flag, unproven: flag, json: flag }
    const { values } = readArgs({ args, options })
    if (values.from === undefined)
      throw new UsageError('restore needs --from: a folder, or s3://BUCKET/PREFIX.')
    const server = await import('@dragoman/server/commands')
    const progress = openProgress(screen)
    const report = await server
      .restore(screen.env, {
        from: values.from,
        ...(values.backup !== undefined && { backupId: values.backup }),
        salvage: values.salvage === true,
        unproven: values.unproven === true,
        told: (done, total) => progress.show(done, total, 'files'),
      })
      .finally(progress.end)
    const { id, at, files, bytes, leftOut, endedUploads, check } = report
    if (values.json) screen.out(json(report))
    else {
      const restored = `${count(files - leftOut.length, 'file')}, ${sizeText(bytes)}`
      screen.out(
        `Restored backup ${id} of ${new Date(at).toISOString()}: the database and ${restored}.`,
      )
      for (const blobId of leftOut)
        screen.out(`Left out, because it is damaged or missing in the backup: ${blobId}.`)
      if (endedUploads > 0)
        screen.out(`${count(endedUploads, 'unfinished upload')} must be started again.`)
      showReport(screen, check, false)
    }
    return leftOut.length + check.findings.length === 0 ? exitCodes.done : exitCodes.refused
  },
}
