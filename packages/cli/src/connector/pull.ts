/**
 * `dragoman pull`: writes the translations of a job into the project. Checks every path before the first byte is written; every
 * file is complete or absent.
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
  says: 'download translations into paths such as {lang}/{path}',
  help: `Usage: dragoman pull [JOBID] [OPTION]…

Downloads the translations that are ready. The default job is the last one you pushed.

  --output PATTERN  target path, relative to the project folder; {lang} {path} {dir} {name} {ext} are replaced
                    (output in dragoman.yml; default ${usualPattern})
  --lang LIST       only these languages; repeatable
  --wait            wait until every request is translated or has failed
  --approve         approve the translations that were downloaded
  --complete        complete the job when everything was downloaded
${hubHelp}

Exit code: 0 every translation was written, 1 refused (a path outside the project, no space, a provider error),
5 some are not ready yet (the others were written); 2, 3, 4 and 130 as in dragoman --help.`,
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
      interruptible(
        'Interrupted; the files written so far are complete. Run the command again for the rest.',
        async (signal) => {
          if (values.wait) mustBeComing(await joined.hub.findJob({ params: { jobId } }, { signal }))
          const all = await ask(joined, jobId, values.wait ?? false, screen, signal)
          const wanted = (one: JobRequest) =>
            !languages || languages.includes(one.targetNativeLanguageCode.toLowerCase())
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
        },
      ),
    )
  },
}

/** Waiting does not help if the job was never submitted, or is archived. */
function mustBeComing({ jobId, statusCode, archived }: Job): void {
  if (archived)
    throw new Refusal(`Job ${jobId} is archived, so its translations cannot be downloaded; unarchive it first.`)
  if (statusCode === 'CREATED')
    throw new Refusal(`Job ${jobId} has not been submitted, so it has no translations; finish dragoman push first.`)
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
        // A terminal shows the bar; a log gets a line on each change.
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
  EDQUOT: 'the disk quota is used up',
  EROFS: 'it is read-only',
  EACCES: 'permission denied',
  EISDIR: 'a folder is in the way',
  ENOTDIR: 'a file is in the way of a folder',
}

function asRefusal(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const trouble = code === undefined ? undefined : diskTroubles[code]
  if (trouble === undefined) return error
  const where = path === undefined ? 'The translation' : path.replace(/\.[0-9a-f]{12}\.part$/, '')
  return new Refusal(
    `${where} was not written: ${trouble}. The files written so far are complete; run the command again for the rest.`,
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
  if (open.length > 0) screen.out(`${count(open.length, 'request')} not ready yet; use --wait to wait for them.`)
  for (const one of failed)
    screen.out(
      `${one.requestName} (${one.targetNativeLanguageCode}) failed: ${one.latestErrorMessage ?? 'no reason given'}`,
    )
}
