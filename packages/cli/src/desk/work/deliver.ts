/**
 * `dragoman work put` and `deliver`: translations on their way back, as files, segments or a
 * package.
 */
import { openAsBlob } from 'node:fs'
import { type AssetTask, HubError } from '@dragoman/contract/wire'
import type { ProviderConnection, Work } from '@dragoman/sdk'
import { fileSource } from '@dragoman/sdk/node'
import {
  type Command,
  exitCodes,
  Refusal,
  readArgs,
  type Screen,
  text,
  UsageError,
} from '../../command.ts'
import { interruptible } from '../../interrupt.ts'
import { openProgress } from '../../progress.ts'
import { count, json, sizeText } from '../../table.ts'
import { help, jobIn, mustExist, options, tasksOf, withHub } from './find-work.ts'

export const put: Command = {
  says: 'upload the translated file of an asset task',
  help: `Usage: dragoman work put JOB TASK FILE [OPTION]…

Uploads the translation of an asset task. dragoman work deliver hands it over.

${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const { jobId, rest } = jobIn(positionals)
    const [taskId, file, ...more] = rest
    if (!taskId || !file || more.length > 0)
      throw new UsageError('Specify a JOB, a TASK and a FILE.')
    const source = await fileSource(await mustExist(screen, file))
    return withHub(values, screen, async (hub) => {
      const [work] = await tasksOf(hub, values, { jobId, taskIds: [taskId] })
      const bar = openProgress(screen)
      const says = 'Interrupted. The next run continues the upload.'
      const done = await interruptible(says, (signal) =>
        hub.put(work as Work, source, {
          signal,
          onProgress: (sent, size) => bar.show(sent, size, file),
        }),
      ).finally(() => bar.end())
      screen.out(
        values.json
          ? json(done)
          : `Uploaded ${file} (${sizeText(source.size)}); now run dragoman work deliver.`,
      )
      return exitCodes.done
    })
  },
}

export const deliver: Command = {
  says: 'deliver translations',
  help: `Usage: dragoman work deliver JOB [TASK…] [OPTION]…
       dragoman work deliver JOB --package FILE [--dry-run] [OPTION]…

Delivers the open asset tasks of the job, or those you name: the file that dragoman work put uploaded, otherwise the segments as they
were written. With --package, delivers what is in the package, all of it or nothing.

  --package FILE   a ZIP that dragoman work get saved, with the translations in it
  --dry-run        only check the package
${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...options, package: text, 'dry-run': { type: 'boolean' } },
    })
    const { jobId, rest } = jobIn(positionals)
    if (values.package === undefined && values['dry-run'])
      throw new UsageError('--dry-run needs --package.')
    if (values.package !== undefined && rest.length > 0)
      throw new UsageError('A package says which asset tasks are delivered; name no TASK.')
    const body =
      values.package === undefined
        ? undefined
        : await openAsBlob(await mustExist(screen, values.package))
    return withHub(values, screen, async (hub) => {
      const work = await tasksOf(hub, values, { jobId, taskIds: rest, ...(body && { all: true }) })
      if (body) return deliverPackage(hub, screen, work, { body, ...values })
      const bar = openProgress(screen)
      const delivered: AssetTask[] = []
      try {
        for (const one of work) {
          bar.show(delivered.length, work.length, one.task.requestName)
          delivered.push(await deliverOne(hub, one))
        }
      } finally {
        bar.end()
      }
      screen.out(
        values.json
          ? json(delivered)
          : `${count(delivered.length, 'asset task')} of job ${jobId} delivered.`,
      )
      for (const { requestName, warnings = [] } of values.json ? [] : delivered)
        for (const warning of warnings) screen.out(`  ${requestName}: ${warning}`)
      return exitCodes.done
    })
  },
}

/** What was uploaded, else the segments. */
async function deliverOne(hub: ProviderConnection, work: Work): Promise<AssetTask> {
  try {
    return await hub.deliver(work)
  } catch (error) {
    if (
      !(error instanceof HubError) ||
      error.code !== 'TRANSLATION_NOT_READY' ||
      work.task.segments === false
    )
      throw error
    const { providerId, jobId, assetTaskId } = work
    return hub.deliverSegments({ params: { providerId, jobId, assetTaskId } })
  }
}

type Sent = { readonly body: Blob; readonly 'dry-run'?: boolean; readonly json?: boolean }

async function deliverPackage(
  hub: ProviderConnection,
  screen: Screen,
  [first]: readonly Work[],
  { body, 'dry-run': dryRun, json: asJson }: Sent,
): Promise<number> {
  if (!first) throw new Refusal('The job has no asset tasks.')
  const { providerId, jobId } = first
  try {
    const query = dryRun ? { dryRun: true } : {}
    const done = await hub.deliverPackage({ params: { providerId, jobId }, query, body })
    const { delivered, unchanged } = done
    const verb = dryRun ? 'would be delivered' : 'delivered'
    screen.out(
      asJson
        ? json(done)
        : `${count(delivered.length, 'asset task')} ${verb}, ${unchanged.length} unchanged.`,
    )
    return exitCodes.done
  } catch (error) {
    for (const { file, segmentId, problem } of problemsOf(error))
      screen.err(`${file}${segmentId === undefined ? '' : `, segment ${segmentId}`}: ${problem}`)
    throw error
  }
}

type Problem = { readonly file: string; readonly segmentId?: string; readonly problem: string }
function problemsOf(error: unknown): readonly Problem[] {
  const also =
    error instanceof HubError && error.code === 'PACKAGE_INVALID' ? error.also : undefined
  return (also as { problems?: Problem[] } | undefined)?.problems ?? []
}
