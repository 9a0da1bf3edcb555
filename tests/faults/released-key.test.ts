/** A database that goes away during a call, and comes back: the call can be repeated at once. */
import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { databases, startHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { cloneMigrated } from '../migrated.ts'
import { usePostgres } from '../postgres.ts'

it.runIf(databases.includes('postgres'))(
  'a call that failed with its database is carried out when it is repeated with its key, as soon as the database is back',
  async () => {
    const postgres = usePostgres(inject('postgresUrl'))
    const databaseUrl = await cloneMigrated()
    const line = await openLine(Number(new URL(databaseUrl).port))
    const url = Object.assign(new URL(databaseUrl), { port: String(line.port) }).href
    const hub = await startHub({
      env: { DRAGOMAN_DATABASE_URL: url, DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex') },
    })
    const [direct, holder] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)]
    for (const client of [direct, holder]) await client.connect()
    try {
      const create = () =>
        hub.call<{ jobId?: string; code?: string }>('POST', '/v2/jobs', {
          as: 'demo-connector',
          body: { jobName: 'once' },
          headers: { 'idempotency-key': 'the-one' },
        })
      await hub.token('demo-connector')
      await holder.query('begin')
      await holder.query('lock table jobs in access exclusive mode')
      const first = create()
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%"jobs"%'`
      await until(
        'the call waits for the table',
        async () => (await direct.query(waiting)).rows.length > 0,
      )
      line.cut()
      expect((await first).status).toBe(503)
      await holder.query('rollback')
      expect((await create()).status).toBe(503)
      line.mend()
      const { body } = await until('the repeated call is carried out', async () => {
        const answer = await create()
        return answer.status === 201 && answer
      })
      const { rows } = await direct.query("select job_id from jobs where job_name = 'once'")
      expect(rows).toEqual([{ job_id: body.jobId }])
    } finally {
      for (const client of [direct, holder]) await client.end()
      await hub.close()
      await line.close()
      await postgres.dropDatabase(databaseUrl)
    }
  },
)

/**
 * A line to a port of this machine that can be cut: open connections break, and new ones are
 * refused.
 */
async function openLine(to: number) {
  const ends = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => {})
      end.once('close', () => {
        ends.delete(end)
        other.destroy()
      })
      end.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const end of ends) end.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => {
      isCut = false
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
