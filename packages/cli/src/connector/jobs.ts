/** `dragoman jobs`: the jobs of the site. */
import type { Job } from '@dragoman/contract/wire'
import { type Command, readArgs, text, UsageError } from '../command.ts'
import { json, showTable } from '../table.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'

export const jobs: Command = {
  says: 'list jobs',
  help: `Usage: dragoman jobs [OPTION]…

Lists the active jobs of the site, newest first.

  --filter TEXT   for example "statusCode eq 'IN_TRANSLATION' and labels eq 'web'"
  --order TEXT    for example "dueDate" (default: createdDate desc)
  --archived      list archived jobs instead
  --limit N       list at most N jobs (default: 50)
${hubHelp}`,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: {
        ...hubOptions,
        filter: text,
        order: text,
        archived: { type: 'boolean' },
        limit: text,
      },
    })
    const limit = readLimit(values.limit)
    const joined = await joinHub(values, screen)
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
