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
    says: 'List the background tasks of the site, the latest dueTime first; for an operator, also those of the hub',
    query: TasksQuery,
    answers: Task,
    collection: 'tasks',
    fails: [],
  },
  retryTasks: {
    ...tasks,
    call: 'POST /tasks/retry',
    says: 'Make all parked tasks due now, or the tasks of another state or name',
    body: TaskRetry,
    answers: TasksRetried,
    status: 202,
    fails: ['TASK_RUNNING'],
  },
  retryTask: {
    ...tasks,
    call: 'POST /tasks/{taskId}/retry',
    says: 'Make a task due now that is parked or due later',
    params: path('taskId'),
    answers: Task,
    fails: ['TASK_NOT_FOUND', 'TASK_RUNNING'],
  },
})
