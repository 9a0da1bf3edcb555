import { Writable } from 'node:stream'
import type { Duration } from '@dragoman/contract'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openRunner,
  type Runner,
  type TaskKinds,
} from '../packages/server/src/doors/work/runner.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { newId } from '../packages/server/src/store/ids.ts'
import { addTasks, type NewTask } from '../packages/server/src/store/tasks/add-tasks.ts'
import { claimTasks, nextDue } from '../packages/server/src/store/tasks/claim-tasks.ts'
import { countEnded } from '../packages/server/src/store/tasks/ended-tasks.ts'
import {
  finishTask,
  keepTask,
  LeaseLost,
  type Task,
} from '../packages/server/src/store/tasks/hold-tasks.ts'
import { databases, type HubPlace, makePlace, until } from './hub-place.ts'

const seconds = (...counts: number[]): Duration[] =>
  counts.map((count) => ({ count, unit: 's' as const }))

describe.each(databases)('background work on %s', (database) => {
  let place: HubPlace
  let hub: Hub
  let ran: string[]
  const runners: Runner[] = []
  const said: Record<string, unknown>[] = []

  beforeEach(async () => {
    place = await makePlace(database)
    const lines = new Writable({
      write: (text, _, done) => done(void said.push(JSON.parse(String(text)))),
    })
    hub = await place.open({}, { log: pino(lines) })
    ran = []
    said.length = 0
  })
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop()
    await place.clear()
  })

  const open = (
    kinds: TaskKinds,
    options: Parameters<typeof openRunner>[2] = {},
    as: Hub = hub,
  ): Runner => {
    const runner = openRunner(as, kinds, options)
    runners.push(runner)
    return runner
  }
  const add = (...tasks: (Partial<NewTask> & { label?: string })[]): Promise<void> =>
    hub.db.transact((tx) =>
      addTasks(
        hub.db,
        tx,
        hub.clock.now(),
        tasks.map(({ label, ...task }) => ({
          name: 'note',
          payload: { label: label ?? '' },
          dueAt: hub.clock.now(),
          causeId: 'the-call',
          ...task,
        })),
      ),
    )
  const labelOf = (task: Task): string => (task.payload as { label: string }).label
  const note = async (_: Hub, task: Task) => {
    ran.push(labelOf(task))
    return 'done' as const
  }
  const rows = () => hub.db.read.selectFrom('tasks').selectAll().orderBy('task_id').execute()
  /** The same database under another node's name. */
  const otherNode = (): Hub => ({ ...hub, nodeId: newId() })

  it('parks a task that was under way when the memory of three processes was used up', async () => {
    const runner = open({ note: { run: note, schedule: seconds(1, 1, 1, 1) } })
    await add({ label: 'hungry' }, { label: 'beside' })
    const end = async (by: 'heap' | 'kill', many = 2) => {
      const now = hub.clock.now()
      const nodeId = newId()
      await claimTasks(hub.db, { nodeId, now, leaseUntil: now + 20_000, many })
      if (by === 'heap') await countEnded(hub.db, [nodeId])
      hub.clock.moveTo(now + 20_000)
    }
    await end('heap')
    for (let times = 0; times < 3; times += 1) await end('kill')
    expect((await rows()).map((row) => row.ended_processes)).toEqual([1, 1])
    await end('heap', 1)
    await end('heap', 1)
    await runner.runDue()
    expect(ran).toEqual(['beside'])
    expect(await rows()).toMatchObject([
      { parked: 1, last_error: expect.stringMatching(/memory of a process was used up, 3 times/) },
    ])
  })

  it('runs one at a time of the tasks that were under way when the memory was used up', async () => {
    let running = 0
    const alone = async (at: Hub, task: Task) => {
      running += 1
      expect(running).toBe(1)
      ran.push(labelOf(task))
      await until(
        'the other one has waited',
        async () =>
          at.clock.now() > 0 &&
          ran.length + (await rows()).filter((row) => row.last_error).length >= 2,
      )
      running -= 1
      return 'done' as const
    }
    const runner = open({ alone: { run: alone, schedule: seconds(1) } }, { pollMs: 20 })
    await add({ label: 'one', name: 'alone' }, { label: 'two', name: 'alone' })
    const now = hub.clock.now()
    await claimTasks(hub.db, { nodeId: 'dead', now, leaseUntil: now + 1, many: 2 })
    await countEnded(hub.db, ['dead'])
    hub.clock.moveTo(now + 2)
    await runner.start()
    await until('one has run', async () => ran.length === 1 && (await rows()).length === 1)
    expect(await rows()).toMatchObject([{ last_error: expect.stringMatching(/waits for another/) }])
    hub.clock.moveTo(hub.clock.now() + 5_000)
    await until('both have run', async () => (await rows()).length === 0)
    expect(ran).toHaveLength(2)
  })

  it('runs what is due by due time and id, and what that makes due, and nothing else', async () => {
    const now = hub.clock.now()
    const more = async (_: Hub, task: Task) => {
      ran.push(labelOf(task))
      await add({ label: 'made on the way' })
      return 'done' as const
    }
    const runner = open({ note: { run: note, schedule: [] }, more: { run: more, schedule: [] } })
    await add(
      { label: 'third', dueAt: now - 1 },
      { label: 'first', dueAt: now - 3, name: 'more' },
      { label: 'fourth', dueAt: now - 1 },
      { label: 'second', dueAt: now - 2 },
      { label: 'tomorrow', dueAt: now + 86_400_000 },
    )
    expect(await runner.runDue()).toBe(5)
    expect(ran).toEqual(['first', 'second', 'third', 'fourth', 'made on the way'])
    expect(await rows()).toHaveLength(1)
  })

  it('begins a task when it is added, long before it would have looked by itself', async () => {
    const runner = open({ note: { run: note, schedule: [] } }, { pollMs: 3_600_000 })
    await runner.start()
    await add({ label: 'woken' })
    await until('the task ran', () => ran.length > 0 && ran)
    await until('it is finished', async () => (await rows()).length === 0)
  })

  it('finds a task of which it was not told', async () => {
    const runner = open({ note: { run: note, schedule: [] } }, { pollMs: 20 })
    await runner.start()
    await add({ label: 'later', dueAt: hub.clock.now() + 3_600_000 })
    hub.clock.moveTo(hub.clock.now() + 3_600_001)
    await until('the task ran', () => ran.includes('later'))
  })

  it('tries again by the schedule, then parks, and says which task failed for which call', async () => {
    const fail = async () => {
      ran.push('try')
      throw new Error('it rains')
    }
    const runner = open({ note: { run: fail, schedule: seconds(10, 100) } })
    await add({})
    const begun = hub.clock.now()
    expect(await runner.runDue()).toBe(1)
    expect(await runner.runDue()).toBe(0)
    const due = await nextDue(hub.db.read)
    expect(due).toBeGreaterThanOrEqual(begun + 10_000)
    // The second delay would be ten times as long.
    expect(due).toBeLessThan(begun + 100_000)
    hub.clock.moveTo(begun + 9_000)
    expect(await runner.runDue()).toBe(0)
    hub.clock.moveTo((due ?? 0) + 1)
    expect(await runner.runDue()).toBe(1)
    hub.clock.moveTo(hub.clock.now() + 200_000)
    expect(await runner.runDue()).toBe(1)
    hub.clock.moveTo(hub.clock.now() + 86_400_000)
    expect(await runner.runDue()).toBe(0)
    expect(ran).toHaveLength(3)
    const [task] = await rows()
    expect(task).toMatchObject({ parked: 1, attempts: 3, last_error: 'it rains', leased_by: null })
    expect(said.filter((line) => line.msg === 'a task attempt failed')).toHaveLength(3)
    expect(said[0]).toMatchObject({
      task: 'note',
      taskId: task?.task_id,
      causeId: 'the-call',
      attempts: 1,
    })
  })

  it('does what the task answers: retry at a time, park, again', async () => {
    const answers = [
      { retryAt: hub.clock.now() + 5_000, because: 'busy' },
      { again: hub.clock.now() + 50_000 },
      { park: 'hopeless' },
    ]
    const runner = open({ note: { run: async () => answers.shift() ?? 'done', schedule: [] } })
    await add({})
    await runner.runDue()
    expect((await rows())[0]).toMatchObject({ attempts: 1, parked: 0, last_error: 'busy' })
    hub.clock.moveTo(hub.clock.now() + 6_000)
    await runner.runDue()
    expect((await rows())[0]).toMatchObject({ attempts: 0, parked: 0, last_error: null })
    hub.clock.moveTo(hub.clock.now() + 60_000)
    await runner.runDue()
    expect((await rows())[0]).toMatchObject({ parked: 1, last_error: 'hopeless' })
  })

  it('keeps a task that it does not know for a node that does', async () => {
    const old = open({})
    await add({ label: 'new', name: 'note' })
    expect(await old.runDue()).toBe(1)
    expect((await rows())[0]).toMatchObject({ parked: 0, leased_by: null })
    hub.clock.moveTo(hub.clock.now() + 61_000)
    await open({ note: { run: note, schedule: [] } }, {}, otherNode()).runDue()
    expect(ran).toEqual(['new'])
  })

  it('undoes the writes of a task whose lease was lost meanwhile', async () => {
    const effect = async (as: Hub, task: Task) => {
      await as.db.transact(async (tx) => {
        await tx
          .insertInto('sites')
          .values({ site_id: `${labelOf(task)}-${as.nodeId}`, created_at: 0 })
          .execute()
        await finishTask(tx, task)
      })
      return 'settled' as const
    }
    const other = otherNode()
    const second = open({ note: { run: effect, schedule: [] } }, {}, other)
    let refused: unknown
    const slow = async (as: Hub, task: Task) => {
      hub.clock.moveTo(hub.clock.now() + 21_000)
      expect(await second.runDue()).toBe(1)
      return effect(as, task).catch((error: unknown) => {
        refused = error
        throw error
      })
    }
    const first = open({ note: { run: slow, schedule: seconds(1) } })
    await add({ label: 'once' })
    await first.runDue()
    expect(refused).toBeInstanceOf(LeaseLost)
    expect(await rows()).toHaveLength(0)
    const sites = await hub.db.read.selectFrom('sites').select('site_id').execute()
    expect(sites).toEqual([{ site_id: `once-${other.nodeId}` }])
  })

  it('holds a long task by its heartbeat', async () => {
    let end = (): void => {}
    const long = () => new Promise<'done'>((resolve) => (end = () => resolve('done')))
    const first = open({ note: { run: long, schedule: [] } }, { leaseMs: 20_000, heartbeatMs: 20 })
    await first.start()
    await add({ label: 'long' })
    const held = await until('it is held', async () => (await rows())[0]?.lease_until ?? undefined)
    const second = open({ note: { run: note, schedule: [] } }, {}, otherNode())
    for (const step of [1, 2]) {
      hub.clock.moveTo(held + step * 15_000 - 20_000)
      await until(
        'the lease is longer',
        async () => ((await rows())[0]?.lease_until ?? 0) > hub.clock.now() + 19_000,
      )
      expect(await second.runDue()).toBe(0)
    }
    end()
    await until('it is finished', async () => (await rows()).length === 0)
    expect(ran).toEqual([])
  })

  it('holds a long task on its node, however late the heartbeat is', async () => {
    let end = (): void => {}
    const long = async (_: Hub, task: Task) => {
      ran.push(labelOf(task))
      await new Promise<void>((resolve) => (end = resolve))
      return 'done' as const
    }
    const options = { leaseMs: 20_000, heartbeatMs: 3_600_000, pollMs: 20 }
    await open(
      { long: { run: long, schedule: [] }, note: { run: note, schedule: [] } },
      options,
    ).start()
    await add({ label: 'long', name: 'long' })
    await until('it runs', () => ran.length > 0)
    hub.clock.moveTo(hub.clock.now() + 60_000)
    await add({ label: 'short' })
    await until('the other one ran', () => ran.includes('short'))
    end()
    await until('both are finished', async () => (await rows()).length === 0)
    expect(ran).toEqual(['long', 'short'])
  })

  it('counts the tries since a task last made progress', async () => {
    const step = async (as: Hub, task: Task): Promise<'done'> => {
      ran.push('try')
      if (ran.length < 5) await as.db.transact((tx) => keepTask(tx, task))
      throw new Error('it rains')
    }
    const runner = open({ note: { run: step, schedule: seconds(1, 1) } })
    await add({})
    for (let tries = 1; tries <= 10; tries += 1) {
      await runner.runDue()
      hub.clock.moveTo(hub.clock.now() + 2_000)
    }
    expect(ran).toHaveLength(6)
    expect((await rows())[0]).toMatchObject({ parked: 1, attempts: 3 })
  })

  it('runs a periodic task once a period on many nodes', async () => {
    const period = 3_600_000
    const tick = async () => {
      ran.push('tick')
      return { again: hub.clock.now() + period }
    }
    const kinds: TaskKinds = {
      tick: {
        run: tick,
        schedule: seconds(1),
        periodic: { key: 'tick', first: () => hub.clock.now() + period },
      },
    }
    const nodes = [hub, otherNode(), otherNode(), otherNode()].map((node) =>
      open(kinds, { pollMs: 5 }, node),
    )
    await Promise.all(nodes.map((node) => node.start()))
    for (const times of [1, 2, 3]) {
      hub.clock.moveTo(hub.clock.now() + period)
      await until(
        'it ran and waits again',
        async () => ran.length >= times && ((await rows())[0]?.due_at ?? 0) > hub.clock.now(),
      )
      expect(await rows()).toHaveLength(1)
      expect(ran).toHaveLength(times)
    }
  })

  describe('a periodic task', () => {
    const tickKinds = (run: TaskKinds[string]['run'], first = () => 0): TaskKinds => ({
      tick: { run, schedule: seconds(1, 60), periodic: { key: 'tick', first } },
    })
    const fail = async (): Promise<never> => {
      ran.push('tick')
      throw new Error('down')
    }
    const addedOnly = async (runner: Runner): Promise<Runner> => {
      await runner.start()
      await runner.pause()
      return runner
    }

    it('is never parked, however often it fails, and waits no longer than its schedule says', async () => {
      const runner = await addedOnly(open(tickKinds(fail)))
      for (let hour = 0; hour < 40; hour += 1) {
        hub.clock.moveTo(hub.clock.now() + 3_600_000)
        expect(await runner.runDue()).toBe(1)
      }
      expect(ran).toHaveLength(40)
      expect((await rows())[0]).toMatchObject({ parked: 0, last_error: 'down' })
      expect((await rows())[0]?.due_at).toBeLessThanOrEqual(hub.clock.now() + 60_000)
    })

    it('that takes its node down again and again gets one try after each longest wait', async () => {
      const runner = await addedOnly(open(tickKinds(fail)))
      const crash = async (): Promise<void> => {
        const now = hub.clock.now()
        await claimTasks(hub.db, { nodeId: 'dead', now, leaseUntil: now + 20_000, many: 1 })
        hub.clock.moveTo(now + 20_000)
      }
      for (let times = 0; times < 13; times += 1) await crash()
      await runner.runDue()
      expect(ran).toEqual([])
      expect((await rows())[0]).toMatchObject({ parked: 0 })
      expect((await rows())[0]?.due_at).toBeGreaterThan(hub.clock.now() + 50_000)
      hub.clock.moveTo(hub.clock.now() + 60_000)
      await crash()
      await runner.runDue()
      expect(ran).toEqual([])
      hub.clock.moveTo(hub.clock.now() + 60_000)
      await runner.runDue()
      expect(ran).toEqual(['tick'])
    })

    it('that was parked once is brought back by the next start', async () => {
      await addedOnly(open(tickKinds(note)))
      await hub.db.transact((tx) =>
        tx.updateTable('tasks').set({ parked: 1, attempts: 18 }).execute(),
      )
      const runner = await addedOnly(open(tickKinds(note)))
      expect((await rows())[0]).toMatchObject({ parked: 0, attempts: 0 })
      expect(await runner.runDue()).toBe(1)
    })

    it('of a dead node keeps its time when another node starts', async () => {
      await addedOnly(open(tickKinds(note)))
      const due = (await rows())[0]?.due_at
      await hub.db.transact((tx) =>
        tx.updateTable('tasks').set({ leased_by: 'dead', lease_until: 1, attempts: 1 }).execute(),
      )
      const week = 7 * 86_400_000
      const runner = await addedOnly(
        open(
          tickKinds(note, () => hub.clock.now() + week),
          {},
          otherNode(),
        ),
      )
      expect((await rows())[0]).toMatchObject({ due_at: due, attempts: 1 })
      expect(await runner.runDue()).toBe(1)
    })
  })

  it('runs a thousand tasks once each on three nodes, never more at once than allowed', async () => {
    let running = 0
    let most = 0
    const run = async (_: Hub, task: Task) => {
      running += 1
      most = Math.max(most, running)
      await new Promise((next) => setImmediate(next))
      running -= 1
      ran.push(labelOf(task))
      return 'done' as const
    }
    const nodes = [hub, otherNode(), otherNode()].map((node) =>
      open({ note: { run, schedule: [] } }, { concurrency: 4 }, node),
    )
    await Promise.all(nodes.map((node) => node.start()))
    const labels = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'))
    await add(...labels.map((label) => ({ label })))
    await until('all ran', async () => ran.length >= 1_000 && (await rows()).length === 0)
    expect([...ran].sort()).toEqual(labels)
    expect(most).toBeLessThanOrEqual(12)
    expect(most).toBeGreaterThan(4)
  })

  it('gives back what it claimed ahead when tasks turn slow, so that another node can have them', async () => {
    const run = (_: Hub, task: Task) => {
      ran.push(labelOf(task))
      return labelOf(task) === 'slow'
        ? new Promise<never>(() => {})
        : Promise.resolve('done' as const)
    }
    const first = open({ note: { run, schedule: [] } }, { concurrency: 2, pollMs: 20, drainMs: 50 })
    await add(...Array.from({ length: 200 }, () => ({ label: 'quick' })))
    await first.start()
    await until('the quick ones ran', async () => (await rows()).length === 0)
    await add(...Array.from({ length: 50 }, () => ({ label: 'slow' })))
    await until('two run', () => ran.filter((label) => label === 'slow').length === 2)
    await until(
      'the others are free',
      async () => (await rows()).filter((row) => row.lease_until === null).length === 48,
    )
    ran = []
    const second = open({ note: { run: note, schedule: [] } }, {}, otherNode())
    expect(await second.runDue()).toBe(48)
    expect(await rows()).toHaveLength(2)
  })

  it('finishes what runs at the stop and gives back what was not begun, without counting the try', async () => {
    const ends: (() => void)[] = []
    const run = (_: Hub, task: Task) =>
      new Promise<'done'>((resolve) => {
        ran.push(labelOf(task))
        ends.push(() => resolve('done'))
      })
    const runner = open({ note: { run, schedule: [] } }, { concurrency: 2 })
    await add(...['a', 'b', 'c', 'd'].map((label) => ({ label })))
    await runner.start()
    await until('two run', () => ran.length === 2)
    const stopped = runner.stop()
    await until(
      'the rest is free',
      async () => (await rows()).filter((row) => row.lease_until === null).length === 2,
    )
    for (const end of ends) end()
    await stopped
    expect(ran).toEqual(['a', 'b'])
    expect(await rows()).toMatchObject([
      { leased_by: null, attempts: 0 },
      { leased_by: null, attempts: 0 },
    ])
  })

  it('does not wait for ever at the stop', async () => {
    const runner = open(
      { note: { run: () => new Promise<never>(() => {}), schedule: [] } },
      { drainMs: 50 },
    )
    await add({})
    await runner.start()
    await until('it runs', async () => (await rows())[0]?.leased_by)
    await runner.stop()
    expect(said.at(-1)).toMatchObject({ left: [{ name: 'note' }] })
  })

  it('is paused while what is due is run by hand, and goes on afterwards', async () => {
    const runner = open({ note: { run: note, schedule: [] } }, { pollMs: 5 })
    await runner.start()
    await runner.pause()
    await add({ label: 'by hand' })
    expect(await runner.runDue()).toBe(1)
    await add({ label: 'waits' })
    expect(ran).toEqual(['by hand'])
    await runner.start()
    await until('it goes on', () => ran.includes('waits'))
  })
})
