import { expect, it } from 'vitest'
import { findRows, isNear, prepare, type SearchRow } from './find-rows.ts'

const rows: SearchRow[] = [
  ['Calls', 'Create a job', 'POST /v2/jobs · createJob', '/docs/calls/createJob'],
  ['Calls', 'Submit a job to a provider', 'PUT /v2/jobs/{jobId}/submit · submitJob', '/docs/calls/submitJob'],
  ['Errors', 'JOB_EMPTY', '400 · Job {jobId} has no requests.', '/docs/errors#JOB_EMPTY'],
  ['Settings', 'DRAGOMAN_PUBLIC_URL', 'Base URL used in responses.', '/docs/guides/config#DRAGOMAN_PUBLIC_URL'],
  ...Array.from({ length: 8 }, (_, n): SearchRow => ['Fields', 'jobName', `Schema${n}`, `/docs/schemas/Schema${n}`]),
  ['Fields', 'jobNames', 'Other', '/docs/schemas/Other'],
]
const titles = (typed: string) => findRows(prepare(rows), typed).flatMap(({ rows }) => rows.map(([, title]) => title))

it.each([
  ['create job', 'Create a job'],
  ['creat', 'Create a job'],
  ['createjob', 'Create a job'],
  ['JOB_EMPTY', 'JOB_EMPTY'],
  ['job_emtpy', 'JOB_EMPTY'],
  ['emptyy', 'JOB_EMPTY'],
  ['public url', 'DRAGOMAN_PUBLIC_URL'],
  ['submitJob', 'Submit a job to a provider'],
  ['has no requests', 'JOB_EMPTY'],
])('%s finds %s first', (typed, title) => {
  expect(titles(typed)[0]).toBe(title)
})

it('finds nothing for what is nowhere, and for signs alone', () => {
  for (const typed of ['', '   ', '((((', '<script>', 'xyzzy', 'x'.repeat(10_000)]) expect(titles(typed)).toEqual([])
})

it('shows a name from a few places, so that others are seen too', () => {
  expect(titles('jobName')).toEqual(['jobName', 'jobName', 'jobName', 'jobNames'])
})

it('takes one slip for the same word', () => {
  expect(['emtpy', 'empt', 'emppty', 'enpty'].map((typed) => isNear('empty', typed))).toEqual([true, true, true, true])
  expect(isNear('empty', 'table')).toBe(false)
})
