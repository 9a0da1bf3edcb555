import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countBytes } from '../packages/server/src/domain/access/site-bytes.ts'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { sweep } from '../packages/server/src/domain/operations/tasks/sweep.ts'
import { seedHub } from '../packages/server/src/domain/sites/seed/seed.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import type { Db } from '../packages/server/src/store/database.ts'
import type { JobRow } from '../packages/server/src/store/tables.ts'
import { addTasks } from '../packages/server/src/store/tasks/add-tasks.ts'
import { claimTasks } from '../packages/server/src/store/tasks/claim-tasks.ts'
import { parkTask } from '../packages/server/src/store/tasks/hold-tasks.ts'
import { databases, type HubPlace, makePlace } from './hub-place.ts'

describe.each(databases)('the integrity check on %s', (database) => {
  let place: HubPlace
  let hub: Hub
  beforeEach(async () => {
    place = await makePlace(database)
    hub = await place.open()
    await seedHub(hub)
    await write((tx) =>
      tx
        .insertInto('jobs')
        .values(job('good', { labels: '["x","y"]' }))
        .execute(),
    )
    await write((tx) =>
      tx
        .insertInto('job_labels')
        .values([label('good', 'x'), label('good', 'y')])
        .execute(),
    )
  })
  afterEach(() => place.clear())

  const write = <T>(work: (tx: Db) => Promise<T>): Promise<T> => hub.db.transact(work)
  const prices = (text: string) => ({
    price_list_id: 'bad',
    site_id: 'demo',
    version: 1,
    name: 'P',
    currency: 'EUR',
    valid_from: 0,
    valid_to: null,
    prices: text,
    created_at: 0,
    cause_id: 'x',
  })
  /** Its bytes are counted as a saved list's are: only the list itself is wrong. */
  const addPrices = async (tx: Db, text: string): Promise<void> => {
    await tx.insertInto('price_lists').values(prices(text)).execute()
    await countBytes(hub.db, tx, 'demo', text.length)
  }
  const label = (job_id: string, name: string, value: string | null = null) => ({
    job_id,
    site_id: 'demo',
    name,
    value,
  })
  const job = (job_id: string, more: Partial<JobRow> = {}) => ({
    job_id,
    site_id: 'demo',
    job_name: 'n',
    status: 'CREATED' as const,
    archive_status: 'ACTIVE' as const,
    archived: 0,
    has_error: 0,
    creator_id: 'demo-connector',
    created_at: 1,
    modified_at: 1,
    activity_at: 1,
    archival_at: Number.MAX_SAFE_INTEGER,
    cause_id: 'test',
    ...more,
  })
  const request = (job_id: string, position: number) => ({
    request_id: `${job_id}-${position}`,
    site_id: 'demo',
    job_id,
    position,
    request_name: 'r',
    status: 'CREATED' as const,
    has_error: 0,
    source_native_id: 's',
    source_language: 'en-us',
    target_language: 'de-de',
    created_at: 1,
    modified_at: 1,
    cause_id: 'test',
  })
  const task = (key?: string) => ({
    name: 'n',
    payload: {},
    dueAt: 0,
    causeId: 'test',
    ...(key && { key }),
  })

  it('finds nothing in a hub that is whole', async () => {
    await write(async (tx) => {
      await tx
        .insertInto('jobs')
        .values(job('moving', { archive_status: 'ARCHIVING', archived: 1 }))
        .execute()
      await addTasks(hub.db, tx, 1, [task('archive:moving')])
    })
    expect((await checkHub(hub)).findings).toEqual([])
  })

  const damages: {
    what: string
    check: string
    id: string
    damage: (tx: Db) => Promise<unknown>
  }[] = [
    {
      what: 'an archived flag that is not so',
      check: 'archived flags',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { archived: 1 }))
          .execute(),
    },
    {
      what: 'a job that is archiving for ever',
      check: 'archive tasks',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { archive_status: 'ARCHIVING', archived: 1 }))
          .execute(),
    },
    {
      what: 'a job that is unarchiving for ever',
      check: 'archive tasks',
      id: 'job bad',
      damage: async (tx) => {
        await tx
          .insertInto('jobs')
          .values(job('bad', { archive_status: 'UNARCHIVING' }))
          .execute()
        await addTasks(hub.db, tx, 1, [task('archive:bad')])
      },
    },
    {
      what: 'a label without its row',
      check: 'labels',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { labels: '{"a":"1"}' }))
          .execute(),
    },
    {
      what: 'a row of a label that the job does not have',
      check: 'labels',
      id: 'job good',
      damage: (tx) => tx.insertInto('job_labels').values(label('good', 'z')).execute(),
    },
    {
      what: 'labels that are not JSON',
      check: 'labels',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { labels: '{' }))
          .execute(),
    },
    {
      what: 'an analysis code without its row',
      check: 'analysis codes',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { analysis_codes: '[{"level":1,"code":"X"}]' }))
          .execute(),
    },
    {
      what: 'analysis codes that are not JSON',
      check: 'analysis codes',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { analysis_codes: '{' }))
          .execute(),
    },
    {
      what: 'a job with an analysis code that is not there',
      check: 'references',
      id: 'job bad',
      damage: async (tx) => {
        await tx
          .insertInto('jobs')
          .values(job('bad', { analysis_codes: '[{"level":1,"code":"X"}]' }))
          .execute()
        const row = { job_id: 'bad', site_id: 'demo', level: 1, code_key: 'x', code_id: 'nobody' }
        await tx.insertInto('job_codes').values(row).execute()
      },
    },
    {
      what: 'a price list that cannot be read',
      check: 'price lists',
      id: 'price list bad',
      damage: (tx) => addPrices(tx, '{'),
    },
    {
      what: 'a price list with a gap',
      check: 'price lists',
      id: 'price list bad',
      damage: (tx) => addPrices(tx, '{"bands":[],"lines":[{}]}'),
    },
    {
      what: 'a job of a provider that is not there',
      check: 'references',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { provider_id: 'nobody' }))
          .execute(),
    },
    {
      what: 'a job of a site that is not there',
      check: 'references',
      id: 'job bad',
      damage: (tx) =>
        tx
          .insertInto('jobs')
          .values(job('bad', { site_id: 'nowhere' }))
          .execute(),
    },
    {
      what: 'a client of a site that is not there',
      check: 'references',
      id: 'client demo-admin',
      damage: (tx) =>
        tx
          .updateTable('clients')
          .set({ site_id: 'nowhere' })
          .where('client_id', '=', 'demo-admin')
          .execute(),
    },
    {
      what: 'a client that owns a provider that is not there',
      check: 'references',
      id: 'client demo-admin',
      damage: (tx) =>
        tx
          .insertInto('client_providers')
          .values({ client_id: 'demo-admin', provider_id: 'x' })
          .execute(),
    },
    {
      what: 'more requests than the quota',
      check: 'quotas',
      id: 'job good',
      damage: async (tx) => {
        const requests = Array.from({ length: 2_001 }, (_, position) => request('good', position))
        for (let at = 0; at < requests.length; at += 500)
          await tx
            .insertInto('requests')
            .values(requests.slice(at, at + 500))
            .execute()
      },
    },
  ]
  it.each(damages)('finds $what', async ({ check, id, damage }) => {
    await write(damage)
    const text = expect.any(String)
    expect((await checkHub(hub)).findings).toEqual([
      { check, weight: 'wrong', what: id, says: text, siteId: text, advice: text },
    ])
  })

  it('takes a raised quota for what it is', async () => {
    await write(async (tx) => {
      await tx
        .updateTable('clients')
        .set({ quotas: '{"MaxReqsPerJob":1}' })
        .where('client_id', '=', 'demo-settings')
        .execute()
      await tx
        .insertInto('requests')
        .values([0, 1, 2].map((position) => request('good', position)))
        .execute()
    })
    expect((await checkHub(hub)).findings).toEqual([])
  })

  it('reports parked tasks, and those that nobody takes over', async () => {
    await write((tx) => addTasks(hub.db, tx, 1, [task('a'), task('b')]))
    const now = hub.clock.now()
    const [first] = await claimTasks(hub.db, {
      nodeId: 'dead',
      now,
      leaseUntil: now + 20_000,
      many: 2,
    })
    if (first) await parkTask(hub.db, first, 'it rains')
    expect((await checkHub(hub)).findings).toMatchObject([
      { check: 'parked tasks', weight: 'waiting', says: expect.stringContaining('it rains') },
    ])
    hub.clock.moveTo(now + 90_000)
    expect((await checkHub(hub)).findings.map(({ check }) => check)).toEqual([
      'leases',
      'parked tasks',
    ])
  })

  it('is preceded by a sweep that removes only what is over', async () => {
    const now = hub.clock.now()
    const day = 86_400_000
    const key = (name: string, created_at: number) => ({
      site_id: 's',
      client_id: 'c',
      path: '/',
      key: name,
      body_hash: 'h',
      running_until: 0,
      created_at,
    })
    const guess = (address: string, since: number) => ({
      client_id: 'c',
      address,
      failures: 3,
      since,
      blocked_until: 0,
    })
    await write(async (tx) => {
      await tx
        .insertInto('idempotency')
        .values([key('old', now - day - 1), key('new', now - day + 60_000)])
        .execute()
      await tx
        .insertInto('guesses')
        .values([guess('old', now - day), guess('new', now)])
        .execute()
      await tx
        .insertInto('buckets')
        .values([
          { address: 'old', arrives_at: (now - 1) * 1000 },
          { address: 'new', arrives_at: (now + day) * 1000 },
        ])
        .execute()
    })
    await sweep(hub)
    const { read } = hub.db
    expect(await read.selectFrom('idempotency').select('key').execute()).toEqual([{ key: 'new' }])
    expect(await read.selectFrom('guesses').select('address').execute()).toEqual([
      { address: 'new' },
    ])
    expect(await read.selectFrom('buckets').select('address').execute()).toEqual([
      { address: 'new' },
    ])
    expect(await read.selectFrom('signing_keys').select('kid').execute()).toHaveLength(1)
  })
})
