/**
 * `dragoman pull`: the translations of a job into the project. Every path is known and checked before the first byte is
 * written; every file is there whole or not at all.
 */
import type { Job, JobRequest } from '@dragoman/contract/wire'
import { writeWhole } from '@dragoman/sdk/node'
import { type Command, exitCodes, Refusal, readArgs, type Screen } from '../command.ts'
import { interruptible } from '../interrupt.ts'
import { openProgress } from '../progress.ts'
import { count, json } from '../table.ts'
import { hubHelp, hubOptions, type Joined, joinHub, withVersions } from './hub-connection.ts'
import { besideRoot, mustBePattern, type Placed, placeAll, usualPattern } from './pull-paths.ts'
import { whichJob } from './which-job.ts'

const flag = { type: 'boolean' } as const
const many = { type: 'string', multiple: true } as const

export const pull: Command = {
  says: 'fetch translations into a path pattern such as {lang}/{path}',
  help: `Usage: dragoman pull [JOBID] [OPTION]…

Writes the translations that are there; without a job id, of the job that was pushed last.

  --output PATTERN  where to, from the project's folder; {lang} {path} {dir} {name} {ext} are filled
                    (output in dragoman.yml; ${usualPattern})
  --lang LIST       only these languages; may be repeated
  --wait            wait until every request is translated or failed
  --approve         approve what was pulled
  --complete        complete the job when all was pulled
${hubHelp}

Exit code: 0 every translation was written, 1 refused (a pattern that leads outside, no space, an error of the provider),
5 some are not ready yet (those that are were written); 2, 3, 4 and 130 as everywhere.`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...hubOptions, output: { type: 'string' }, lang: many, wait: flag, approve: flag, complete: flag },
    })
    const joined = await joinHub(values, screen)
    const jobId = await whichJob(joined, positionals[0])
    const pattern = values.output ?? joined.project.output ?? usualPattern
    mustBePattern(pattern)
    const languages = values.lang?.flatMap((list) => list.split(/[\s,]+/)).map((code) => code.toLowerCase())
    return withVersions(joined, () =>
      interruptible('Interrupted; what was written is whole. Run it again for the rest.', async (signal) => {
        if (values.wait) mustBeComing(await joined.hub.findJob({ params: { jobId } }, { signal }))
        const all = await ask(joined, jobId, values.wait ?? false, screen, signal)
        const wanted = (one: JobRequest) => !languages || languages.includes(one.targetNativeLanguageCode.toLowerCase())
        const ready = all.ready.filter(wanted)
        const placed = await placeAll(joined.project.root, pattern, ready)
        await write(joined, placed, screen, signal)
        const ids = ready
          .filter(({ statusCode }) => statusCode === 'REVIEW_TRANSLATION')
          .map(({ requestId }) => requestId)
        if (values.approve && ids.length > 0) await joined.hub.approve(jobId, ids)
        const [open, failed] = [all.open.filter(wanted), all.failed.filter(wanted)]
        if (values.complete && open.length + failed.length === 0)
          await joined.hub.completeJob({ params: { jobId } }, { signal })
        if (values.json) screen.out(json({ jobId, written: placed.map((one) => shown(joined, one)), open, failed }))
        else tell(screen, placed, open, failed)
        return failed.length > 0 ? exitCodes.refused : open.length > 0 ? exitCodes.notReady : exitCodes.done
      }),
    )
  },
}

/** What was never sent, or is archived, does not come by waiting. */
function mustBeComing({ jobId, statusCode, archived }: Job): void {
  if (archived) throw new Refusal(`Job ${jobId} is archived, so its translations cannot be had; unarchive it first.`)
  if (statusCode === 'CREATED')
    throw new Refusal(`Job ${jobId} was not submitted, so no translation can come; run dragoman push to its end.`)
}

async function ask({ hub }: Joined, jobId: string, wait: boolean, screen: Screen, signal: AbortSignal) {
  const bar = openProgress(screen)
  let told = ''
  try {
    return await hub.wait(jobId, {
      signal,
      everyMs: 500,
      mostMs: 15_000,
      ...(wait ? {} : { timeoutMs: 0 }),
      onProgress: ({ aggregateRequests }) => {
        const { total = 0, byStatusCode = {} } = aggregateRequests ?? {}
        const done = (byStatusCode.REVIEW_TRANSLATION ?? 0) + (byStatusCode.TRANSLATION_APPROVED ?? 0)
        const open = Object.entries(byStatusCode).filter(([status]) => !settled.includes(status))
        const what = open.map(([status, many]) => `${many} ${status}`).join(', ')
        if (!wait || what === '') return
        // A person sees the bar; a log gets a line whenever something has changed.
        if (screen.isTerminal.err) bar.show(done, total, `waiting for ${what}`)
        else if (what !== told) screen.err(`Waiting for job ${jobId}: ${done} of ${total} translated, ${what}.`)
        told = what
      },
    })
  } finally {
    bar.end()
  }
}

const settled: readonly string[] = ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED', 'CANCELLED']

async function write({ hub, project }: Joined, placed: readonly Placed[], screen: Screen, signal: AbortSignal) {
  const bar = openProgress(screen)
  try {
    for (const [at, { request, path }] of placed.entries()) {
      signal.throwIfAborted()
      bar.show(at, placed.length, besideRoot(project.root, path))
      if (request.fileName !== undefined) await writeWhole(path, (await hub.download(request, { signal })).chunks())
      else await writeWhole(path, [new TextEncoder().encode(`${JSON.stringify(await hub.fields(request), null, 2)}\n`)])
    }
  } catch (error) {
    throw asRefusal(error)
  } finally {
    bar.end()
  }
}

const diskTroubles: Record<string, string> = {
  ENOSPC: 'there is no space left',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'it cannot be written to',
  EACCES: 'it may not be written to',
  EISDIR: 'a folder is in the way',
  ENOTDIR: 'a file is in the way of a folder',
}

function asRefusal(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const trouble = code === undefined ? undefined : diskTroubles[code]
  if (trouble === undefined) return error
  const where = path === undefined ? 'The translation' : path.replace(/\.[0-9a-f]{12}\.part$/, '')
  return new Refusal(
    `${where} was not written: ${trouble}. What was written before is whole; run it again for the rest.`,
  )
}

const shown = ({ project }: Joined, { request, path }: Placed) => ({
  requestId: request.requestId,
  language: request.targetNativeLanguageCode,
  path: besideRoot(project.root, path),
})

function tell(
  screen: Screen,
  placed: readonly Placed[],
  open: readonly JobRequest[],
  failed: readonly JobRequest[],
): void {
  for (const { path } of placed) screen.out(besideRoot(screen.cwd, path))
  screen.out(`${count(placed.length, 'translation')} written.`)
  if (open.length > 0) screen.out(`${count(open.length, 'request')} not ready yet; --wait waits for them.`)
  for (const one of failed)
    screen.out(
      `${one.requestName} (${one.targetNativeLanguageCode}) failed: ${one.latestErrorMessage ?? 'no reason given'}`,
    )
}
