import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { advice, withAdvice } from './advice.ts'
import { badge } from './badge.ts'
import { judgeAccept, judgeBackoff, judgePages, judgeRedirect, judgeToken } from './judge-calls.ts'
import { judgeLanguages, judgeMetadata, judgeNames, judgePrefix } from './judge-jobs.ts'
import { judgeScenarios } from './judge-scenarios.ts'
import { judgeAcknowledging, judgePolling, judgeRedelivery } from './judge-updates.ts'
import { judgeLog, judgeObligations } from './obligations.ts'
import { htmlReport, isPassed, junitReport, type Report, textReport } from './report.ts'
import { scenarioNames } from './scenarios.ts'
import type { SeenCall } from './seen.ts'
import type { Judged, Round, Verdict } from './verdict.ts'

type Given = Partial<SeenCall> & { readonly what: string }

let number = 0
/** A call at a time in milliseconds, with a duration of one. */
function call({ what, ...more }: Given): SeenCall {
  const [method = '', route = ''] = what.split(' ')
  number += 1
  const at = more.at ?? number * 10
  return {
    number,
    id: `call-${number}`,
    time: '',
    method,
    route,
    status: 200,
    ...more,
    at,
    endedAt: at + 1,
  }
}
const round = (calls: readonly Given[], more: Partial<Round> = {}): Round => ({
  scenario: 'plain',
  says: '',
  goodConnector: '',
  deliveries: [],
  acted: 0,
  ended: { code: 0 },
  ...more,
  calls: calls.map(call),
})

const guid = '3f1c9a50-6f5e-4d7c-9b3e-0d6f6d4a2b11'
const named = (connectorName: string) => ({
  what: 'POST /v2/jobs',
  status: 201,
  sent: { connectorName, connectorVersion: '1.0' },
})
const token = (at: number, expiresIn = 3600) => ({
  what: 'POST /connect/token',
  at,
  answered: { expiresIn },
})
const used = (at: number, status = 200) => ({ what: 'GET /v2/jobs', at, token: 't', status })
const refused = (at: number, retryAfter?: string) => ({
  what: 'GET /v2/jobs',
  at,
  status: 429,
  ...(retryAfter !== undefined && { retryAfter }),
})
const page = (cursor: string | undefined, next: string | undefined) => ({
  what: 'GET /v2/jobs',
  ...(cursor !== undefined && { cursor }),
  answered: { items: 1, ...(next !== undefined && { next }) },
})
const update = {
  updateId: 'u',
  jobId: 'j',
  requestIds: ['r'],
  statusCode: 'REVIEW_TRANSLATION',
  hasError: false,
}
const told = { what: 'GET /v2/statusupdates', answered: { updates: [update] } }
const acknowledged = {
  what: 'PUT /v2/statusupdates/{updateId}/acknowledge',
  ids: { updateId: 'u' },
}
const created = { what: 'POST /v2/jobs', status: 201, answered: { jobId: 'j' } }
const asked = {
  what: 'GET /v2/jobs/{jobId}/requests/{requestId}/retrievefile',
  ids: { jobId: 'j', requestId: 'r' },
  status: 307,
  answered: { link: 'l' },
}
const followed = { what: 'GET /fms/files/{subject}', link: 'l' }
const approved = {
  what: 'PUT /v2/jobs/{jobId}/requests/approve',
  sent: { requestIds: ['r'] },
  fault: { id: 'f', scenario: 'redelivery-after-approval' as const },
}

type Judge = (rounds: readonly Round[]) => Judged

test.each([
  ['cms 1.0', 'the GUID at its beginning'],
  [`${guid} cms`, 'a name and a version after the GUID'],
  [`${guid} my cms`, 'a version at its end'],
  [`${guid} 1.0`, 'a name between the GUID and the version'],
])('%s lacks %s', (name, lack) => {
  expect(judgePrefix([round([named(name)])]).because).toContain(`it lacks ${lack}`)
})

