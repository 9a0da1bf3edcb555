/** `dragoman approve` and `dragoman reject`: decide on translations in review. */
import { type Command, flag, readArgs, UsageError } from '../command.ts'
import { count, json } from '../table.ts'
import { hubHelp, hubOptions, type Joined, joinHub, withVersions } from './hub-connection.ts'
import { whichJob } from './which-job.ts'

const options = {
  ...hubOptions,
  job: { type: 'string' },
  all: flag,
  note: { type: 'string' },
} as const
const which = `  REQUESTID…     the requests; or
  --all          all requests in review
  --job JOBID    the job (default: the last one you pushed)`

export const approve: Command = {
  says: 'approve translations in review',
  help: `Usage: dragoman approve [REQUESTID…] [--all] [--job JOBID] [OPTION]…

Approves all of them, or none if one of them is not in review.

${which}
${hubHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    if (values.note !== undefined) throw new UsageError('--note is only for reject.')
    const joined = await joinHub(values, screen)
    const jobId = await whichJob(joined, values.job)
    return withVersions(joined, async () => {
      const requestIds = await idsOf(joined, jobId, positionals, values.all ?? false)
      if (requestIds.length > 0) await joined.hub.approve(jobId, requestIds)
      screen.out(
        values.json
          ? json({ jobId, approved: requestIds })
          : `${count(requestIds.length, 'request')} approved.`,
      )
      return 0
    })
  },
}

export const reject: Command = {
  says: 'reject translations in review, with a note',
  help: `Usage: dragoman reject [REQUESTID…] --note TEXT [--all] [--job JOBID] [OPTION]…

Rejects all of them, or none if one of them is not in review. The provider receives the note.

${which}
  --note TEXT    the reason
${hubHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const { note } = values
    if (!note) throw new UsageError('Give a reason with --note: the provider needs it.')
    const joined = await joinHub(values, screen)
    const jobId = await whichJob(joined, values.job)
    return withVersions(joined, async () => {
      const requestIds = await idsOf(joined, jobId, positionals, values.all ?? false)
      if (requestIds.length > 0)
        await joined.hub.rejectRequests({ params: { jobId }, body: { requestIds, note } })
      screen.out(
        values.json
          ? json({ jobId, rejected: requestIds })
          : `${count(requestIds.length, 'request')} rejected.`,
      )
      return 0
    })
  },
}

async function idsOf(
  { hub }: Joined,
  jobId: string,
  named: readonly string[],
  all: boolean,
): Promise<string[]> {
  if (named.length > 0 === all) throw new UsageError('Specify the requests, or --all.')
  if (!all) return [...named]
  const found: string[] = []
  const query = { statusCode: ['REVIEW_TRANSLATION' as const] }
  for await (const { requestId } of hub.each('listRequests', { params: { jobId }, query }))
    found.push(requestId)
  return found
}
