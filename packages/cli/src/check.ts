/**
 * `dragoman check`: whether everything in the database and the blob store is consistent. Works
 * beside a running hub. With two files it checks a translation instead and needs no hub.
 */
import type { CheckFinding, Report } from '@dragoman/server/commands'
import { type Command, flag, readArgs, type Screen, text, UsageError } from './command.ts'
import { count } from './table.ts'

const hubOptions = { fast: flag, repair: flag } as const
const fileOptions = {
  'source-language': text,
  'target-language': text,
  format: text,
  blocking: flag,
} as const

function refuseOptions([first]: readonly string[], because: string): void {
  if (first !== undefined) throw new UsageError(`--${first} ${because}.`)
}

export const check: Command = {
  says: 'check the database and the files of a hub for damage, or a translation',
  help: `Usage: dragoman check [--fast] [--repair] [--json]
       dragoman check SOURCE TRANSLATION --target-language CODE [--source-language CODE] [--format NAME] [--blocking] [--json]

Without files: checks the database and the stored files of the hub set in the environment (DRAGOMAN_DATA,
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

With two files: checks TRANSLATION, a translation of the file SOURCE, as the hub checks what a provider delivers: that no
text is missing or added, then placeholders and tags, numbers, punctuation, spaces, links and more (docs/checks.md).
It prints one finding per line, and a summary. Needs no hub.

  --target-language CODE  the language of TRANSLATION, such as de-DE
  --source-language CODE  the language of SOURCE; default: en
  --format NAME           the format of both; default: by name and content (dragoman formats lists them)
  --blocking              of the checks, only those that block a delivery

Exit code: 0 clean (also after --repair fixed everything), 1 findings, 2 could not run.`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...hubOptions, ...fileOptions, json: flag },
    })
    const named = (options: object) => Object.keys(options).filter((name) => name in values)
    if (positionals.length > 0) {
      const [source, translation, ...more] = positionals
      if (source === undefined || translation === undefined || more.length > 0)
        throw new UsageError('To check a translation, name two files: SOURCE and TRANSLATION.')
      refuseOptions(named(hubOptions), 'checks a hub; leave out the files, or this option')
      const { checkTranslatedFile } = await import('./files/check-translation.ts')
      return checkTranslatedFile(screen, {
        source,
        translation,
        sourceLanguage: values['source-language'],
        targetLanguage: values['target-language'],
        format: values.format,
        blocking: values.blocking ?? false,
        json: values.json ?? false,
      })
    }
    refuseOptions(
      named(fileOptions),
      'checks a translation; name two files, SOURCE and TRANSLATION',
    )
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