const rows: [string, Judge, readonly Given[], Judged['result']][] = [
  ['both names', judgeMetadata, [named(`${guid} cms 1.0`)], 'kept'],
  [
    'no names on a change',
    judgeMetadata,
    [named('x'), { what: 'PATCH /v2/jobs/{jobId}', sent: {} }],
    'broken',
  ],
  ['no job at all', judgeMetadata, [used(1)], 'not seen'],
  [
    'the same GUID',
    judgePrefix,
    [named(`${guid} cms 1.0`), named(`${guid.toUpperCase()} cms 1.1`)],
    'kept',
  ],
  [
    'another GUID',
    judgePrefix,
    [named(`${guid} cms 1.0`), named(`${guid.replace('3', '4')} cms 1.0`)],
    'broken',
  ],
  ['a name without a GUID', judgePrefix, [named('cms 1.0')], 'broken'],
  [
    'a name of 250 bytes',
    judgeNames,
    [{ what: 'POST /v2/jobs', sent: { names: [{ name: 'n', bytes: 250 }] } }],
    'kept',
  ],
  [
    'a name of 251 bytes',
    judgeNames,
    [{ what: 'POST /v2/jobs', sent: { names: [{ name: 'n', bytes: 251 }] } }],
    'broken',
  ],
  [
    'accepted codes',
    judgeLanguages,
    [{ what: 'POST /v2/jobs', sent: { languages: ['de-de', 'EN_us'] } }],
    'kept',
  ],
  [
    'an unknown code',
    judgeLanguages,
    [{ what: 'POST /v2/jobs', sent: { languages: ['deutsch'] } }],
    'broken',
  ],
  ['one token for all', judgeToken, [token(0), used(1), used(2)], 'kept'],
  ['a token for each call', judgeToken, [token(0), used(1), token(2), used(3)], 'broken'],
  [
    'a new token after a 401',
    judgeToken,
    [token(0), used(1), used(2, 401), token(3), used(4)],
    'kept',
  ],
  [
    'a new token when the old one ends',
    judgeToken,
    [token(0, 5), used(1), token(4_600), used(4_601)],
    'kept',
  ],
  ['a wait as long as Retry-After', judgeBackoff, [refused(0, '1'), used(1_001)], 'kept'],
  ['a wait that is too short', judgeBackoff, [refused(0, '1'), used(500)], 'broken'],
  ['growing pauses', judgeBackoff, [refused(0), refused(300), refused(900), used(2_000)], 'kept'],
  ['no pauses', judgeBackoff, [refused(0), refused(3), refused(6), used(9)], 'broken'],
  [
    'tries for ever',
    judgeBackoff,
    Array.from({ length: 20 }, (_, n) => refused(n * 1_000)),
    'broken',
  ],
  [
    'another call meanwhile',
    judgeBackoff,
    [refused(0, '1'), { what: 'GET /v2/quota', at: 5 }, used(1_001)],
    'kept',
  ],
  ['nothing refused', judgeBackoff, [used(1)], 'not seen'],
  [
    'cursors followed',
    judgePages,
    [page(undefined, 'a'), page('a', 'b'), page('b', undefined)],
    'kept',
  ],
  ['a cursor left', judgePages, [page(undefined, 'a'), page('a', 'b')], 'broken'],
  [
    'updates asked for anew when they were acknowledged',
    judgePages,
    [
      { ...told, answered: { ...told.answered, next: 'n' } },
      acknowledged,
      { what: 'GET /v2/statusupdates' },
    ],
    'kept',
  ],
  ['a redirect followed', judgeRedirect, [asked, followed], 'kept'],
  ['a redirect left', judgeRedirect, [asked], 'broken'],
  [
    'Accept as it should be',
    judgeAccept,
    [
      { ...asked, accept: 'application/octet-stream' },
      { ...used(1), accept: 'application/json' },
    ],
    'kept',
  ],
  ['any Accept', judgeAccept, [{ ...used(1), accept: '*/*' }], 'broken'],
  ['a JSON Accept for a file', judgeAccept, [{ ...asked, accept: 'application/json' }], 'broken'],
  [
    'acknowledged after the bytes',
    judgeAcknowledging,
    [created, told, asked, followed, acknowledged],
    'kept',
  ],
  [
    'acknowledged before the bytes',
    judgeAcknowledging,
    [created, told, asked, acknowledged, followed],
    'broken',
  ],
  ['an update of an older job', judgeAcknowledging, [told, acknowledged], 'not seen'],
  ['fetched again', judgeRedelivery, [asked, followed, approved, asked, followed], 'kept'],
  ['not fetched again', judgeRedelivery, [asked, followed, approved], 'broken'],
  ['no listener', judgePolling, [asked, followed], 'not seen'],
]
test.each(rows)('%s: %o', (_, judge, calls, result) => {
  expect(judge([round(calls)]).result).toBe(result)
})

const silent = {
  number: 1,
  time: '',
  at: 1,
  listenerId: 'l',
  jobId: 'j',
  webhookId: 'w',
  made: false,
  fault: { id: 'f', scenario: 'never-called' as const },
}
test('a listener that is never called does not count as kept', () => {
  const deliveries = [silent]
  expect(judgePolling([round([asked, followed], { deliveries })]).result).toBe('kept')
  expect(judgePolling([round([told], { deliveries })]).result).toBe('broken')
})

const added = {
  what: 'POST /v2/jobs/{jobId}/requests/add',
  status: 201,
  answered: { requestIds: ['r'] },
}
const whole = [created, added, asked, followed]
const scenarios: [string, Round, Judged['result']][] = [
  ['all came home', round(whole), 'kept'],
  ['a translation was left', round([created, added, asked]), 'broken'],
  ['the process failed', round(whole, { ended: { code: 3 } }), 'broken'],
  ['it did not end', round(whole, { ended: 'late' }), 'broken'],
  ['nothing was sent', round([used(1)]), 'broken'],
  ['the fault did not act', round(whole, { scenario: 'bad-signature' }), 'not seen'],
  [
    'two jobs for one',
    round([created, { ...created, answered: { jobId: 'k' } }, added, asked, followed], {
      scenario: 'answer-lost',
      acted: 1,
    }),
    'broken',
  ],
  [
    'one job with the same key',
    round([created, created, added, asked, followed], { scenario: 'answer-lost', acted: 1 }),
    'kept',
  ],
  [
    'everything was cancelled',
    round([created, added], { scenario: 'provider-cancels-all', acted: 1 }),
    'kept',
  ],
  [
    'through a storm without a pause',
    round([refused(0, '1'), used(5), ...whole], { scenario: 'rate-limit-storm', acted: 1 }),
    'broken',
  ],
]
test.each(scenarios)('a round in which %s', (_, given, result) => {
  expect(judgeScenarios([given])[0]?.result).toBe(result)
})

