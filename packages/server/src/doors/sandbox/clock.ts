/**
 * The sandbox's controls (contract, section 10): read the clock, advance it, see what falls due,
 * fill the demo site, reset. Time never skips due tasks: it moves from one due task to the next,
 * and each runs at its own time, before the call returns.
 */
import {
  addDuration,
  formatTime,
  HubError,
  limits,
  parseDuration,
  parseTime,
} from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import { listDue } from '../../domain/operations/tasks/list-due.ts'
import { resetHub } from '../../domain/sites/seed/seed.ts'
import type { Hub } from '../../hub.ts'
import { openTurn } from '../../turns/in-turn.ts'
import type { Runner } from '../work/runner.ts'
import { type Advance, advance, restoreClock, tokensEnding } from './advance.ts'
import { fieldsOf, refusal, wholeNumber } from './read-fields.ts'
import type { Recorded } from './recorded-calls.ts'

/** 9999 is the last year that wire times can express. */
const endOfTime = Date.UTC(9999, 11, 31)
const maxDue = 100
const usualDue = 20
/** Jobs that one call adds: more would keep its caller waiting too long. */
const maxSeeded = 1_000
const body = { bodyLimit: limits.sandboxBytes }

export function registerSandbox(
  app: FastifyInstance,
  hub: Hub,
  runner: Runner,
  record?: Recorded,
): void {
  const say = () => ({ now: formatTime(hub.clock.now()), offsetMs: hub.clock.offset() })
  let lastAdvance: Advance | undefined
  /**
   * One at a time: two calls that advance the clock at once would run each other's tasks at the
   * wrong time.
   */
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
  app.post('/sandbox/clock/advance', body, async (call) => {
    const targetOf = readTarget(call.body)
    return inTurn(async () => {
      const target = targetOf(hub.clock.now())
      if (target > endOfTime) throw refusal('by', 'time ends with the year 9999.')
      lastAdvance = await advance(hub, runner, target, record)
      return { ...say(), ...lastAdvance }
    })
  })
  // Only back: what has happened since keeps its times, and what is due then stays due as long
  // after now as it was.
  app.post('/sandbox/clock/restore', body, async (call) => {
    const { offsetMs } = fieldsOf(call.body, ['offsetMs'])
    const wanted = wholeNumber('offsetMs', offsetMs, 0, endOfTime)
    return inTurn(async () => {
      if (wanted > hub.clock.offset())
        throw refusal(
          'offsetMs',
          `is ahead of the clock, which is at ${hub.clock.offset()}; advance it.`,
        )
      await restoreClock(hub, wanted)
      return say()
    })
  })
  app.get('/sandbox/due', async (call) => {
    const { until, limit } = readDueQuery(call.query as Record<string, unknown>)
    const after = hub.clock.now()
    // One more than wanted, to know whether there are more.
    const found = await listDue(hub, { after, until, limit: limit + 1 })
    const due = [...found, ...(record ? tokensEnding(record, after, until) : [])].sort((a, b) =>
      a.time < b.time ? -1 : 1,
    )
    return {
      ...say(),
      due: due.slice(0, limit),
      hasMore: due.length > limit,
      ...(lastAdvance && { lastAdvance }),
    }
  })
  app.post('/sandbox/seed', body, async (call) => {
    const { jobs } = fieldsOf(call.body, ['jobs'])
    const { seedJobs } = await import('../../domain/sites/seed/seed-jobs.ts')
    const seeded = await seedJobs(hub, 'demo', wholeNumber('jobs', jobs, 1, maxSeeded))
    return { ...say(), ...seeded }
  })
  app.post('/sandbox/reset', async () => {
    await inTurn(() => resetHub(hub))
    hub.faults?.clear()
    lastAdvance = undefined
    return say()
  })
}

/** `{"by": "3d"}`, or `{"to": "2027-03-14T09:43:12Z"}`, which may not lie in the past. */
function readTarget(given: unknown): (now: number) => number {
  const { by, to } = fieldsOf(given, ['by', 'to'])
  if (to !== undefined && by === undefined) {
    const time = typeof to === 'string' ? parseTime(to) : undefined
    if (time === undefined) throw refusal('to', 'must be a time such as 2027-03-14T09:43:12Z.')
    return (now) => {
      if (time < now)
        throw refusal('to', `is before ${formatTime(now)}; the clock never goes back.`)
      return time
    }
  }
  const found = typeof by === 'string' && to === undefined ? parseDuration(by) : undefined
  if (!found)
    throw refusal('by', '"by" must be a duration such as 90s 5m 2h 3d 6mo 1y, never negative.')
  return (now) => addDuration(now, found)
}

function readDueQuery({ until, limit = String(usualDue) }: Record<string, unknown>): {
  until: number
  limit: number
} {
  const time =
    until === undefined ? endOfTime : typeof until === 'string' ? parseTime(until) : undefined
  if (time === undefined)
    throw new HubError('INVALID_PARAMETER', {
      because: 'until must be a time such as 2027-03-14T09:43:12Z.',
    })
  if (
    typeof limit !== 'string' ||
    !/^\d{1,3}$/.test(limit) ||
    Number(limit) < 1 ||
    Number(limit) > maxDue
  )
    throw new HubError('INVALID_PARAMETER', { because: `limit must be 1 to ${maxDue}.` })
  return { until: time, limit: Number(limit) }
}
