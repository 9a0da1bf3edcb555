/** `dragoman move`: from SQLite to PostgreSQL. */
import { showReport } from './check.ts'
import { type Command, exitCodes, readArgs, text, UsageError } from './command.ts'
import { openProgress } from './progress.ts'
import { count, json } from './table.ts'

export const move: Command = {
  says: 'move the hub from SQLite to PostgreSQL',
  help: `Usage: dragoman move --to postgres://USER:PASSWORD@HOST:PORT/DATABASE [--blobs PLACE] [--json]

Copies all rows of the hub set in the environment (DRAGOMAN_DATA) to an empty PostgreSQL database, compares every table by row count and
a checksum of the contents, and checks the result as dragoman check does. Stop the hub first. The old database and files are
not changed. If the command is interrupted, run it again: it starts over.

  --to URL       an empty PostgreSQL database; PGPASSWORD keeps the password out of the command line
  --blobs PLACE  also copy the files: to a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME. Without it they stay where they are
  --json         print JSON

Exit code: 0 moved and clean, 1 refused, or moved with findings, 2 could not run.`,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: { to: text, blobs: text, json: { type: 'boolean' } },
    })
    if (values.to === undefined)
      throw new UsageError('move needs --to: the URL of an empty PostgreSQL database.')
    const server = await import('@dragoman/server/commands')
    const progress = openProgress(screen)
    const report = await server
      .move(screen.env, {
        to: values.to,
        ...(values.blobs !== undefined && { blobs: values.blobs }),
        told: (done, total) => progress.show(done, total, 'files'),
        toldTable: (table) => progress.show(0, 1, table),
      })
      .finally(progress.end)
    const { tables, rows, files, endedUploads, check } = report
    if (values.json) screen.out(json(report))
    else {
      const moved = `${count(rows, 'row')} in ${count(tables.length, 'table')}${values.blobs === undefined ? '' : ` and ${count(files, 'file')}`}`
      screen.out(`Moved ${moved}; counts and sums of all tables agree.`)
      if (endedUploads > 0)
        screen.out(`${count(endedUploads, 'unfinished upload')} must be started again.`)
      showReport(screen, check, false)
      screen.out(
        `Now set DRAGOMAN_DATABASE_URL to the new database, DRAGOMAN_MASTER_KEY to the master key (that of master.key in DRAGOMAN_DATA, if it was not set)${values.blobs === undefined ? '' : ', DRAGOMAN_BLOBS_URL to the new place'}, and start the hub.`,
      )
    }
    return check.findings.length === 0 ? exitCodes.done : exitCodes.refused
  },
}
