/**
 * PostgreSQL behind PgBouncer in transaction mode, where a session of the server belongs to one
 * transaction at a time.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Database } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from './pgbouncer.ts'
import { usePostgres } from './postgres.ts'
import { put, type StorePlace } from './store-fixtures.ts'

const isThere = hasPgbouncer && databases.includes('postgres')
if (!isThere)
  process.stderr.write(
    'SKIPPED: behind PgBouncer, because it is not installed (Debian: pgbouncer)\n',
  )

describe.skipIf(!isThere)('behind PgBouncer in transaction mode', () => {
  let pgbouncer: Pgbouncer
  const makePlace = async (): Promise<StorePlace> => {
    const postgres = usePostgres(inject('postgresUrl'))
    const direct = await postgres.createDatabase()
    const url = pgbouncer.urlOf(direct)
    return { url, open: () => openDatabase(url), clear: () => postgres.dropDatabase(direct) }
  }
  beforeAll(async () => {
    pgbouncer = await startPgbouncer(inject('postgresUrl'))
  })
  afterAll(() => pgbouncer?.stop())

  it('transactions are whole, and none is lost where many run at once', async () => {
    const place = await makePlace()
    const nodes = [await place.open(), await place.open()]
    const [one, two] = nodes as [Database, Database]
    await migrate(one, 1)
    await one.transact((tx) => put(tx, 'count', '0'))
    const add = (db: Database) =>
      db.transact((tx) =>
        sql`update hub_state set value = (value::int + 1)::text where name = ${'count'}`.execute(
          tx,
        ),
      )
    await Promise.all(Array.from({ length: 60 }, (_, at) => add(at % 2 === 0 ? one : two)))
    const taken = one.transact(async (tx) => {
      await put(tx, 'undone')
      await put(tx, 'count')
    })
    expect(one.isConflict(await taken.catch((error: unknown) => error))).toBe(true)
    const rows = await two.read.selectFrom('hub_state').select(['name', 'value']).execute()
    expect(rows).toEqual([{ name: 'count', value: '60' }])
    for (const node of nodes) await node.close()
    await place.clear()
  })

  it('timeouts hold inside a transaction and are not left to the next user of the session', async () => {
    const place = await makePlace()
    const db = await place.open()
    const lockTimeout = sql<{ lock_timeout: string }>`show lock_timeout`
    const inside = await db.transact((tx) => lockTimeout.execute(tx))
    expect(inside.rows).toEqual([{ lock_timeout: '10s' }])
    expect((await lockTimeout.execute(db.read)).rows).toEqual([{ lock_timeout: '0' }])
    await db.close()
    await place.clear()
  })

  it('two nodes say what is missing at their start, and translate a job', async () => {
    const place = await makePlace()
    const env = {
      DRAGOMAN_DATABASE_URL: place.url,
      DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
    }
    const nodes: TestHub[] = []
    try {
      for (const _ of [1, 2]) nodes.push(await startHub({ env }))
      const [one, two] = nodes as [TestHub, TestHub]
      for (const node of nodes)
        expect(node.logged()).toContain('The database is behind a connection pooler')
      const as = 'demo-connector'
      const { providers } = (
        await one.call<{ providers: { id: string; name: string }[] }>('GET', '/v2/providers', {
          as,
        })
      ).body
      const providerId = providers.find(({ name }) => name === 'Pseudo')?.id
      const { jobId } = (
        await one.call('POST', '/v2/jobs', { as, body: { jobName: 'pooled', providerId } })
      ).body
      const requests = Array.from({ length: 60 }, (_, at) => ({
        requestName: `r${at}`,
        sourceNativeId: `${at}`,
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de'],
        fields: [{ key: 'a', value: `text number ${at}` }],
      }))
      const added = await two.call('POST', `/v2/jobs/${jobId}/requests/add`, {
        as,
        body: { requests },
      })
      expect(added.status).toBe(201)
      expect((await one.call('PUT', `/v2/jobs/${jobId}/submit`, { as })).status).toBe(200)
      await until('every request is translated', async () => {
        const job = await two.call<{ aggregateRequests: { byStatusCode: Record<string, number> } }>(
          'GET',
          `/v2/jobs/${jobId}?aggregateRequests=true`,
          { as },
        )
        return job.body.aggregateRequests.byStatusCode.REVIEW_TRANSLATION === requests.length
      })
    } finally {
      for (const node of nodes) await node.close()
      await place.clear()
    }
  })
})
