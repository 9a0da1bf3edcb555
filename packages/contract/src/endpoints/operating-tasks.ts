/** Contract, section 12: background tasks, and running them again. */

import { Task, TaskRetry, TasksQuery, TasksRetried } from '../schemas/operating/task.ts'
import { path } from '../schemas/parts.ts'
import { rows } from './row.ts'

const tasks = { tag: 'Operating', scope: ['admin', 'operator'] } as const

export const operatingTaskEndpoints = rows({
  listTasks: {
    ...tasks,
    roles: ['developer', 'admin', 'operator'],
    call: 'GET /tasks',
    says: 'List the background tasks of the site, the latest dueTime first; for an operator, those of the hub too',
    query: TasksQuery,
    answers: Task,
    collection: 'tasks',
    fails: [],
  },
  retryTasks: {
    ...tasks,
    call: 'POST /tasks/retry',
    says: 'Make the parked tasks due now, or those of another state or name',
    body: TaskRetry,
    answers: TasksRetried,
    status: 202,
    fails: ['TASK_RUNNING'],
  },
  retryTask: {
    ...tasks,
    call: 'POST /tasks/{taskId}/retry',
    says: 'Make a parked or later task due now',
    params: path('taskId'),
    answers: Task,
    fails: ['TASK_NOT_FOUND', 'TASK_RUNNING'],
  },
})
