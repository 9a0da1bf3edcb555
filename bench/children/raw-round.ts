/**
 * The anchor of a round: the rows that a job of many requests reads and writes from submit to
 * review, in raw SQL on the hub's own tables and in batches of the same sizes. No tasks, checks,
 * driver or updates: only the database's share.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { sqliteModule } from '../built.ts'
import { answer } from '../child.ts'

type Value = string | number | null
type Raw = {
  query(sql: string, values: readonly Value[]): Promise<Record<string, Value>[]>
  close(): Promise<void> | void
}

let raw: Raw | undefined
/** Requests per transaction, as in domain/handover. */
const sentTogether = 1_000
const translatedTogether = 500
/** Rows per statement. */
const together = 250

const openers: Record<string, (url: string) => Promise<Raw>> = {
  sqlite: async (url) => {
    const db = (await (await sqliteModule()).loadSqlite())(url.slice('sqlite:'.length))
    db.exec(
      'pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16000; pragma busy_timeout = 60000',
    )
    const known = new Map<string, ReturnType<typeof db.prepare>>()
    return {
      query: async (text, values) => {
        // A transaction that reads first could not write after somebody else has.
        const sql = text === 'begin' ? 'begin immediate' : text
        const statement = known.get(sql) ?? db.prepare(sql)
        known.set(sql, statement)
        if (sql.startsWith('select')) return statement.all(...values) as Record<string, Value>[]
        statement.run(...values)
        return []
      },
      close: () => db.close(),
    }
  },
  postgres: async (url) => {
    const client = new pg.Client(url)
    await client.connect()
    const known = new Map<string, { name: string; text: string }>()
    return {
      query: async (sql, values) => {
        let at = 0
        const prepared = known.get(sql) ?? {
          name: `s${known.size}`,
          text: sql.replaceAll('?', () => `$${++at}`),
        }
        known.set(sql, prepared)
        return (await client.query({ ...prepared, values: [...values] })).rows
      },
      close: () => client.end(),
    }
  },
}

type Of = { readonly siteId: string; readonly jobId: string; readonly many: number }

const verbs = {
  open: async (url: string): Promise<void> => {
    raw = await openers[url.startsWith('sqlite') ? 'sqlite' : 'postgres']?.(url)
  },
  /** Requests per second, from CREATED to REVIEW_TRANSLATION. */
  round: async ({ siteId, jobId, many }: Of): Promise<number> => {
    const begun = performance.now()
    await move({ siteId, jobId, many }, many, 'CREATED', 'SENDING')
    await move({ siteId, jobId, many }, sentTogether, 'SENDING', 'SENT_TO_PROVIDER')
    for (let after = 0; after < many; after += translatedTogether)
      await translate({ siteId, jobId, many }, after)
    return (many * 1_000) / (performance.now() - begun)
  },
}
export type RawRoundVerbs = typeof verbs
answer(verbs, () => raw?.close())

const query = (sql: string, ...values: readonly Value[]) => {
  if (!raw) throw new Error('open comes first')
  return raw.query(sql, values)
}

async function inTransaction(work: () => Promise<void>): Promise<void> {
  await query('begin')
  await work()
  await query('commit')
}

async function move(
  { siteId, jobId, many }: Of,
  size: number,
  from: string,
  to: string,
): Promise<void> {
  for (let after = 0; after < many; after += size)
    await inTransaction(async () => {
      const range = [siteId, jobId, after, after + size] as const
      const where = 'site_id = ? and job_id = ? and position > ? and position <= ?'
      const rows = await query(
        `select request_id, status from requests where ${where} order by position`,
        ...range,
      )
      await query(
        `update requests set status = ?, modified_at = ? where ${where}`,
        to,
        Date.now(),
        ...range,
      )
      await record({ siteId, jobId }, rows, from, to)
    })
}

async function translate({ siteId, jobId }: Of, after: number): Promise<void> {
  const rows = await query(
    `select requests.*, source_contents.fields, source_contents.bytes from requests
    join source_contents on source_contents.site_id = requests.site_id and source_contents.job_id = requests.job_id
    and source_contents.content_id = requests.content_id
    where requests.site_id = ? and requests.job_id = ? and position > ? and position <= ? order by position`,
    ...([siteId, jobId, after, after + translatedTogether] as const),
  )
  const now = Date.now()
  const made = rows.map((row) => ({ ...row, contentId: randomBytes(11).toString('hex') }))
  await inTransaction(async () => {
    for (let from = 0; from < made.length; from += together) {
      const some = made.slice(from, from + together)
      await query(
        `insert into source_contents (content_id, site_id, job_id, fields, bytes, created_at, modified_at)
        values ${some.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
        ...some.flatMap(({ contentId, fields = '', bytes = 0 }: Made) => [
          ...[contentId, siteId, jobId, fields, bytes],
          ...[now, now],
        ]),
      )
      await query(
        `with given(request_id, content_id) as (values ${some.map(() => '(?, ?)').join(', ')})
        update requests set status = 'REVIEW_TRANSLATION', translation_content_id = given.content_id, modified_at = ?
        from given where site_id = ? and job_id = ? and requests.request_id = given.request_id`,
        ...some.flatMap(({ request_id = '', contentId }: Made) => [request_id, contentId]),
        ...([now, siteId, jobId] as const),
      )
    }
    await record({ siteId, jobId }, rows, 'SENT_TO_PROVIDER', 'REVIEW_TRANSLATION')
  })
}

type Made = { readonly contentId: string; readonly [column: string]: Value }

async function record(
  { siteId, jobId }: Omit<Of, 'many'>,
  rows: readonly Record<string, Value>[],
  from: string,
  to: string,
): Promise<void> {
  const ids = JSON.stringify(rows.map(({ request_id }) => request_id))
  const now = Date.now()
  await query(
    `insert into moves (move_id, site_id, job_id, request_ids, move, from_status, to_status, moved_at, cause_id)
    values (?, ?, ?, ?, 'bench', ?, ?, ?, 'bench')`,
    ...([randomBytes(11).toString('hex'), siteId, jobId, ids, from, to, now] as const),
  )
  await query(
    'update jobs set modified_at = ?, version = version + 1 where site_id = ? and job_id = ?',
    ...([now, siteId, jobId] as const),
  )
}
