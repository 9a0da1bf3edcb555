/** `dragoman requests`: the requests of a job. */
import { type JobRequest, type RequestStatus, requestStatuses } from '@dragoman/contract/wire'
import { type Command, readArgs, UsageError } from '../command.ts'
import { json, showTable } from '../table.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'
import { whichJob } from './which-job.ts'

export const requests: Command = {
  says: 'list the requests of a job',
  help: `Usage: dragoman requests [JOBID] [OPTION]…

Lists the requests of the job. The default job is the last one you pushed.

  --status CODE  only with this status (${requestStatuses.join(', ')}); repeatable
  --lang CODE    only this language
${hubHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        ...hubOptions,
        status: { type: 'string', multiple: true },
        lang: { type: 'string' },
      },
    })
    const statusCode = values.status?.map((code) => code.toUpperCase()) as
      | RequestStatus[]
      | undefined
    const unknown = statusCode?.find((code) => !requestStatuses.includes(code))
    if (unknown)
      throw new UsageError(
        `${unknown} is not a status of a request; the statuses are ${requestStatuses.join(', ')}.`,
      )
    const joined = await joinHub(values, screen)
    const jobId = await whichJob(joined, positionals[0])
    const query = {
      ...(statusCode && { statusCode }),
      ...(values.lang !== undefined && { targetNativeLanguageCode: values.lang }),
    }
    return withVersions(joined, async () => {
      const found: JobRequest[] = []
      for await (const one of joined.hub.each('listRequests', { params: { jobId }, query }))
        found.push(one)
      if (values.json) screen.out(json(found))
      else
        showTable(
          screen,
          found,
          [
            { title: 'REQUEST', of: (one) => one.requestId },
            { title: 'LANGUAGE', of: (one) => one.targetNativeLanguageCode },
            {
              title: 'STATE',
              of: (one) => (one.hasError ? `${one.statusCode} (error)` : one.statusCode),
            },
            { title: 'NAME', of: (one) => one.requestName },
          ],
          'No requests match.',
        )
      return 0
    })
  },
}
