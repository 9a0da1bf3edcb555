/**
 * A table of calls: each row says what is sent and which response is expected. `everything` shows
 * that a refused call changed nothing.
 */
import { type Endpoint, endpoints, errorCodes, failsOf, methodOf, pathOf } from '@dragoman/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Tables } from '../packages/server/src/store/tables.ts'
import type { Answer, CallOptions, TestHub } from './hub.ts'

export type ScenarioCall = CallOptions & {
  readonly name: string
  readonly call: string
  readonly status: number
  /** The code of the error object. */
  readonly code?: string
  /** Part of the response. */
  readonly answer?: Record<string, unknown>
  /** What the error's message must match. */
  readonly says?: RegExp
}

type Body = Record<string, unknown>

/** Makes the call of a row and checks the response; returns it for further checks. */
export async function run(hub: TestHub, row: ScenarioCall): Promise<Answer<Body>> {
  const [method = '', path = ''] = row.call.split(' ')
  const got = await hub.call<Body>(method, path, { as: 'demo-connector', ...row })
  expect({ status: got.status, body: got.body }, row.name).toMatchObject({
    status: row.status,
    body: row.answer ?? {},
  })
  expect(got.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  if (row.status >= 400) {
    expect(got.body).toMatchObject({
      message: expect.any(String),
      traceId: got.headers.get('x-request-id'),
    })
    if (row.code) expect(got.body.code, JSON.stringify(got.body)).toBe(row.code)
    expect(codesOf(method, path), `${row.call} names its errors`).toContain(got.body.code)
    if (row.says) expect(String(got.body.message)).toMatch(row.says)
    expect(JSON.stringify(got.body)).not.toMatch(/node_modules|\bat .*\.ts:|select .* from|SQLITE/i)
  }
  return got
}

/** The codes that the endpoint of a path may return; any code if the path is not an endpoint. */
function codesOf(method: string, path: string): readonly unknown[] {
  const steps = (path.split('?', 1)[0] ?? '').split('/').slice(2)
  const fits = (pattern: string) => {
    const wanted = pattern.split('/').slice(1)
    return (
      wanted.length === steps.length &&
      wanted.every((step, at) => step.startsWith('{') || step === steps[at])
    )
  }
  const rows = Object.values<Endpoint>(endpoints).filter(
    (row) => methodOf(row) === method && fits(pathOf(row)),
  )
  // A path may match two rows (/jobs/archived and /jobs/{jobId}); the one without a placeholder
  // wins.
  const [row] = rows.sort((one, other) => one.call.split('{').length - other.call.split('{').length)
  return path.startsWith('/v2/') && row && isDecodable(path) ? failsOf(row) : errorCodes
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Tables that any call may write to (a wrong secret is counted), or that change by themselves. */
const notWatched = new Set([
  'calls',
  'call_times',
  'chains',
  'nodes',
  'buckets',
  'guesses',
  'signing_keys',
])

const tableNames = {
  sqlite: sql<{
    name: keyof Tables
  }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
  postgres: sql<{
    name: keyof Tables
  }>`select tablename as name from pg_tables where schemaname = current_schema()`,
}

/** Every row of every other table, to show that a refused call changed nothing. */
export async function everything(hub: TestHub): Promise<string> {
  const { read, name: database } = hub.inner.db
  const names = await tableNames[database].execute(read)
  const found: Record<string, unknown> = {}
  for (const { name: table } of names.rows) {
    if (notWatched.has(table)) continue
    const all = await read.selectFrom(table).selectAll().execute()
    // The calls of a deleted job are erased a minute later, whatever happens meanwhile.
    const rows = all.filter((row) => !('key' in row && String(row.key).startsWith('erase-calls:')))
    // The time of a client's last call is written a moment after the call, whatever the call was.
    found[table] = rows.map((row) => JSON.stringify({ ...row, last_used_at: undefined })).sort()
  }
  expect(Object.keys(found)).toContain('listeners')
  return JSON.stringify(found)
}
