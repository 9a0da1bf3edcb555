import { expect, it } from 'vitest'
import type { GuideRow } from './find-guides.ts'
import { makeFind } from './find-pages.ts'
import { isNear, type SearchRow } from './find-rows.ts'
import { findSentence } from './find-sentence.ts'
import { fold, markedPieces, wordsOf } from './fold-text.ts'

const rows: SearchRow[] = [
  [
    'Calls',
    'Create a job',
    'POST /v2/jobs · createJob',
    '/docs/calls/createJob',
    'Opens an empty job.\njobName\nQUOTA',
  ],
  [
    'Calls',
    'Submit a job to a provider',
    'PUT /v2/jobs/{jobId}/submit · submitJob',
    '/docs/calls/submitJob',
  ],
  ['Errors', 'JOB_EMPTY', '400 · Job {jobId} has no requests.', '/docs/errors#JOB_EMPTY'],
  [
    'Settings',
    'DRAGOMAN_PUBLIC_URL',
    'Base URL used in responses.',
    '/docs/guides/config#DRAGOMAN_PUBLIC_URL',
  ],
  ...Array.from(
    { length: 8 },
    (_, n): SearchRow => ['Fields', 'jobName', `Schema${n}`, `/docs/schemas/Schema${n}`],
  ),
  ['Fields', 'jobNames', 'Other', '/docs/schemas/Other'],
]
const guides: GuideRow[] = [
  [
    'Listeners',
    '/docs/guides/listeners',
    [
      ['', '', 'A listener is called when something changes. It replaces polling.'],
      [
        'Failures',
        'failures',
        'The hub retries a delivery. The Café in Köln waits for naïve callers.\nAfterwards it is parked.',
      ],
    ],
  ],
  ['Cafés', '/docs/guides/cafes', [['', '', 'Nothing but the menu, and a job.']]],
]
const find = makeFind(rows, guides)
const all = (typed: string) => find(typed).flatMap(({ found }) => found)
const titles = (typed: string) => all(typed).map(({ title }) => title)
const first = (typed: string) => find(typed)[0]?.found[0]

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
  ['opens', 'Create a job'],
  ['polling', 'Listeners'],
  ['POLL', 'Listeners'],
  ['listener', 'Listeners'],
  ['koln', 'Failures'],
  ['NAIVE cafe', 'Failures'],
  ['naïve', 'Failures'],
  ['nai\u0308ve', 'Failures'],
  ['cafe', 'Cafés'],
  ['retry', 'Failures'],
  ['polling parked', 'Listeners'],
  ['job', 'Cafés'],
])('%s finds %s first', (typed, title) => {
  expect(titles(typed)[0]).toBe(title)
})

it('finds nothing for what is nowhere, for a word among others that is nowhere, and for signs alone', () => {
  for (const typed of ['', '   ', '((((', '<script>', 'xyzzy', 'polling xyzzy', 'x'.repeat(10_000)])
    expect(titles(typed)).toEqual([])
})

it('leads to the section, says of which guide it is, and shows the sentence', () => {
  expect(first('koln')).toMatchObject({
    title: 'Failures',
    of: 'Listeners',
    path: '/docs/guides/listeners#failures',
    line: 'The Café in Köln waits for naïve callers.',
  })
  expect(all('opens')[0]?.line).toBe('Opens an empty job.')
})

it('marks the words, also inside a name', () => {
  expect(markedPieces('The Café in Köln', wordsOf('koln CAF'))).toEqual([
    'The ',
    'Café',
    ' in ',
    'Köln',
    '',
  ])
  expect(markedPieces('targetNativeLanguageCodes', ['language'])).toEqual([
    'targetNative',
    'LanguageCodes',
    '',
  ])
  expect(markedPieces('nothing', ['hing'])).toEqual(['nothing'])
})

it('cuts a long sentence around the word', () => {
  const line = findSentence(`${'before '.repeat(60)}needle ${'after '.repeat(60)}`, ['needle'])
  expect(line).toMatch(/^… .*needle.* …$/)
  expect(line.length).toBeLessThan(170)
})

it('keeps every letter in its place when it folds', () => {
  for (const text of ['Straße İstanbul ﬁn', '日本語 Ａ', 'e\u0301 Ǆ 𝒳'])
    expect(fold(text)).toHaveLength(text.length)
})

it('shows a name from a few places, so that others are seen too', () => {
  const fields = find('jobName')
    .find(({ kind }) => kind === 'Fields')
    ?.found.map(({ title }) => title)
  expect(fields).toEqual(['jobName', 'jobName', 'jobName', 'jobNames'])
})

it('takes one slip for the same word', () => {
  expect(['emtpy', 'empt', 'emppty', 'enpty'].map((typed) => isNear('empty', typed))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(isNear('empty', 'table')).toBe(false)
})
