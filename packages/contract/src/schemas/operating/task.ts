/**
 * Background tasks as operators and admins see them (contract, section 12). A task that is done no
 * longer exists.
 */
import type { Static } from 'typebox'
import { Count, choice, GivenId, GivenSiteId, JobId, name, pageQuery, Time } from '../parts.ts'
import Type from '../type.ts'

export const taskStates = ['due', 'later', 'running', 'parked'] as const
export type TaskStateName = (typeof taskStates)[number]
export const TaskStateName = choice(taskStates, {
  title: 'TaskState',
  description:
    'due: it runs as soon as a node is free. later: at dueTime. parked: it failed too often and waits for a person.',
})

export const Task = Type.Object(
  {
    taskId: Type.String(),
    name: Type.String(),
    state: TaskStateName,
    tries: Type.Integer({ minimum: 0, description: 'Attempts started, including a running one.' }),
    lastError: Type.Optional(Type.String()),
    dueTime: Time,
    createdTime: Time,
    jobId: Type.Optional(JobId),
    causeId: Type.String({ description: 'The call or task that caused it.' }),
    siteId: Type.Optional(Type.String({ description: 'Absent for a task of the hub itself.' })),
    nodeId: Type.Optional(Type.String({ description: 'The node that runs it.' })),
  },
  { title: 'Task' },
)
export type Task = Static<typeof Task>

const taskName = name(100)
export const TasksQuery = pageQuery({
  name: Type.Optional(taskName),
  state: Type.Optional(TaskStateName),
  jobId: Type.Optional(GivenId),
  since: Type.Optional(
    Type.String({
      time: true,
      maxLength: 40,
      description: 'Only tasks with this dueTime or a later one.',
    }),
  ),
  siteId: Type.Optional(GivenSiteId),
})

export const TaskRetry = Type.Object(
  {
    name: Type.Optional(taskName),
    state: Type.Optional(choice(taskStates, { description: 'parked by default.' })),
    siteId: Type.Optional(GivenSiteId),
  },
  { title: 'TaskRetry' },
)
export type TaskRetry = Static<typeof TaskRetry>
export const TasksRetried = Type.Object({ retried: Count }, { title: 'TasksRetried' })
