/**
 * `dragoman sites`: the sites of a hub, for its operator: lists them with their sizes, removes and
 * exports them.
 */
import { type Command, exitCodes, readArgs, UsageError, verbsOnly } from '../command.ts'
import { writeAll } from '../connector/write-all.ts'
import { json, sizeText } from '../table.ts'
import { listCommand } from './list-command.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

const list = listCommand({
  name: 'sites list',
  says: 'list the sites with their sizes',
  about:
    'Lists the sites of the hub, newest first: how many jobs and clients they have and how many bytes they store.',
  call: 'listSites',
  filters: {},
  columns: [
    { title: 'SITE', of: (site) => site.siteId },
    { title: 'JOBS', of: (site) => site.jobs },
    { title: 'BYTES', of: (site) => sizeText(site.bytes) },
    { title: 'CLIENTS', of: (site) => site.clients },
    { title: 'CREATED', of: (site) => site.createdDate.slice(0, 10) },
    { title: 'STATE', of: (site) => (site.removalDate === undefined ? '' : 'being removed') },
  ],
  none: 'There are no sites; add one with dragoman clients add --site NAME.',
})

const remove: Command = {
  says: 'remove a site with everything in it',
  help: `Usage: dragoman sites delete SITE --yes [OPTION]…

Disables the clients of the site immediately and removes all of its data in the background: jobs, files, memory,
settings, clients. It cannot be undone; dragoman sites export saves a copy first. The call log keeps its calls for a week,
the audit log its acts for a year.

  --yes            do it
${reachHelp}`,
  run: async (args, screen) => {
    const options = { ...reachOptions, yes: { type: 'boolean' } } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const siteId = siteOf(positionals)
    if (!values.yes)
      throw new UsageError(
        `This removes everything of site ${siteId} for good; add --yes to do it.`,
      )
    const site = await reach(values, screen, (hub) =>
      hub.call('deleteSite', { params: { siteId } }),
    )
    screen.out(
      values.json
        ? json(site)
        : `Site ${siteId} is being removed: its clients are disabled, and a running hub removes its ${site.jobs} jobs and ${sizeText(site.bytes)} in the background.`,
    )
    return 0
  },
}

const exportAll: Command = {
  says: 'write all data of a site to a tar file',
  help: `Usage: dragoman sites export SITE [--to FILE|-] [--json]

Writes all data of one site as a tar stream, for a customer who leaves: rows as JSON lines (rows/), files (files/),
unencrypted even if the hub seals them. Secrets, keys and hashes are left out; export.json says which tables. It reads page by
page while the hub runs: data that changes in the meantime is exported as it was when it was read.

  --to FILE  the file, which must not exist yet; - for standard output (default: SITE.tar)
  --json     print JSON: the file, its size, and what could not be read

Works on the hub set in the environment (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL).
Exit code: 0 done, 1 some files could not be read, 2 could not run.`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      // It always works on the database; --local is accepted, too.
      options: { to: { type: 'string' }, local: { type: 'boolean' }, json: { type: 'boolean' } },
    })
    const siteId = siteOf(positionals)
    const to = values.to ?? `${siteId}.tar`
    const problems: string[] = []
    const { exportSite, withHub } = await import('@dragoman/server/commands')
    const bytes = await withHub(screen.env, (hub) =>
      writeAll(
        screen,
        to,
        exportSite(hub, siteId, (sentence) => problems.push(sentence)),
      ),
    )
    if (values.json && to !== '-') screen.out(json({ siteId, file: to, bytes, problems }))
    else for (const sentence of problems) screen.err(sentence)
    if (!values.json && to !== '-')
      screen.out(`Site ${siteId} was written to ${to} (${sizeText(bytes)}).`)
    return problems.length === 0 ? exitCodes.done : exitCodes.refused
  },
}

function siteOf(positionals: readonly string[]): string {
  const [siteId, ...more] = positionals
  if (!siteId || more.length > 0) throw new UsageError('Specify one site.')
  return siteId
}

const verbs: Readonly<Record<string, Command>> = { list, delete: remove, export: exportAll }

export const sites = verbsOnly('sites', 'list, remove and export sites', verbs)
