/** Status updates: immutable, numbered without a gap for the client that owns the job (contract, section 4). */
import type { Static } from 'typebox'
import { requestStatuses } from '../lifecycle.ts'
import { choice, GivenId, Id, JobId, pageQuery, Time } from './parts.ts'
import Type from './type.ts'

export const StatusUpdate = Type.Object(
  {
    updateId: Id,
    sequence: Type.Integer({ minimum: 1 }),
    jobId: JobId,
    providerId: Type.Optional(Id),
    requestIds: Type.Array(Id, { description: 'Empty for an error of the job itself.' }),
    statusCode: choice([...requestStatuses, 'COMPLETED']),
    updateTime: Time,
    hasError: Type.Boolean(),
    errorMessage: Type.Optional(Type.String()),
    clientId: Type.Optional(Type.String({ description: 'Whose it is; shown to an admin.' })),
  },
  { title: 'StatusUpdate' },
)
export type StatusUpdate = Static<typeof StatusUpdate>

export const StatusUpdatesQuery = pageQuery({
  since: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Only updates of one client with a greater sequence: of the caller, or of `client`.',
    }),
  ),
  acknowledged: Type.Optional(choice(['true', 'false', 'all'])),
  jobId: Type.Optional(GivenId),
  client: Type.Optional(
    Type.String({
      description: 'Of this client only. An admin sees those of all clients, by client and oldest first.',
    }),
  ),
})
