/**
 * The anchor of writes on PostgreSQL: BEGIN, INSERT (prepared), COMMIT on as many connections as
 * there are callers.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { answer } from '../child.ts'

const clients: pg.Client[] = []
let body = ''
/** Rows per statement. */
const together = 250

const verbs = {
  open: async ({
    url,
    rowBytes,
    connections,
  }: {
    url: string
    rowBytes: number
    connections: number
  }) => {
    body = 'x'.repeat(Math.max(1, rowBytes - 10))
    for (let made = 0; made < connections; made++) {
      const client = new pg.Client(url)
      await client.connect()
      clients.push(client)
    }
    await clients[0]?.query(
      'create table raw_rows (id text collate "C" primary key, body text not null)',
    )
  },
  /** Transactions per second, all connections together. */
  commits: async (milliseconds: number): Promise<number> => {
    const begun = performance.now()
    let commits = 0
    const insert = { name: 'insert', text: 'insert into raw_rows (id, body) values ($1, $2)' }
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() - begun < milliseconds) {
          await client.query('begin')
          await client.query({ ...insert, values: [randomBytes(5).toString('hex'), body] })
          await client.query('commit')
          commits += 1
        }
      }),
    )
    return (commits * 1_000) / (performance.now() - begun)
  },
  /** Rows per second, with this many in one transaction on one connection. */
  rows: async (many: number): Promise<number> => {
    const [client] = clients
    const places = Array.from(
      { length: together },
      (_, at) => `($${at * 2 + 1}, $${at * 2 + 2})`,
    ).join(', ')
    const insert = { name: 'insert-many', text: `insert into raw_rows (id, body) values ${places}` }
    const begun = performance.now()
    await client?.query('begin')
    for (let from = 0; from < many; from += together) {
      const values = Array.from({ length: together }, () => [
        randomBytes(11).toString('hex'),
        body,
      ]).flat()
      await client?.query({ ...insert, values })
    }
    await client?.query('commit')
    return (many * 1_000) / (performance.now() - begun)
  },
}
export type RawPostgresVerbs = typeof verbs
answer(verbs, async () => {
  for (const client of clients) await client.end()
})
