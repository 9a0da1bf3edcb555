/**
 * The sandbox's controls (contract, section 10): read the clock, advance it, reset. Time never skips due tasks: it moves from
 * one due task to the next, and each runs at its own time, in order, before the call returns.
 */
import { addDuration, formatTime, HubError, limits, parseDuration } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import { resetHub } from '../../domain/upkeep/seed.ts'
import type { Hub } from '../../hub.ts'
import { openTurn } from '../../in-turn.ts'
import { writeHubState } from '../../store/hub-state.ts'
import { nextDue } from '../../store/tasks/claim-tasks.ts'
import { readJson } from '../http/json-body.ts'
import type { Runner } from '../work/runner.ts'

/** 9999 is the last year that wire times can express. */
const endOfTime = Date.UTC(9999, 11, 31)

export function registerSandbox(app: FastifyInstance, hub: Hub, runner: Runner): void {
  const say = () => ({ now: formatTime(hub.clock.now()), offsetMs: hub.clock.offset() })
  /** One at a time: two calls that advance the clock at once would run each other's tasks at the wrong time. */
  const turn = openTurn()
  const inTurn = <T>(act: () => Promise<T>): Promise<T> =>
    turn(async () => {
      await runner.pause()
      try {
        return await act()
      } finally {
        await runner.start()
      }
    })
  app.get('/sandbox/clock', async () => say())
  app.post('/sandbox/clock/advance', { bodyLimit: limits.sandboxBytes }, async (call) => {
    const by = byOf(call.body as Buffer | undefined)
    return inTurn(async () => {
      const target = addDuration(hub.clock.now(), by)
      if (target > endOfTime) throw refusal('time ends with the year 9999.')
      const ran = await advance(hub, runner, target)
      return { ...say(), ran }
    })
  })
  app.post('/sandbox/reset', async () => {
    await inTurn(() => resetHub(hub))
    hub.faults?.clear()
    return say()
  })
}

/** Returns how many tasks ran. */
async function advance(hub: Hub, runner: Runner, target: number): Promise<number> {
  // The target is saved first: a hub that is killed on the way restarts there, and never before what it has already done.
  await keepOffset(hub, hub.clock.offset() + target - hub.clock.now())
  try {
    return await walk(hub, runner, target)
  } catch (error) {
    await keepOffset(hub, hub.clock.offset())
    throw error
  }
}

async function walk(hub: Hub, runner: Runner, target: number): Promise<number> {
  let ran = await runner.runDue()
  for (;;) {
    const due = await nextDue(hub.engine.read, hub.clock.now())
    if (due === undefined || due > target) break
    hub.clock.moveTo(due)
    const more = await runner.runSome()
    // Another node holds them; there is nothing to wait for.
    if (more === 0) break
    ran += more
  }
  hub.clock.moveTo(target)
  return ran + (await runner.runDue())
}

const keepOffset = (hub: Hub, offset: number): Promise<void> =>
  hub.engine.transact((tx) => writeHubState(tx, 'clock_offset', String(offset)))

function byOf(body: Buffer | undefined) {
  const given = body?.length ? readJson(body) : undefined
  const by = typeof given === 'object' && given !== null && 'by' in given ? given.by : undefined
  const found = typeof by === 'string' ? parseDuration(by) : undefined
  if (!found) throw refusal('"by" must be a duration such as 90s 5m 2h 3d 6mo 1y, never negative.')
  return found
}

const refusal = (because: string) =>
  new HubError('INVALID_REQUEST', { because }, { details: [{ path: 'by', message: because }] })
