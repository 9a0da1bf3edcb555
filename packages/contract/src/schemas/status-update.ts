/**
 * Status updates: immutable, numbered without a gap for the client that owns the job (contract,
 * section 4).
 */
import type { Static } from 'typebox'
import { requestStatuses } from '../lifecycle.ts'
import { limits } from '../limits.ts'
import { choice, GivenId, Id, JobId, pageQuery, Time } from './parts.ts'
import { superseded } from './request.ts'
import Type from './type.ts'

const UpdateStatus = choice([...requestStatuses, 'COMPLETED'])

export const StatusUpdate = Type.Object(
  {
    updateId: Id,
    sequence: Type.Integer({ minimum: 1 }),
    jobId: JobId,
    providerId: Type.Optional(Id),
    requestIds: Type.Array(Id, {
      description: 'The requests that it is about. Empty if the error concerns the job itself.',
    }),
    statusCode: UpdateStatus,
    updateTime: Time,
    hasError: Type.Boolean(),
    errorMessage: Type.Optional(Type.String()),
    ...superseded,
    clientId: Type.Optional(
      Type.String({ description: 'The client that owns it; only for an admin.' }),
    ),
  },
  { title: 'StatusUpdate' },
)
export type StatusUpdate = Static<typeof StatusUpdate>

export const StatusUpdatesQuery = pageQuery({
  since: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Only updates of one client (the caller, or `client`) with a higher sequence.',
    }),
  ),
  acknowledged: Type.Optional(choice(['true', 'false', 'all'])),
  jobId: Type.Optional(
    Type.Array(GivenId, {
      maxItems: limits.pageItems,
      description: 'Only those of any of these jobs; repeatable.',
    }),
  ),
  statusCode: Type.Optional(
    Type.Array(UpdateStatus, { description: 'Only those with any of these statuses; repeatable.' }),
  ),
  client: Type.Optional(
    Type.String({
      description:
        'Only those of this client. Without it, an admin gets those of all clients, by client and oldest first.',
    }),
  ),
})
