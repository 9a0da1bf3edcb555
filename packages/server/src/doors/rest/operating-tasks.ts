/** Handlers of background tasks, one line each. */
import { listTasks, retryTask, retryTasks } from '../../domain/operations/tasks/operate-tasks.ts'
import type { Handlers } from './bind.ts'

export const operatingTaskHandlers = {
  listTasks: (hub, call, { query }) => listTasks(hub, call, query),
  retryTask: (hub, call, { params }) => retryTask(hub, call, params.taskId),
  retryTasks: (hub, call, { body }) => retryTasks(hub, call, body),
} satisfies Partial<Handlers>
