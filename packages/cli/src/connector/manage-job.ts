/** `dragoman jobs plan`, `cancel` and `copy`: what a manager does with a job after its submission. */
import { type Screen, UsageError } from '../command.ts'
import { json } from '../table.ts'
import type { Joined } from './hub-connection.ts'
import { whichJob } from './which-job.ts'

export const managing = ['plan', 'cancel', 'copy'] as const
export type Managing = (typeof managing)[number]
export type Managed = {
  readonly job?: string | undefined
  readonly due?: string | undefined
  readonly description?: string | undefined
  readonly note?: string | undefined
  readonly to?: string | undefined
  readonly provider?: string | undefined
  readonly name?: string | undefined
  readonly json?: boolean | undefined
}

export async function manageJob(
  joined: Joined,
  screen: Screen,
  does: Managing,
  given: Managed,
): Promise<number> {
  const { hub } = joined
  const { due, description, note, to, provider, name } = given
  if (does === 'plan' && due === undefined && description === undefined)
    throw new UsageError('Give --due, --description or both.')
  const params = { jobId: await whichJob(joined, given.job) }
  if (does === 'plan') {
    const body = {
      ...(due !== undefined && { dueDate: due }),
      ...(description !== undefined && { description }),
    }
    const job = await hub.planJob({ params, body })
    screen.out(given.json ? json(job) : `Job ${job.jobId} is due ${job.dueDate ?? 'at no time'}.`)
    return 0
  }
  if (does === 'cancel') {
    const job = await hub.cancelJob({ params, body: { ...(note !== undefined && { note }) } })
    screen.out(given.json ? json(job) : `Job ${job.jobId} is ${job.statusCode}.`)
    return 0
  }
  const languages = to?.split(',').map((code) => code.trim())
  const copy = await hub.copyJob({
    params,
    body: {
      ...(name !== undefined && { jobName: name }),
      ...(provider !== undefined && { providerId: provider }),
      ...(languages && { targetNativeLanguageCodes: languages }),
    },
  })
  screen.out(given.json ? json(copy) : `Job ${copy.jobId} is a copy; it is not submitted yet.`)
  return 0
}
