/** The nodes of the hub (contract, section 12). */
import type { Static } from 'typebox'
import { Count, choice, Time } from '../parts.ts'
import Type from '../type.ts'

export const nodeStates = ['running', 'stopping', 'vanished'] as const

export const Node = Type.Object(
  {
    nodeId: Type.String(),
    host: Type.Optional(Type.String()),
    version: Type.String(),
    state: choice(nodeStates, {
      title: 'NodeState',
      description:
        'vanished: it sends no heartbeat and did not stop cleanly. A node that has stopped is not listed.',
    }),
    startedDate: Time,
    seenDate: Type.String({
      format: 'date-time',
      description: 'Its last heartbeat; there is one every 5 s.',
    }),
    clockSkewMs: Type.Optional(
      Type.Integer({
        description:
          'How far its clock is ahead of the clock of the database, if the database has its own clock. Differences smaller than the time of a query are shown as 0.',
      }),
    ),
    tasks: Type.Optional({ ...Count, description: 'Tasks that it runs now.' }),
  },
  { title: 'Node' },
)
export type Node = Static<typeof Node>
