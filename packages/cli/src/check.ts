/** `dragoman check`: whether all that the database and the blob store hold fits together. Works beside a running hub. */
import type { Finding, Report } from '@dragoman/server/commands'
import { type Command, readArgs, type Screen } from './command.ts'

export const check: Command = {
  says: 'look for damage in the database and the files',
  help: `Usage: dragoman check [--fast] [--repair] [--json]

Looks at the database and the stored files of the hub that the environment names (DRAGOMAN_DATA,
DRAGOMAN_DATABASE_URL, DRAGOMAN_BLOBS_URL) and prints what does not fit together, one finding a line,
and a line that sums up. It changes nothing unless told to, and works beside a running hub.

Every stored file is read and held against its sha256. Every row of the call log and the audit log is held against
the hash it carries, which covers the row before it. The last line says where both logs end: kept elsewhere, it
shows whether a database was set back to an older state. Bytes that no row knows are a finding when they
are more than an hour old: until then a call may be about to write their row.

  --fast    only the sizes of files, without reading them
  --repair  remove bytes that no row knows, and what interrupted writes left a day ago; nothing else
  --json    print JSON

Exit code: 0 clean (also when --repair made it so), 1 findings, 2 could not run.`,
  run: async (args, screen) => {
    const flag = { type: 'boolean' } as const
    const { values } = readArgs({ args, options: { fast: flag, repair: flag, json: flag } })
    const { fast = false, repair = false } = values
    const { checkHub, withHub } = await import('@dragoman/server/commands')
    const report = await withHub(screen.env, (hub) => checkHub(hub, { fast, repair }))
    const clean = report.findings.length === 0
    if (values.json) screen.out(JSON.stringify({ clean, ...report }, null, 2))
    else show(screen, report, fast)
    return clean ? 0 : 1
  },
}

function show(screen: Screen, { findings, checked, heads, repaired }: Report, fast: boolean): void {
  for (const finding of findings) screen.out(line(finding))
  for (const { blobId, size } of repaired?.orphans ?? [])
    screen.out(`removed: blob ${blobId}: ${size} bytes that no row knows.`)
  if (repaired)
    screen.out(`Removed: ${count(repaired.orphans.length, 'orphan')}, ${count(repaired.leftovers, 'leftover')}.`)
  const read = fast ? 'sizes only' : `${checked.bytes} bytes read`
  const seen = `${count(checked.files, 'file')} (${read}), ${count(checked.uploads, 'upload')}, ${count(checked.blobs, 'blob')}`
  const result = findings.length === 0 ? 'Nothing is damaged' : count(findings.length, 'finding')
  const ends = Object.entries(heads).map(
    ([name, { last, hash }]) => `${name} ends with row ${last} (${hash || 'none'})`,
  )
  screen.out(`${result}: ${seen} and all rows were looked at; ${ends.join(', ')}.`)
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`

const line = ({ check, weight, siteId, what, says, advice }: Finding): string =>
  `${weight}: ${check}: ${what}${siteId === undefined ? '' : ` of site ${siteId}`}: ${says} ${advice}`
