/**
 * `dragoman check`: whether everything in the database and the blob store is consistent. Works
 * beside a running hub.
 */
import type { CheckFinding, Report } from '@dragoman/server/commands'
import { type Command, flag, readArgs, type Screen } from './command.ts'
import { count } from './table.ts'

export const check: Command = {
  says: 'check the database and the files for damage',
  help: `Usage: dragoman check [--fast] [--repair] [--json]

Checks the database and the stored files of the hub set in the environment (DRAGOMAN_DATA,
DRAGOMAN_DATABASE_URL, DRAGOMAN_BLOBS_URL) and prints one finding per line, and a summary.
It works while the hub runs, and changes nothing without --repair, except that it stores its result: dragoman findings shows
what the last check found.

It reads every stored file and compares it with its sha256. It verifies every row of the call log and the audit log against
the hash it carries, which covers the previous row. The last line says where both logs end: if you keep it elsewhere,
it shows whether a database was restored to an older state. Bytes without a row are a finding when they
are more than an hour old: before that, a call may still write their row.

  --fast    check only the sizes of files, without reading them
  --repair  remove bytes without a row, and leftovers of interrupted writes older than a day; nothing else
  --json    print JSON

Exit code: 0 clean (also after --repair fixed everything), 1 findings, 2 could not run.`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { fast: flag, repair: flag, json: flag } })
    const { fast = false, repair = false } = values
    const { checkHub, withHub } = await import('@dragoman/server/commands')
    const report = await withHub(screen.env, (hub) => checkHub(hub, { fast, repair }))
    const clean = report.findings.length === 0
    if (values.json) screen.out(JSON.stringify({ clean, ...report }, null, 2))
    else showReport(screen, report, fast)
    return clean ? 0 : 1
  },
}

export function showReport(
  screen: Screen,
  { findings, checked, heads, repaired }: Report,
  fast: boolean,
): void {
  for (const finding of findings) screen.out(line(finding))
  for (const { blobId, size } of repaired?.orphans ?? [])
    screen.out(`removed: blob ${blobId}: ${size} bytes without a row.`)
  if (repaired)
    screen.out(
      `Removed: ${count(repaired.orphans.length, 'orphan')}, ${count(repaired.leftovers, 'leftover')}.`,
    )
  const read = fast ? 'sizes only' : `${checked.bytes} bytes read`
  const seen = `${count(checked.files, 'file')} (${read}), ${count(checked.uploads, 'upload')}, ${count(checked.blobs, 'blob')}`
  const result = findings.length === 0 ? 'Nothing is damaged' : count(findings.length, 'finding')
  const ends = Object.entries(heads).map(
    ([name, { last, hash }]) => `${name} ends with row ${last} (${hash || 'none'})`,
  )
  screen.out(`${result}: ${seen} and all rows were checked; ${ends.join(', ')}.`)
}

const line = ({ check, weight, siteId, what, says, advice }: CheckFinding): string =>
  `${weight}: ${check}: ${what}${siteId === undefined ? '' : ` of site ${siteId}`}: ${says} ${advice}`
