/**
 * Jobs for the tests of the console: a few over the API, or very many written straight to the
 * database.
 */
import { sql } from 'kysely'
import type { TestHub } from '../hub.ts'

type Job = { jobId: string; jobName: string; statusCode: string }
const day = 86_400_000

export const dueIn = (hub: TestHub, days: number): string =>
  new Date(hub.inner.clock.now() + days * day).toISOString()

export async function providersOf(hub: TestHub): Promise<Record<string, string>> {
  const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
    'GET',
    '/v2/providers',
    {
      as: 'demo-admin',
    },
  )
  return Object.fromEntries(body.providers.map(({ id, name }) => [name, id]))
}

export type Wanted = {
  readonly jobName: string
  readonly due?: number
  readonly targets?: readonly string[]
  readonly submit?: string
  readonly [field: string]: unknown
}

/**
 * A job with one request of three texts in each target language; submitted if `submit` names a
 * provider.
 */
export async function makeJob(
  hub: TestHub,
  { due, targets = ['de-de'], submit, ...rest }: Wanted,
): Promise<Job> {
  const as = 'demo-connector'
  const made = await hub.call<Job>('POST', '/v2/jobs', {
    as,
    body: {
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: targets,
      ...(due !== undefined && { dueDate: dueIn(hub, due) }),
      ...rest,
    },
  })
  const { jobId } = made.body
  const fields = ['Pay now', 'Free returns within 30 days', 'Your basket is empty'].map(
    (value, at) => ({
      key: `text.${at}`,
      value,
    }),
  )
  const request = {
    requestName: 'Texts',
    sourceNativeId: 'texts',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: targets,
    fields,
  }
  await hub.call('POST', `/v2/jobs/${jobId}/requests/add`, { as, body: { requests: [request] } })
  if (submit)
    await hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as, body: { providerId: submit } })
  return made.body
}

/** Copies a job this many times, each with its own id, name and due date, in one statement. */
export async function fillJobs({ inner }: TestHub, jobId: string, many: number): Promise<void> {
  const row = await inner.db.read
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  const own: Record<string, string> = {
    job_id: "'z' || cast(100000000 + i as text)",
    job_name: "'Job ' || cast(i as text)",
    due_at: `${inner.clock.now() + day} + i * 60000`,
  }
  const columns = Object.keys(row)
  const values = columns.map((column) => own[column] ?? `jobs.${column}`)
  await inner.db.transact((tx) =>
    sql
      .raw(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})
         insert into jobs (${columns.join()}) select ${values.join()} from jobs cross join n where jobs.job_id = '${jobId}'`,
      )
      .execute(tx),
  )
}
