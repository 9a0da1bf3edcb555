/** `dragoman work get`: a job as a package, or the source of one asset task. */
import { resolve } from 'node:path'
import type { PackageFormat } from '@dragoman/contract/wire'
import { saveDownload } from '@dragoman/sdk/node'
import {
  type Command,
  exitCodes,
  Refusal,
  readArgs,
  type Screen,
  text,
  UsageError,
} from '../../command.ts'
import { writeAll } from '../../connector/write-all.ts'
import { openProgress } from '../../progress.ts'
import { json, sizeText } from '../../table.ts'
import { help, jobIn, options, tasksOf, withHub } from './find-work.ts'

const packageFormats = [
  'xliff12',
  'xliff2',
  'omegat',
  'original',
] as const satisfies readonly PackageFormat[]

export const get: Command = {
  says: 'download a job as a package, or the source of one asset task',
  help: `Usage: dragoman work get JOB [TASK] [OPTION]…

Saves the job as a ZIP to work on: ${packageFormats.join(', ')}. With TASK, saves the source file of this asset task.

  --format FORMAT  the format of the package (default: xliff12)
  --lang CODE      only this target language
  --output PATH    the file of the package (default: JOB.zip; - is standard output), or the folder of the source file
${help}`,
  values: { '--format': packageFormats },
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...options, format: text, lang: text, output: text },
    })
    const { jobId, rest } = jobIn(positionals)
    if (rest.length > 1)
      throw new UsageError('Specify at most one TASK; a package has all of them.')
    const format = packageFormats.find((one) => one === (values.format ?? 'xliff12'))
    if (!format) throw new UsageError(`--format must be one of ${packageFormats.join(', ')}.`)
    return withHub(values, screen, async (hub) => {
      const [first] = await tasksOf(hub, values, { jobId, taskIds: rest, all: true })
      if (!first) throw new Refusal(`The job ${jobId} has no asset tasks.`)
      if (rest.length > 0) {
        const path = await saveDownload(
          resolve(screen.cwd, values.output ?? '.'),
          first.task.filename,
          await hub.download(first),
        )
        screen.out(values.json ? json({ path }) : `Saved ${path}.`)
        return exitCodes.done
      }
      const query = { format, ...(values.lang !== undefined && { target: values.lang }) }
      const params = { providerId: first.providerId, jobId }
      const answer = await hub.downloadPackage({ params, query })
      const output = values.output ?? `${jobId}.zip`
      const bytes = await writeAll(screen, output, shownAs(screen, output, answer)).catch(
        (error: unknown) => {
          throw isThere(error)
            ? new Refusal(`${output} exists; remove it, or give another --output.`)
            : error
        },
      )
      if (output !== '-')
        screen.out(
          values.json ? json({ path: output, bytes }) : `Saved ${output} (${sizeText(bytes)}).`,
        )
      return exitCodes.done
    })
  },
}

const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

async function* shownAs(
  screen: Screen,
  name: string,
  { body, headers }: Response,
): AsyncIterable<Uint8Array> {
  const bar = openProgress(screen)
  const size = Number(headers.get('content-length') ?? 0)
  let read = 0
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      read += piece.length
      bar.show(read, Math.max(size, read), name)
      yield piece
    }
  } finally {
    bar.end()
  }
}
