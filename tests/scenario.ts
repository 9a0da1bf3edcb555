/** A table of calls: each row says what is sent and what must come back, and also what must not have happened. */
import { type Endpoint, endpoints, errorCodes, failsOf, methodOf, pathOf } from '@dragoman/contract'
import { expect } from 'vitest'
import type { Answer, CallOptions, TestHub } from './hub.ts'

export type Row = CallOptions & {
  readonly name: string
  readonly call: string
  readonly status: number
  /** The code of the error object. */
  readonly code?: string
  /** Part of the answer. */
  readonly answer?: Record<string, unknown>
  /** What the message of the error must say. */
  readonly says?: RegExp
}

type Body = Record<string, unknown>

/** Makes the call of a row and holds the answer against it; gives the answer back for more. */
export async function run(hub: TestHub, row: Row): Promise<Answer<Body>> {
  const [method = '', path = ''] = row.call.split(' ')
  const got = await hub.call<Body>(method, path, { as: 'demo-connector', ...row })
  expect({ status: got.status, body: got.body }, row.name).toMatchObject({ status: row.status, body: row.answer ?? {} })
  expect(got.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  if (row.status >= 400) {
    expect(got.body).toMatchObject({ message: expect.any(String), traceId: got.headers.get('x-request-id') })
    if (row.code) expect(got.body.code, JSON.stringify(got.body)).toBe(row.code)
    expect(codesOf(method, path), `${row.call} names its errors`).toContain(got.body.code)
    if (row.says) expect(String(got.body.message)).toMatch(row.says)
    expect(JSON.stringify(got.body)).not.toMatch(/node_modules|\bat .*\.ts:|select .* from|SQLITE/i)
  }
  return got
}

/** The codes that the endpoint of a path may answer with; what is no endpoint may answer with any. */
function codesOf(method: string, path: string): readonly unknown[] {
  const steps = (path.split('?', 1)[0] ?? '').split('/').slice(2)
  const fits = (pattern: string) => {
    const wanted = pattern.split('/').slice(1)
    return wanted.length === steps.length && wanted.every((step, at) => step.startsWith('{') || step === steps[at])
  }
  const rows = Object.values<Endpoint>(endpoints).filter((row) => methodOf(row) === method && fits(pathOf(row)))
  // A path may fit two rows (/jobs/archived and /jobs/{jobId}); the one without a blank is meant.
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

/** Every row of every table of the hub, to see that a refused call changed nothing. Calls and keys are not things. */
export async function everything(hub: TestHub): Promise<string> {
  const tables = [
    'providers',
    'jobs',
    'job_labels',
    'requests',
    'files',
    'source_contents',
    'moves',
    'tasks',
    'analysis_levels',
    'analysis_codes',
    'job_codes',
    'price_lists',
  ] as const
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    const rows = await hub.inner.engine.read.selectFrom(table).selectAll().execute()
    found[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return JSON.stringify(found)
}
