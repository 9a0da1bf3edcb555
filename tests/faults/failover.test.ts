/**
 * PostgreSQL with a synchronous standby: one kill of the primary under load, and what a hub must
 * not take for the primary. Twenty kills: `npm run faults -- --only failover`.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../packages/server/src/store/postgres/postgres.ts'
import { openConnections } from '../../packages/server/src/store/postgres/postgres-connections.ts'
import { openPrimary } from '../../packages/server/src/store/postgres/postgres-primary.ts'
import { readPostgresUrl } from '../../packages/server/src/store/postgres/postgres-url.ts'
import { failOver } from '../campaigns/failover.ts'
import { type PostgresPair, startPair } from '../campaigns/postgres-pair.ts'
import { findingsOf, lineOf } from '../campaigns/tally.ts'
import { databases } from '../hub.ts'
import { until } from '../hub-place.ts'
import { findBinaries } from '../postgres.ts'

const isThere = databases.includes('postgres') && (await findBinaries()) !== undefined
if (!isThere)
  process.stderr.write(
    'SKIPPED: failover, because no PostgreSQL is installed here (Debian: postgresql)\n',
  )

describe.skipIf(!isThere)('PostgreSQL with a synchronous standby', () => {
  let pair: PostgresPair
  beforeAll(async () => {
    const started = await startPair({ durable: false })
    if (!started) throw new Error('There was a PostgreSQL a moment ago.')
    pair = started
  })
  afterAll(() => pair?.close())

  it('whose primary is killed under load loses and doubles nothing that was acknowledged', async () => {
    const tally = await failOver(pair, { kills: 1, clients: 4 })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.rounds).toBe(1)
    expect(tally.acknowledged).toBeGreaterThan(20)
    expect(tally.wholeRounds).toBeGreaterThan(1)
  })

  it('does not acknowledge a commit that only the primary has', async () => {
    const db = await openPostgres(await pair.createDatabase())
    await sql`create table things (name text primary key)`.execute(db.read)
    pair.signal('standby', 'SIGSTOP')
    try {
      const commit = db
        .transact((tx) => sql`insert into things values ('unconfirmed')`.execute(tx))
        .catch((error: unknown) => error)
      const waiting =
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
      await until(
        'the commit waits for the standby',
        async () => (await pair.ask('primary', waiting)).length > 0,
      )
      const refused = await commit
      expect(String(refused)).toContain('The standby did not confirm the commit')
      expect(db.isBusy(refused)).toBe(true)
    } finally {
      pair.signal('standby', 'SIGCONT')
    }
    await db.transact((tx) => sql`insert into things values ('confirmed')`.execute(tx))
    await db.close()
  })

  it('cuts connections that hang at a primary that was replaced, and never goes back to it', async () => {
    const url = await pair.createDatabase()
    const hosts = readPostgresUrl(url)
    const primary = openPrimary(hosts, { watchMs: 100, patienceMs: 1_000 })
    const connections = openConnections(primary, {}, { size: 2, mustWrite: true })
    const busy = await connections.connect()
    await busy.query('create table things (port int)')
    const listening = await connections.open()
    const cut = new Promise((resolve) => listening.once('end', resolve))
    const old = primary.now()
    pair.signal('primary', 'SIGSTOP')
    const hung = busy.query('select 1').catch((error: unknown) => error)
    await pair.promote()
    expect(String(await hung)).toMatch(/terminated/)
    await cut
    busy.release(true)
    expect(primary.now()).not.toBe(old)
    const next = await connections.connect()
    await next.query('insert into things select inet_server_port()')
    next.release()

    // The old primary goes on where it stopped, and would take writes.
    pair.signal('standby', 'SIGCONT')
    await until('the old primary answers', async () => {
      const [row] = await pair.ask('standby', 'select pg_is_in_recovery() as standby')
      return row?.standby === false
    })
    for (const order of [hosts.urls, hosts.urls.toReversed()]) {
      const fresh = openPrimary({ urls: order, mustWrite: true })
      expect(await fresh.find()).toBe(primary.now())
      fresh.close()
    }
    await pair.kill()
    connections.doubt()
    // Whichever of the two is told: the old primary, or the one that is gone.
    await expect(connections.connect()).rejects.toThrow(/has the old timeline|ECONNREFUSED/)
    await connections.end()
  })
})
