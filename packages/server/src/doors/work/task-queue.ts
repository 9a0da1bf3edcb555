/** The tasks of a lane that are claimed and not begun: one queue per group, each in due order. */
import type { Task } from '../../store/tasks/hold-tasks.ts'

export type TaskQueue = {
  readonly size: number
  add(tasks: readonly Task[]): void
  /**
   * Takes tasks while `hasRoom`; skips the rest of a group at the first task that may not begin.
   */
  take(hasRoom: () => boolean, mayBegin: (task: Task) => boolean, begin: (task: Task) => void): void
  remove(tasks: readonly Task[]): void
  all(): Task[]
  inGroup(group: string): readonly Task[]
}

/** Tasks without a group share the group ''. */
export function openTaskQueue(groupOf: (task: Task) => string | undefined): TaskQueue {
  const groups = new Map<string, Task[]>()
  let size = 0
  const all = (): Task[] => [...groups.values()].flat()
  const add = (tasks: readonly Task[]): void => {
    for (const task of tasks) {
      const group = groupOf(task) ?? ''
      const queue = groups.get(group)
      if (queue) queue.push(task)
      else groups.set(group, [task])
    }
    size += tasks.length
  }
  return {
    get size() {
      return size
    },
    add,
    take: (hasRoom, mayBegin, begin) => {
      for (const [group, queue] of groups) {
        for (let task = queue[0]; task && hasRoom() && mayBegin(task); task = queue[0]) {
          queue.shift()
          size -= 1
          begin(task)
        }
        if (queue.length === 0) groups.delete(group)
        if (!hasRoom()) break
      }
    },
    remove: (tasks) => {
      const gone = new Set(tasks)
      const left = all().filter((task) => !gone.has(task))
      groups.clear()
      size = 0
      add(left)
    },
    all,
    inGroup: (group) => groups.get(group) ?? [],
  }
}
