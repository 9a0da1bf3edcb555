/**
 * Each rule of the findings reads its rows from an index that holds little else, in its order, on
 * both databases.
 */
import { type Insertable, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectHeld } from '../packages/server/src/domain/engines/drivers/engine-usage-rows.ts'
import * as rows from '../packages/server/src/domain/operations/findings/finding-rows.ts'
import {
  selectOpenUpdates,
  selectUse,
} from '../packages/server/src/domain/operations/findings/quota-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { newId } from '../packages/server/src/store/ids.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import type { Tables } from '../packages/server/src/store/tables.ts'
import { plansOf } from './query-plans.ts'
import { jobRow, type StorePlace } from './store-fixtures.ts'
import { onEachDatabase } from './store-place.ts'

const many = 3_000
const numbers = Array.from({ length: many }, (_, at) => at)
/** One in a thousand may become a finding. */
const isOdd = (at: number): boolean => at % 1_000 === 7

const open = ['SENDING', 'SENT_TO_PROVIDER', 'IN_TRANSLATION'] as const
const jobs = numbers.map((at) => ({
  ...jobRow({ created_at: at }),
  site_id: `site-${at % 10}`,
  submitted_at: at,
  due_at: at,
  provider_id: 'p',
  status: (isOdd(at) && open[at % 3]) || ('COMPLETED' as const),
}))
const listeners = numbers.map(
  (at): Insertable<Tables['listeners']> => ({
    listener_id: `listener-${at}`,
    site_id: `site-${at % 10}`,
    client_id: `client-${at}`,
    side: 'connector',
    type: 'JOB_STATUS_UPDATED',
    acknowledges: 0,
    on_support_asset: 0,
    on_tm_update: 0,
    auth_type: 'NONE',
    sealed_secret: '',
    disabled: 0,
    failing_since: isOdd(at) ? at : null,
    created_at: at,
    modified_at: at,
  }),
)
const deliveries = numbers.map(
  (at): Insertable<Tables['deliveries']> => ({
    delivery_id: newId(),
    listener_id: `listener-${at}`,
    site_id: `site-${at % 10}`,
    event_type: 'JOB_UPDATE',
    job_id: 'job',
    uri: '',
    body: '',
    state: isOdd(at) ? 'PARKED' : at % 2 === 0 ? 'PENDING' : 'DELIVERED',
    created_at: at,
    attempts: 1,
    cause_id: 'c',
  }),
)
const tasks = numbers.map(
  (at): Insertable<Tables['tasks']> => ({
    name: 'translate-requests',
    payload: '{}',
    site_id: `site-${at % 10}`,
    due_at: at,
    attempts: 1,
    parked: isOdd(at) ? 1 : 0,
    fence: 0,
    cause_id: 'c',
    created_at: at,
    last_error: isOdd(at - 1) ? 'failed' : null,
  }),
)
const clients = numbers.map(
  (at): Insertable<Tables['clients']> => ({
    client_id: `client-${at}`,
    site_id: `site-${at % 10}`,
    scopes: 'content',
    page_format: 'full',
    created_at: at,
  }),
)
const secrets = numbers.map((at) => ({
  secret_id: newId(),
  client_id: `client-${at}`,
  hash: '',
  created_at: at,
  expires_at: isOdd(at) ? at : null,
}))
const updates = numbers.map((at) => ({
  update_id: newId(),
  site_id: `site-${at % 10}`,
  client_id: `client-${at}`,
  sequence: at,
  job_id: 'job',
  request_ids: '[]',
  status: 'x',
  has_error: 0,
  updated_at: at,
  acknowledged_at: isOdd(at) ? null : at,
  cause_id: 'c',
}))
const provider = {
  provider_id: 'p',
  site_id: 'site-7',
  name: 'p',
  type_id: 'manual',
  status: 'ENABLED',
  config: '{}',
  creator_id: 'c',
  created_at: 1,
  modified_at: 1,
} as const