test('the transaction log is asked for, and held against the jobs', () => {
  const rounds = [round([asked])]
  expect(judgeLog(rounds, undefined).result).toBe('asked')
  expect(judgeLog(rounds, 'GET /v2/jobs/j 200').result).toBe('kept')
  expect(judgeLog(rounds, '').result).toBe('broken')
})

const verdict = (result: Verdict['result'], name: string): Verdict => ({
  name,
  says: 'says <this> & that',
  result,
  because: 'a "reason" with \u0000 in it',
  evidence: [{ id: 'call-1', call: 'GET /v2/jobs', status: 429, time: '' }],
})
const report: Report = {
  url: 'http://hub',
  client: 'c',
  time: '2026-11-15T06:00:00.000Z',
  obligations: [verdict('kept', 'a'), verdict('broken', 'b'), verdict('asked', 'c')],
  scenarios: [verdict('not seen', 'd')],
}
test('the report says the same in all its forms, and is well formed whatever stands in it', () => {
  expect(isPassed(report)).toBe(false)
  expect(textReport(report)).toContain('Not certified: 1 kept, 1 broken, 1 not seen, 1 asked.')
  expect(textReport(report)).toContain('call-1  GET /v2/jobs 429')
  const junit = junitReport(report)
  expect(junit).toContain('<testsuite name="obligations" tests="3" failures="1" skipped="1"')
  for (const made of [junit, htmlReport(report)]) {
    expect(made).toContain('says &lt;this&gt; &amp; that')
    expect(made).not.toContain('\u0000')
  }
})

const obligationNames = [...judgeObligations([]), judgeLog([], undefined)].map(({ name }) => name)

test('a broken verdict has advice and a link to a heading of the guide, another has none', () => {
  expect(Object.keys(advice).sort()).toEqual([...obligationNames].sort())
  const page = readFileSync(new URL('../../../docs/certification.md', import.meta.url), 'utf8')
  for (const name of obligationNames) {
    const { guide = '', advice: says } = withAdvice(verdict('broken', name))
    expect(says).toMatch(/\w\.$/)
    expect(guide).toBe(`docs/certification.md#${name}`)
    expect(page).toContain(`\n### ${name}\n`)
  }
  expect(withAdvice(verdict('kept', 'backoff'))).not.toHaveProperty('advice')
  expect(withAdvice(verdict('broken', 'unavailable'), 'Waits.').guide).toBe(
    'docs/certification.md#when-a-scenario-is-broken',
  )
  expect(page).toContain('\n## When a scenario is broken\n')
  const told = { ...report, obligations: [withAdvice(verdict('broken', 'backoff'))] }
  for (const made of [textReport(told), htmlReport(told), junitReport(told)]) {
    expect(made).toContain('docs/certification.md#backoff')
    expect(made).toContain('After 429 and 50x wait for Retry-After')
  }
})

test('with every obligation and scenario kept, the report is one screen', () => {
  const kept = (name: string): Verdict => ({
    name,
    says: '',
    result: 'kept',
    because: 'Seen often.',
    evidence: [],
  })
  const whole = {
    ...report,
    obligations: obligationNames.map(kept),
    scenarios: ['plain', ...scenarioNames].map(kept),
  }
  const lines = textReport(whole).split('\n')
  expect(lines.length).toBeLessThanOrEqual(24)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  for (const name of obligationNames) expect(textReport(whole)).toContain(name)
  expect(lines.at(-1)).toMatch(/^Certified: 5\d kept, 0 broken/)
})

test('the badge says whether the connector is certified, and when', () => {
  const passing = { ...report, obligations: [verdict('kept', 'a')] }
  expect(badge(passing)).toContain('certified 2026-11-15')
  expect(badge(report)).toContain('>not certified</text>')
  expect(badge(passing)).toMatch(/^<svg [^>]*role="img" aria-label="[^"]+">/)
})

test('JUnit names its cases by sentences', () => {
  const names = [
    ...junitReport({ ...report, obligations: judgeObligations([]), scenarios: [] }).matchAll(
      / name="([^"]*)">/g,
    ),
  ]
  const sentences = names.map(([, name]) => name)
  expect(sentences.length).toBeGreaterThan(10)
  for (const name of sentences) expect(name).toMatch(/^[A-Za-z].* .*\.$/)
  expect(new Set(sentences).size).toBe(sentences.length)
})
