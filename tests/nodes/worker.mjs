/**
 * A node as a process of its own: opens the hub that its environment names and runs two kinds of
 * task. `mark` writes a row in the same transaction as the task's end, so that a task done twice is
 * seen; `wait` does the same after it was told to on standard input, and says on standard output
 * what became of it. Runs the compiled server.
 */
import { readConfig } from '../../packages/server/dist/config/config.js'
import { openRunner } from '../../packages/server/dist/doors/work/runner.js'
import { openHub } from '../../packages/server/dist/hub.js'
import { finishTask } from '../../packages/server/dist/store/tasks/hold-tasks.js'

const { WORKER_LEASE_MS, WORKER_HEARTBEAT_MS, ...env } = process.env
const hub = await openHub(readConfig(env))
const say = (/** @type {object} */ what) => process.stdout.write(`${JSON.stringify(what)}\n`)

const write = (task) =>
  hub.db.transact(async (tx) => {
    await tx.insertInto('effects').values({ task_id: task.taskId, node_id: hub.nodeId }).execute()
    await finishTask(tx, task)
  })
const told = new Promise((resolve) => process.stdin.once('data', resolve))

const kinds = {
  mark: {
    run: async (_, task) => {
      // Long enough that a node is killed with tasks in its hands.
      await new Promise((next) => setTimeout(next, 5))
      await write(task)
      return 'settled'
    },
    schedule: [],
  },
  wait: {
    run: async (_, task) => {
      say({ begun: task.taskId })
      await told
      await write(task).catch((error) => {
        say({ refused: error.name })
        throw error
      })
      say({ written: task.taskId })
      return 'settled'
    },
    schedule: [],
  },
}
const runner = openRunner(hub, kinds, {
  ...(WORKER_LEASE_MS && { leaseMs: Number(WORKER_LEASE_MS) }),
  ...(WORKER_HEARTBEAT_MS && { heartbeatMs: Number(WORKER_HEARTBEAT_MS) }),
})
await runner.start()
say({ nodeId: hub.nodeId })
