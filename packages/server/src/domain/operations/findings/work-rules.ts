/** Rules about tasks, listeners and their deliveries. */
import { findingRules, formatTime, limits } from '@dragoman/contract'
import { type Finders, matchesOf } from './finder.ts'
import * as rows from './finding-rows.ts'

export const workRules: Finders<
  'parked-task' | 'parked-deliveries' | 'listener-failing' | 'listener-disabled'
> = {
  'parked-task': async (_, look) => {
    if (look.thingId !== undefined && !/^\d{1,15}$/.test(look.thingId))
      return { found: [], more: 0 }
    return matchesOf(
      await rows.parkedTasks(look),
      ({ task_id, site_id, name, attempts, last_error, due_at }) => ({
        ...(site_id === null ? {} : { siteId: site_id }),
        thing: 'task',
        thingId: String(task_id),
        since: due_at,
        facts: { taskId: task_id, name, attempts, error: last_error ?? 'no error was kept.' },
      }),
    )
  },

  'parked-deliveries': async (_, look) => {
    const { rows: listeners, more } = await rows.listenersWithParked(look)
    const found = listeners.map(async ({ listener_id, site_id, client_id }) => {
      const { count, since } = await rows.measureParked(look.db, site_id, listener_id)
      const facts = { listenerId: listener_id, clientId: client_id, count, time: formatTime(since) }
      return { siteId: site_id, thing: 'listener', thingId: listener_id, since, facts }
    })
    return { found: await Promise.all(found), more }
  },

  'listener-failing': async ({ clock }, look) => {
    const before = clock.now() - findingRules['listener-failing'].after
    const failing = { disabled: 0, before } as const
    return matchesOf(
      await rows.failingListeners(look, failing),
      ({ listener_id, site_id, client_id, failing_since: since }) => ({
        siteId: site_id,
        thing: 'listener',
        thingId: listener_id,
        since,
        facts: {
          listenerId: listener_id,
          clientId: client_id,
          time: formatTime(since),
          until: formatTime(since + limits.listenerFailingMs),
        },
      }),
    )
  },

  'listener-disabled': async ({ clock }, look) => {
    const failing = { disabled: 1, before: clock.now() } as const
    return matchesOf(
      await rows.failingListeners(look, failing),
      ({ listener_id, site_id, client_id, failing_since, disabled_reason }) => ({
        siteId: site_id,
        thing: 'listener',
        thingId: listener_id,
        since: failing_since,
        facts: {
          listenerId: listener_id,
          clientId: client_id,
          reason: disabled_reason ?? 'no reason was kept.',
        },
      }),
    )
  },
}
