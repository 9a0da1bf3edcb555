/** `dragoman status`: the state of a job and of each of its languages. */
import type { Job, JobRequest } from '@dragoman/contract/wire'
import { type Command, exitCodes, readArgs, type Screen } from '../command.ts'
import { interruptible } from '../interrupt.ts'
import { count, green, json, red, showTable } from '../table.ts'
import { hubHelp, hubOptions, type Joined, joinHub, withVersions } from './hub-connection.ts'
import { openJobWaiting } from './job-waiting.ts'
import { whichJob } from './which-job.ts'

export const status: Command = {
  says: 'show the status of a job',
  help: `Usage: dragoman status [JOBID] [OPTION]…

Shows the status of the job and the progress of each language. The default job is the last one you pushed.

  --follow         wait until every translation is ready or has failed, and say what for; with --json, one line per change
${hubHelp}

Exit code: 0 every translation is ready (or the job is completed), 1 the job has an error or was cancelled,
5 not ready yet; 2, 3 and 4 as in dragoman --help.`,
  run: async (args, screen) => {
    const options = { ...hubOptions, follow: { type: 'boolean' } } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const joined = await joinHub(values, screen)
    const jobId = await whichJob(joined, positionals[0])
    return withVersions(joined, async () => {
      if (values.follow) await follow(joined, jobId, screen, values.json ?? false)
      const job = await joined.hub.findJob({ params: { jobId } })
      const requests: JobRequest[] = []
      if (!job.archived)
        for await (const one of joined.hub.each('listRequests', { params: { jobId } }))
          requests.push(one)
      if (values.json)
        screen.out(values.follow ? JSON.stringify({ job, requests }) : json({ job, requests }))
      else show(screen, job, requests)
      return codeOf(job, requests)
    })
  },
}

/** A draft is not watched: nothing happens until it is submitted. */
async function follow(
  { hub }: Joined,
  jobId: string,
  screen: Screen,
  asJson: boolean,
): Promise<void> {
  const { statusCode, archived } = await hub.findJob({ params: { jobId } })
  if (statusCode === 'CREATED' || archived) return
  const waiting = openJobWaiting(screen)
  let told = ''
  try {
    await interruptible('Interrupted; the job goes on.', (signal) =>
      hub.wait(jobId, {
        signal,
        everyMs: 500,
        mostMs: 10_000,
        onProgress: (job) => {
          if (!asJson) return waiting.tell(job)
          const line = JSON.stringify({
            jobId,
            statusCode: job.statusCode,
            ...job.aggregateRequests,
          })
          if (line !== told) screen.out(line)
          told = line
        },
      }),
    )
  } finally {
    waiting.end()
  }
}

const ready = (one: JobRequest): boolean =>
  ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED'].includes(one.statusCode)

function codeOf(job: Job, requests: readonly JobRequest[]): number {
  if (job.statusCode === 'CANCELLED' || job.hasError || requests.some(({ hasError }) => hasError))
    return exitCodes.refused
  const isDone =
    job.statusCode === 'COMPLETED' ||
    (requests.length > 0 && requests.every((one) => ready(one) || one.statusCode === 'CANCELLED'))
  return isDone || job.archived ? exitCodes.done : exitCodes.notReady
}

function show(screen: Screen, job: Job, requests: readonly JobRequest[]): void {
  const state = job.archived ? `${job.statusCode}, ${job.archiveStatus}` : job.statusCode
  screen.out(`Job ${job.jobId} "${job.jobName}" is ${job.hasError ? red(screen, state) : state}.`)
  if (job.latestErrorMessage !== undefined && job.hasError)
    screen.out(red(screen, job.latestErrorMessage))
  const languages = new Map<string, JobRequest[]>()
  for (const one of requests)
    languages.set(one.targetNativeLanguageCode, [
      ...(languages.get(one.targetNativeLanguageCode) ?? []),
      one,
    ])
  if (languages.size === 0) return
  showTable(
    screen,
    [...languages],
    [
      { title: 'LANGUAGE', of: ([code]) => code },
      { title: 'READY', of: ([, list]) => `${list.filter(ready).length} of ${list.length}` },
      {
        title: 'STATES',
        of: ([, list]) => [...new Set(list.map(({ statusCode }) => statusCode))].join(', '),
      },
      { title: 'ERRORS', of: ([, list]) => list.filter(({ hasError }) => hasError).length || '' },
    ],
    '',
  )
  for (const { requestName, targetNativeLanguageCode, lastTry } of requests)
    if (lastTry)
      screen.out(
        `${requestName} (${targetNativeLanguageCode}): ${lastTry.message} Next attempt at ${lastTry.nextTime}.`,
      )
  for (const one of requests.filter(({ hasError }) => hasError))
    screen.out(
      red(
        screen,
        `${one.requestName} (${one.targetNativeLanguageCode}): ${one.latestErrorMessage ?? 'error'}`,
      ),
    )
  if (requests.every(ready))
    screen.out(green(screen, `${count(requests.length, 'translation')} can be pulled.`))
}
