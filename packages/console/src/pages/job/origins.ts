/**
 * Creation and submission stay in the timeline for the life of the job: when the call log no longer
 * has their calls, the job itself says when it was created and by whom, and the move of the
 * submission gets the name of who submitted it.
 */
import type { Job } from '@dragoman/contract/wire'
import type { Entry } from './timeline-rows.ts'

type Origin = Pick<Job, 'jobId' | 'createdDate' | 'creatorId' | 'submitterId'>

const isCreation = ({ kind, method, route, statusCode }: Entry): boolean =>
  kind === 'call' &&
  method === 'POST' &&
  route?.endsWith('/jobs') === true &&
  Number(statusCode) < 300

/** `isWhole`: the entries reach back to the beginning. Newest first. */
export function withOrigins(
  job: Origin,
  entries: readonly Entry[],
  isWhole: boolean,
): readonly Entry[] {
  const calls = new Set(entries.filter(({ kind }) => kind === 'call').map(({ id }) => id))
  const told = entries.map((entry) =>
    entry.kind === 'move' &&
    entry.move === 'submit' &&
    !entry.requestIds &&
    !calls.has(entry.causeId)
      ? { ...entry, ...(job.submitterId !== undefined && { clientId: job.submitterId }) }
      : entry,
  )
  if (!isWhole || entries.some(isCreation)) return told
  const created: Entry = {
    kind: 'move',
    id: `${job.jobId}.created`,
    causeId: `${job.jobId}.created`,
    time: job.createdDate,
    move: 'create',
    to: 'CREATED',
    clientId: job.creatorId,
  }
  return [...told, created]
}
