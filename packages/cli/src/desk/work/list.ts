/** `dragoman work list`: the asset tasks of a provider. */
import type { AssetTask } from '@dragoman/contract/wire'
import type { Work } from '@dragoman/sdk'
import { type Command, exitCodes, readArgs, text } from '../../command.ts'
import { readLimit } from '../../connector/jobs.ts'
import { json, showTable } from '../../table.ts'
import { help, options, withHub } from './find-work.ts'

const shownLanguages = ({
  sourceNativeLanguageCode,
  targetNativeLanguageCode,
}: AssetTask): string => `${sourceNativeLanguageCode} ${targetNativeLanguageCode}`
const stateOf = ({ statusCode, hasError }: AssetTask): string =>
  hasError ? `${statusCode} (error)` : statusCode

export const list: Command = {
  says: 'list the asset tasks that wait for a translation',
  help: `Usage: dragoman work list [JOB] [OPTION]…

Lists the asset tasks of your open jobs, or of one job.

  --all            also those that are delivered, approved or cancelled
  --limit N        list at most N (default: 50)
${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...options, all: { type: 'boolean' }, limit: text },
    })
    const limit = readLimit(values.limit)
    const { provider, all } = values
    const [jobId] = positionals
    return withHub(values, screen, async (hub) => {
      const found: Work[] = []
      const asked = {
        ...(provider !== undefined && { provider }),
        ...(jobId && { jobId }),
        ...(all && { all }),
      }
      for await (const one of hub.work(asked)) {
        found.push(one)
        if (found.length === limit) break
      }
      if (values.json)
        screen.out(json(found.map(({ providerId, task }) => ({ providerId, ...task }))))
      else
        showTable(
          screen,
          found,
          [
            { title: 'JOB', of: ({ jobId }) => jobId },
            { title: 'TASK', of: ({ assetTaskId }) => assetTaskId },
            { title: 'LANGUAGES', of: ({ task }) => shownLanguages(task) },
            { title: 'STATE', of: ({ task }) => stateOf(task) },
            { title: 'DUE', of: ({ job }) => job.dueDate?.slice(0, 10) },
            { title: 'TAKEN BY', of: ({ task }) => task.assignee?.name ?? task.assignee?.personId },
            { title: 'NAME', of: ({ task }) => task.requestName },
          ],
          'There is no work.',
        )
      return exitCodes.done
    })
  },
}