const usage = numbers.map(
  (at): Insertable<Tables['engine_usage']> => ({
    ...{
      provider_id: 'p',
      job_id: `j${at}`,
      day: at,
      unit: 'CHARACTERS',
      site_id: `site-${at % 10}`,
    },
    ...{ estimated: 1, billed: null, characters: 1, saved: 0, requests: 1 },
    ...{
      held_at: isOdd(at) ? at : null,
      held_by: isOdd(at) ? 'JOB' : null,
      held_because: isOdd(at) ? 'x' : null,
    },
  }),
)

const look = (db: Db, siteId: string | undefined) => ({ db, siteId, limit: 100 })
/** The rows functions, the table each must not read whole, and the index it uses. */
const asked: [
  string,
  keyof Tables,
  RegExp,
  (db: Db, siteId: string | undefined) => Promise<unknown>,
][] = [
  [
    'parked-task',
    'tasks',
    /tasks_parked|tasks_site/,
    (db, site) => rows.parkedTasks(look(db, site)),
  ],
  [
    'engine-refuses',
    'tasks',
    /tasks_failing/,
    (db, site) => rows.failingTasks(look(db, site), 'translate-requests', 1_000),
  ],
  ['engine-held', 'engine_usage', /engine_usage_held/, (db, site) => selectHeld(db, site, 20)],
  [
    'parked-deliveries',
    'deliveries',
    /deliveries_parked/,
    (db, site) => rows.listenersWithParked(look(db, site)),
  ],
  [
    'parked-deliveries, counted',
    'deliveries',
    /deliveries_parked/,
    (db) => rows.measureParked(db, 'site-7', 'listener-7'),
  ],
  [
    'listener-failing',
    'listeners',
    /listeners_failing/,
    (db, site) => rows.failingListeners(look(db, site), { disabled: 0, before: many }),
  ],
  ['job-sending', 'jobs', /jobs_sending/, (db, site) => rows.sendingJobs(look(db, site), many)],
  [
    'job-unacknowledged',
    'jobs',
    /jobs_unacknowledged/,
    (db, site) => rows.unacknowledgedJobs(look(db, site), ['manual', 'api'], many),
  ],
  [
    'job-overdue',
    'jobs',
    /jobs_overdue|jobs_open_due|jobs_at_work/,
    (db, site) => rows.overdueJobs(look(db, site), many, many),
  ],
  [
    'secret-expires',
    'client_secrets',
    /client_secrets_end/,
    (db, site) => rows.endingSecrets(look(db, site), 1, many),
  ],
  [
    'updates-near',
    'status_updates',
    /status_updates_open/,
    (db, site) => selectOpenUpdates(db, site, true, 1),
  ],
  ['quota-near', 'site_bytes', /./, (db, site) => selectUse(db, site, 'MaxBytesPerSite', 1)],
]

onEachDatabase('the rules of findings', (makePlace) => {
  let place: StorePlace
  let db: Database
  beforeAll(async () => {
    place = await makePlace('migrated')
    db = await place.open()
    await migrate(db, 1)
    await db.transact(async (tx) => {
      await tx.insertInto('providers').values(provider).execute()
      for (let from = 0; from < many; from += 500) {
        const some = <T>(all: T[]) => all.slice(from, from + 500)
        await tx.insertInto('jobs').values(some(jobs)).execute()
        await tx.insertInto('listeners').values(some(listeners)).execute()
        await tx.insertInto('deliveries').values(some(deliveries)).execute()
        await tx.insertInto('tasks').values(some(tasks)).execute()
        await tx.insertInto('clients').values(some(clients)).execute()
        await tx.insertInto('client_secrets').values(some(secrets)).execute()
        await tx.insertInto('status_updates').values(some(updates)).execute()
        await tx.insertInto('engine_usage').values(some(usage)).execute()
      }
    })
    if (db.name === 'postgres') await sql`analyze`.execute(db.read)
  })
  afterAll(async () => {
    await db.close()
    await place.clear()
  })

  it.each(asked)('%s', async (_, table, index, ask) => {
    for (const site of [undefined, 'site-7']) {
      const plan = await plansOf(db, (db) => ask(db, site))
      expect(plan).toMatch(index)
      if (table !== 'site_bytes')
        expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}\\b|SCAN ${table}$`, 'm'))
    }
  })
})
