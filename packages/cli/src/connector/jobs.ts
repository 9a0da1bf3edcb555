/** `dragoman jobs`: the jobs of the site, and what a manager does with one. */
import type { Job } from '@dragoman/contract/wire'
import { type Command, readArgs, text, UsageError } from '../command.ts'
import { json, showTable } from '../table.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'
import { manageJob, managing } from './manage-job.ts'

export const jobs: Command = {
  says: 'list jobs; plan, cancel or copy one',
  help: `Usage: dragoman jobs [OPTION]…
       dragoman jobs plan [--job JOBID] [--due DATE] [--description TEXT]
       dragoman jobs cancel [--job JOBID] [--note TEXT]
       dragoman jobs copy [--job JOBID] [--to CODES] [--provider ID] [--name TEXT]

Lists the active jobs of the site, newest first. plan changes a submitted job, cancel ends all of
it that is not approved, and copy makes a new job with the same content (admin).

  --filter TEXT   for example "statusCode eq 'IN_TRANSLATION' and labels eq 'web'"
  --order TEXT    for example "dueDate" (default: createdDate desc)
  --archived      list archived jobs instead
  --limit N       list at most N jobs (default: 50)
  --job JOBID     the job (default: the last one you pushed)
  --due DATE      the new due date
  --description TEXT
                  the new description
  --note TEXT     why it is cancelled, for both sides
  --to CODES      the languages of the copy, with commas between them
  --provider ID   the provider of the copy
  --name TEXT     the name of the copy
${hubHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        ...hubOptions,
        filter: text,
        order: text,
        archived: { type: 'boolean' },
        limit: text,
        ...{ job: text, due: text, description: text, note: text },
        ...{ to: text, provider: text, name: text },
      },
    })
    const [does, ...more] = positionals
    const act = managing.find((name) => name === does)
    if (more.length > 0 || (does !== undefined && !act))
      throw new UsageError(`dragoman jobs takes one of ${managing.join(', ')}, or nothing.`)
    const limit = readLimit(values.limit)
    const joined = await joinHub(values, screen)
    if (act) return withVersions(joined, () => manageJob(joined, screen, act, values))
    const query = {
      ...(values.filter !== undefined && { filter: values.filter }),
      ...(values.order !== undefined && { orderBy: values.order }),
    }
    return withVersions(joined, async () => {
      const found: Job[] = []
      for await (const job of joined.hub.each(values.archived ? 'listArchivedJobs' : 'listJobs', {
        query,
      })) {
        if (found.length >= limit) break
        found.push(job)
      }
      if (values.json) screen.out(json(found))
      else
        showTable(
          screen,
          found,
          [
            { title: 'JOB', of: (job) => job.jobId },
            {
              title: 'STATE',
              of: (job) => (job.hasError ? `${job.statusCode} (error)` : job.statusCode),
            },
            { title: 'CREATED', of: (job) => job.createdDate.slice(0, 16).replace('T', ' ') },
            { title: 'NAME', of: (job) => job.jobName },
          ],
          'There are no jobs.',
        )
      return 0
    })
  },
}

export function readLimit(text = '50'): number {
  const limit = Number(text)
  if (!/^\d{1,7}$/.test(text) || limit < 1)
    throw new UsageError(`--limit must be a whole number of at least 1, not "${text}".`)
  return limit
}
