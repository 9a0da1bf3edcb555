/** `dragoman work take` and `release`: who works on an asset task. */
import type { AssetTask } from '@dragoman/contract/wire'
import type { ProviderConnection, Work } from '@dragoman/sdk'
import { type Command, exitCodes, readArgs, text } from '../../command.ts'
import { openProgress } from '../../progress.ts'
import { count, json } from '../../table.ts'
import { help, jobIn, options, tasksOf, withHub } from './find-work.ts'

/** A verb that does one thing with each task of a job. */
function forEach(
  what: Pick<Command, 'says' | 'help'> & {
    /** Keeps the tasks it concerns, of those that are named or of all that are open. */
    readonly concerns?: (work: Work) => boolean
    readonly all?: boolean
    readonly act: (
      hub: ProviderConnection,
      work: Work,
      person: string | undefined,
    ) => Promise<AssetTask>
    readonly done: string
    readonly takesPerson?: boolean
  },
): Command {
  return {
    says: what.says,
    help: what.help,
    run: async (args, screen) => {
      const { values, positionals } = readArgs({
        args,
        allowPositionals: true,
        options: { ...options, ...(what.takesPerson && { person: text }) },
      })
      const { jobId, rest } = jobIn(positionals)
      const person = (values as { person?: string }).person
      return withHub(values, screen, async (hub) => {
        const found = await tasksOf(hub, values, {
          jobId,
          taskIds: rest,
          ...(what.all && { all: true }),
        })
        const wanted = rest.length > 0 ? found : found.filter(what.concerns ?? (() => true))
        const bar = openProgress(screen)
        const changed: AssetTask[] = []
        try {
          for (const one of wanted) {
            bar.show(changed.length, wanted.length, one.task.requestName)
            changed.push(await what.act(hub, one, person))
          }
        } finally {
          bar.end()
        }
        screen.out(
          values.json
            ? json(changed)
            : `${count(changed.length, 'asset task')} of job ${jobId} ${what.done}.`,
        )
        return exitCodes.done
      })
    },
  }
}

export const take = forEach({
  says: 'start work on a job',
  help: `Usage: dragoman work take JOB [TASK…] [OPTION]…

Acknowledges the job and starts its open asset tasks, or those you name: the customer sees that they are in translation.

  --person ID      also claim them for this person
${help}`,
  takesPerson: true,
  concerns: ({ task }) => task.statusCode !== 'TRANSLATION_SUBMITTED',
  act: async (hub, work, personId) => {
    const started = await hub.take(work)
    const { providerId, jobId, assetTaskId } = work
    return personId === undefined
      ? started
      : hub.claimAssetTask({ params: { providerId, jobId, assetTaskId }, body: { personId } })
  },
  done: 'taken',
})

export const release = forEach({
  says: 'release claimed asset tasks',
  help: `Usage: dragoman work release JOB [TASK…] [OPTION]…

Releases the claimed asset tasks of the job, or those you name: somebody else can claim them.

${help}`,
  concerns: ({ task }) => task.assignee !== undefined,
  act: (hub, { providerId, jobId, assetTaskId }) =>
    hub.releaseAssetTask({ params: { providerId, jobId, assetTaskId } }),
  done: 'released',
})
