/**
 * What a provider of people has filled in at the hand-over of a job (contract, section 15): a task,
 * which the desk runs (`desk/fill/`).
 */
import type { ProviderFill } from '@dragoman/contract'
import type { Change } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import type { JobRow, ProviderRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'

export const fillTask = 'fill-job'
export type FillPayload = { readonly siteId: string; readonly jobId: string }

export const fillOf = ({ fill }: Pick<ProviderRow, 'fill'>): ProviderFill | undefined =>
  fill === null ? undefined : (JSON.parse(fill) as ProviderFill)

/** Runs in the transaction that hands the job over. */
export async function fillLater(
  { hub, tx, causeId }: Change,
  { site_id: siteId, job_id: jobId }: Pick<JobRow, 'site_id' | 'job_id'>,
  provider: ProviderRow,
): Promise<void> {
  const fill = fillOf(provider)
  if (!fill) return
  const now = hub.clock.now()
  const payload: FillPayload = { siteId, jobId }
  // An engine may take long: such a task waits among its own.
  const outside =
    fill.from.includes('ENGINE') &&
    ({ lane: 'outside', key: `fill-${provider.provider_id}:${newId()}` } as const)
  await addTasks(hub.db, tx, now, [
    { name: fillTask, payload, siteId, dueAt: now, causeId, ...outside },
  ])
}
