import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Hub } from '../../packages/server/src/hub.ts'
import { addTasks } from '../../packages/server/src/store/tasks/add-tasks.ts'
import { buildProgram } from '../build-program.ts'
import { type HubPlace, hasPostgres, makePlace, until } from '../hub-place.ts'

const worker = fileURLToPath(new URL('./worker.mjs', import.meta.url))

describe.skipIf(!hasPostgres)('several nodes on one PostgreSQL', () => {
  let place: HubPlace
  let hub: Hub
  let db: pg.Client
  const nodes: ChildProcess[] = []

  beforeAll(buildProgram)
  beforeEach(async () => {
    place = await makePlace('postgres')
    hub = await place.open({}, { as: 'tool' })
    db = new pg.Client(place.env.DRAGOMAN_DATABASE_URL)
    await db.connect()
    await db.query('create table effects (task_id bigint not null, node_id text not null)')
  })
  afterEach(async () => {
    for (const node of nodes.splice(0)) {
      if (node.exitCode !== null || node.signalCode !== null) continue
      const gone = new Promise((resolve) => node.once('exit', resolve))
      node.kill('SIGKILL')
      await gone
    }
    await db.end()
    await place.clear()
  })

  /** A node in a process of its own; `said` grows with what it prints. */
  async function startNode(more: Record<string, string> = {}) {
    const node = spawn(process.execPath, [worker], {
      env: { ...process.env, ...place.env, ...more } as Record<string, string>,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    nodes.push(node)
    const said: Record<string, unknown>[] = []
    if (node.stdout) createInterface(node.stdout).on('line', (line) => said.push(JSON.parse(line)))
    const nodeId = await until('the node is ready', () => said[0]?.nodeId as string | undefined)
    return { node, nodeId, said }
  }
  const add = (name: string, many: number): Promise<void> =>
    hub.db.transact((tx) => {
      const now = hub.clock.now()
      const task = { name, payload: {}, dueAt: now, causeId: 'test' }
      return addTasks(
        hub.db,
        tx,
        now,
        Array.from({ length: many }, () => task),
      )
    })
  const count = async (query: string, values: unknown[] = []): Promise<number> =>
    Number((await db.query(`select count(*) as count from ${query}`, values)).rows[0].count)

  it('run a thousand tasks once each, though one of them is killed on the way', async () => {
    const both = [await startNode(), await startNode()]
    const begun = () => both.find(({ said }) => said.some((line) => line.begun))
    // It does not end by itself: who has it surely has a task in its hands when it is killed.
    await add('wait', 1)
    const killed = await until('one has begun', begun)
    await add('mark', 1_000)
    await until('some are done', async () => (await count('effects')) >= 200)
    killed.node.kill('SIGKILL')
    expect(await count('tasks where leased_by = $1', [killed.nodeId])).toBeGreaterThan(0)
    both.splice(both.indexOf(killed), 1)
    const other = await until('the other has taken over', begun)
    other.node.stdin?.write('go\n')
    await until('all are done', async () => (await count('tasks')) === 0)
    expect(await count('effects')).toBe(1_001)
    expect(await count('(select distinct task_id from effects) as tasks')).toBe(1_001)
  })

  it('refuse the late write of one that stood still past its lease', async () => {
    const quick = { WORKER_LEASE_MS: '1000', WORKER_HEARTBEAT_MS: '100' }
    const first = await startNode(quick)
    await add('wait', 1)
    await until('the first has begun', () => first.said.some((line) => line.begun))
    first.node.kill('SIGSTOP')
    const second = await startNode(quick)
    await until('the second has taken over', () => second.said.some((line) => line.begun))
    second.node.stdin?.write('go\n')
    await until('the second has written', () => second.said.some((line) => line.written))
    first.node.kill('SIGCONT')
    first.node.stdin?.write('go\n')
    await until('the first was refused', () =>
      first.said.some((line) => line.refused === 'LeaseLost'),
    )
    expect(first.said.some((line) => line.written)).toBe(false)
    const { rows } = await db.query('select node_id from effects')
    expect(rows).toEqual([{ node_id: second.nodeId }])
    expect(await count('tasks')).toBe(0)
  })
})
