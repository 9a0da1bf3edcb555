/** Reports: words, money and speed of known jobs, on both engines. */
import type { Report, ReportRow } from '@dragoman/contract'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import {
  type RecordedCall,
  recordCalls,
} from '../../packages/server/src/domain/views/history/record-calls.ts'
import { newId, newJobId } from '../../packages/server/src/store/ids.ts'
import type { Tables } from '../../packages/server/src/store/tables.ts'
import { engines, startHub, type TestHub } from '../hub.ts'
import { prices, type Quoting, quoting, tmxOf } from '../quoting.ts'
import { run } from '../scenario.ts'
import { jobRow } from '../store-fixtures.ts'

const day = 86_400_000
const hour = 3_600_000
const as = 'demo-admin'

const reader = (hub: TestHub) => ({
  report: async (name: string, query: Record<string, string> = {}, who = as): Promise<Report> => {
    const got = await hub.call<Report>('GET', `/v2/reports/${name}`, { as: who, query })
    expect(got.status, JSON.stringify(got.body)).toBe(200)
    return got.body
  },
})
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)

describe.each(engines)('reports of jobs that went round, on %s', (engine) => {
  let hub: TestHub
  let at: Quoting
  let read: ReturnType<typeof reader>
  let monday: number
  let centre: string
  const now = () => hub.inner.clock.now()
  const toClock = (time: number) => hub.advance(`${Math.ceil((time - now()) / 1000)}s`)
  const deliver = async (providerId: string, jobId: string, requestId: string, keys: number) => {
    const task = `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`
    const fields = Array.from({ length: keys }, (_, key) => ({ key: `k${key}`, value: 'Wort' }))
    await at.must(200, 'PUT', `${task}/translatedContent`, { fields }, 'demo-provider')
    await at.must(200, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' }, 'demo-provider')
  }

  beforeAll(async () => {
    hub = await startHub({ engine })
    at = quoting(hub)
    read = reader(hub)
    const other = await enrolClient(hub.inner, {
      clientId: 'other-admin',
      siteId: 'other',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', other.secret)
    const weekday = (new Date(now()).getUTCDay() + 6) % 7
    monday = Math.floor(now() / day) * day + (7 - weekday) * day
    await toClock(monday + 8 * hour)
    await at.setPrices()
    await at.teach(
      tmxOf([
        ['The pump stops when the tank is empty.', 'Die Pumpe stoppt, wenn der Tank leer ist.'],
        [
          'Close the valve before you open the lid.',
          'Schließen Sie das Ventil, bevor Sie den Deckel öffnen.',
        ],
        ['Fill 5 litres', '5 Liter einfüllen'],
      ]),
    )
    const code = { code: 'MKT', label: 'Marketing', level: 2 }
    centre = (
      await at.must<{ id: string }>(201, 'POST', '/settings/analysiscodes', code, 'demo-settings')
    ).id
    // Week 1: 31 words (29 of them matched), 1.83 EUR; and 3 words without a quote.
    const texts = [
      ...['The pump stops when the tank is empty.', 'Close the valve before you open the cover.'],
      ...[
        'Close the valve before you open the lid!',
        'Wear gloves.',
        'Wear gloves.',
        'Fill 20 litres',
      ],
    ]
    const analysisCodes = [{ level: 2, code: 'mkt' }]
    const dueDate = new Date(monday + 3 * day).toISOString()
    const first = await at.jobOf(texts, { shouldQuote: true, analysisCodes, dueDate })
    await at.submit(first)
    await at.submit(await at.jobOf(['Without a quote']))
    const { providers } = await at.must<{ providers: { id: string; name: string }[] }>(
      200,
      'GET',
      '/providers',
    )
    const manual = providers.find(({ name }) => name === 'Manual')?.id ?? ''
    const requests = await at.must<{ requests: { requestId: string }[] }>(
      200,
      'GET',
      `/jobs/${first}/requests`,
    )
    const requestId = requests.requests[0]?.requestId ?? ''
    await toClock(monday + day + 8 * hour)
    await deliver(manual, first, requestId, texts.length)
    const review = `/jobs/${first}/requests`
    await at.must(200, 'PUT', `${review}/reject`, { requestIds: [requestId], rejectNote: 'No.' })
    await toClock(monday + 2 * day + 8 * hour)
    await deliver(manual, first, requestId, texts.length)
    await at.must(200, 'PUT', `${review}/approve`, { requestIds: [requestId] })
    await at.must(200, 'PUT', `/jobs/${first}/complete`)
    await at.must(200, 'PUT', `/jobs/${first}/archive`)
    await hub.advance('1s')
    // Week 2: 3 words in yen, one quote that was cancelled, one delivered after it was due.
    await toClock(monday + 7 * day + 8 * hour)
    const yen = prices.lines.map((line) => ({ ...line, unitPrice: '12' }))
    await at.setPrices({ ...prices, currency: 'JPY', lines: yen, validFrom: dayText(now()) })
    await at.submit(await at.jobOf(['Yellow garden chair'], { shouldQuote: true }), 'Pseudo')
    const gone = await at.jobOf(['Cancelled words'], {
      shouldQuote: true,
      dueDate: new Date(now() + hour).toISOString(),
    })
    await at.submit(gone)
    await at.must(
      200,
      'PATCH',
      `/providers/${manual}/jobs/${gone}`,
      { statusCode: 'CANCELLED' },
      'demo-provider',
    )
    const late = await at.jobOf(['Late'], { dueDate: new Date(now() + hour).toISOString() })
    await at.submit(late)
    const missing = await at.jobOf(['Missing'], { dueDate: new Date(now() + hour).toISOString() })
    await at.submit(missing)
    const open = await at.must<{ requests: { requestId: string }[] }>(
      200,
      'GET',
      `/jobs/${late}/requests`,
    )
    await toClock(monday + 8 * day + 8 * hour)
    await deliver(manual, late, open.requests[0]?.requestId ?? '', 1)
    await toClock(monday + 9 * day + 8 * hour)
  })
  afterAll(() => hub.close())

  const weeks = () => [dayText(monday), dayText(monday + 7 * day)] as const

  it('words are counted by band, with what matches saved, to the cent', async () => {
    const [first, second] = weeks()
    const report = await read.report('words', { from: first })
    expect(report).toMatchObject({
      unit: 'week',
      from: first,
      to: dayText(monday + 13 * day),
      jobsWithoutQuote: 3,
    })
    expect(report.rows).toEqual([
      {
        ...{
          day: first,
          currency: 'EUR',
          jobs: 1,
          words: 31,
          repetition: 2,
          context: 0,
          exact: 8,
          fuzzy: 19,
          new: 2,
        },
        // 29 words at 0.125 are 3.625, rounded to even 3.62, and 0.02 for the repetition: 3.64
        // instead of 1.83.
        savedByMemory: '1.81',
        // 31 words at 0.125 are 3.875, rounded to even 3.88.
        savedByRepetition: '0.24',
      },
      {
        ...{
          day: second,
          currency: 'JPY',
          jobs: 2,
          words: 5,
          repetition: 0,
          context: 0,
          exact: 0,
          fuzzy: 0,
          new: 5,
        },
        ...{ savedByMemory: '0', savedByRepetition: '0' },
      },
    ])
    expect(report.totals.map(({ currency, words }) => [currency, words])).toEqual([
      ['EUR', 31],
      ['JPY', 5],
    ])
  })

  it('money is summed exactly by provider, one row per currency, and compared with the period before', async () => {
    const [first, second] = weeks()
    const shown = ({
      day: of,
      groupName,
      currency,
      jobs,
      amount,
      cancelledAmount,
      amountBefore,
    }: ReportRow) =>
      [of, groupName, currency, jobs, amount, cancelledAmount, amountBefore].filter(
        (one) => one !== undefined,
      )
    const report = await read.report('money', { from: first })
    expect(report.by).toBe('provider')
    expect(report.rows.map(shown).sort()).toEqual([
      [first, 'Manual', 'EUR', 1, '1.83', '0.00'],
      [second, 'Manual', 'JPY', 1, '0', '24'],
      [second, 'Pseudo', 'JPY', 1, '36', '0'],
    ])
    const later = await read.report('money', { from: second })
    expect(later.totals.map(shown).sort()).toEqual([
      ['Manual', 'EUR', 0, '0.00', '0.00', '1.83'],
      ['Manual', 'JPY', 1, '0', '24', '0'],
      ['Pseudo', 'JPY', 1, '36', '0', '0'],
    ])
  })

  it('money is summed by an analysis code, and what has none is told', async () => {
    const report = await read.report('money', { from: weeks()[0], by: 'code2' })
    expect(
      report.totals.map(({ group, groupName, currency, amount }) => [
        group,
        groupName,
        currency,
        amount,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [centre, 'MKT Marketing', 'EUR', '1.83'],
        ['', '', 'JPY', '36'],
      ]),
    )
    const elsewhere = await read.report('money', { from: weeks()[0], by: 'code3' })
    expect(elsewhere.totals.every(({ group }) => group === '')).toBe(true)
  })

  it('throughput tells what moved each day, and what waited at its end', async () => {
    const report = await read.report('throughput', { from: weeks()[0] })
    const rows = new Map(report.rows.map((row) => [row.day, row]))
    const on = (offset: number) => rows.get(dayText(monday + offset * day))
    expect(report.rows).toHaveLength(10)
    expect(on(0)).toMatchObject({ submitted: 2, delivered: 0, backlog: 2, inReview: 0 })
    expect(on(1)).toMatchObject({ submitted: 0, delivered: 1, rejected: 1, backlog: 2 })
    // Delivered again; the job is then completed and archived.
    expect(on(2)).toMatchObject({ delivered: 1, approved: 1, backlog: 1, inReview: 0 })
    // Four submitted: one delivered by the machine at once, one cancelled.
    expect(on(7)).toMatchObject({
      submitted: 4,
      delivered: 1,
      cancelled: 1,
      backlog: 3,
      inReview: 1,
    })
    expect(on(8)).toMatchObject({ delivered: 1, backlog: 2, inReview: 2 })
    expect(report.totals).toEqual([
      {
        submitted: 6,
        delivered: 4,
        approved: 1,
        rejected: 1,
        cancelled: 1,
        backlog: 2,
        inReview: 2,
      },
    ])
    const weekly = await read.report('throughput', { from: weeks()[0], unit: 'week' })
    expect(weekly.rows.map(({ day: of, submitted, backlog }) => [of, submitted, backlog])).toEqual([
      [weeks()[0], 2, 1],
      [weeks()[1], 4, 2],
    ])
  })

  it('on-time goes by the due date, counts what is missing and leaves out what was cancelled', async () => {
    const report = await read.report('on-time', { from: weeks()[0] })
    expect(report.rows).toEqual([
      { day: weeks()[0], due: 1, onTime: 1, late: 0, missing: 0 },
      { day: weeks()[1], due: 2, onTime: 0, late: 1, missing: 1 },
    ])
    expect(
      (await read.report('on-time', { from: weeks()[0], by: 'provider' })).totals,
    ).toMatchObject([{ groupName: 'Manual', due: 3, onTime: 1, late: 1, missing: 1 }])
  })

  it('rejects are counted against the words delivered for the first time', async () => {
    const report = await read.report('rejects', { from: weeks()[0] })
    expect(report.rows).toMatchObject([
      { groupName: 'Manual', delivered: 2, rejected: 1, words: 31, withoutWords: 1 },
      { groupName: 'Pseudo', delivered: 1, rejected: 0, words: 3, withoutWords: 0 },
    ])
    const byLanguage = await read.report('rejects', { from: weeks()[0], by: 'language' })
    expect(byLanguage.rows).toMatchObject([
      { group: 'de-de', delivered: 3, rejected: 1, words: 34 },
    ])
  })

  it.each([
    'throughput',
    'time-in-state',
    'words',
    'money',
    'on-time',
    'rejects',
    'latency',
    'engines',
    'effort',
  ])(
    '%s tells another site nothing, and an operator only of the site that is named',
    async (name) => {
      const zero = ({ rows }: Report) =>
        rows.flatMap(({ day: _, ...row }) => Object.values(row)).every((one) => one === 0)
      const theirs = await read.report(name, { from: weeks()[0], siteId: 'demo' }, 'other-admin')
      expect(zero(theirs)).toBe(true)
      expect(
        zero(await read.report(name, { from: weeks()[0], siteId: 'other' }, 'demo-operator')),
      ).toBe(true)
      const ours = await read.report(name, { from: weeks()[0] })
      expect(
        await read.report(name, { from: weeks()[0], siteId: 'demo' }, 'demo-operator'),
      ).toEqual(ours)
    },
  )

  it.each([
    ['an unknown report', 'nothing', {}, 400, 'INVALID_PARAMETER', /report/],
    [
      'a by of another report',
      'throughput',
      { by: 'provider' },
      400,
      'INVALID_PARAMETER',
      /has no by/,
    ],
    ['a level that does not exist', 'money', { by: 'code11' }, 400, 'INVALID_PARAMETER', /by/],
    ['too many days', 'money', { from: '2020-01-01' }, 400, 'INVALID_PARAMETER', /at most 400/],
    [
      'a wrong order',
      'money',
      { from: '2026-02-01', to: '2026-01-01' },
      400,
      'INVALID_PARAMETER',
      /is after to/,
    ],
    ['a day that is none', 'money', { from: '2026-02-30' }, 400, 'INVALID_PARAMETER', /from/],
  ] as const)('%s is refused', async (name, report, query, status, code, says) => {
    await run(hub, { name, as, call: `GET /v2/reports/${report}`, query, status, code, says })
  })

  it('an operator must name a site that exists, and a connector may not ask', async () => {
    const call = 'GET /v2/reports/money'
    const refused = {
      name: 'none',
      call,
      status: 400,
      code: 'INVALID_PARAMETER',
      says: /siteId is missing/,
    }
    await run(hub, { ...refused, as: 'demo-operator' })
    const query = { siteId: 'nowhere' }
    await run(hub, {
      name: 'unknown',
      as: 'demo-operator',
      call,
      query,
      status: 404,
      code: 'SITE_NOT_FOUND',
    })
    await run(hub, { name: 'scope', call, status: 403, code: 'FORBIDDEN' })
  })
})

/** Rows with exact times, which the clock of a running hub cannot give. */
describe.each(engines)('reports of exact times, on %s', (engine) => {
  let hub: TestHub
  let read: ReturnType<typeof reader>
  // A Sunday and a Monday around the change to summer time in Europe.
  const sunday = Date.parse('2026-03-29T00:00:00Z')
  type Move = [on: string, from: string, to: string, at: number]
  const jobs: Insertable<Tables['jobs']>[] = []
  const requests: Insertable<Tables['requests']>[] = []
  const moves: Insertable<Tables['moves']>[] = []
  const addJob = (language: string, steps: readonly Move[], more: object = {}) => {
    const [, , , submittedAt = 0] = steps[0] ?? []
    const last = steps.at(-1)?.[3] ?? submittedAt
    const id = { job_id: newJobId(), site_id: 'demo' }
    const own = {
      status: 'IN_TRANSLATION' as const,
      submitted_at: submittedAt,
      modified_at: last,
      provider_id: 'p',
    }
    jobs.push({ ...jobRow({ created_at: submittedAt }), ...own, ...id, ...more })
    const request_id = newId()
    requests.push({
      ...{
        ...id,
        request_id,
        position: 1,
        request_name: 'r',
        status: 'IN_TRANSLATION',
        has_error: 0,
      },
      ...{
        source_native_id: 's',
        source_language: 'en-us',
        target_language: language,
        created_at: 1,
        modified_at: 1,
      },
      cause_id: 'c',
    })
    for (const [move, from_status, to_status, moved_at] of steps) {
      const request_ids = move === 'archive' ? null : JSON.stringify([request_id])
      moves.push({
        ...id,
        move_id: newId(),
        request_ids,
        move,
        from_status,
        to_status,
        moved_at,
        cause_id: 'c',
      })
    }
  }
  const sentAt = (time: number): Move[] => [
    ['submit', 'CREATED', 'SENDING', time],
    ['sent', 'SENDING', 'SENT_TO_PROVIDER', time],
  ]
  beforeAll(async () => {
    hub = await startHub({ engine })
    read = reader(hub)
    // 1 to 20 hours at the provider; 10 of them to de-de, in three spellings.
    for (let hours = 1; hours <= 20; hours += 1)
      addJob(hours <= 10 ? (['de-DE', 'de_de', 'de-de'][hours % 3] ?? '') : 'fr-fr', [
        ...sentAt(sunday - 10 * day),
        ['fail', 'SENT_TO_PROVIDER', 'SENT_TO_PROVIDER', sunday - 10 * day + 1],
        ['start', 'SENT_TO_PROVIDER', 'IN_TRANSLATION', sunday - 10 * day + hours * hour],
      ])
    // On the last millisecond of Sunday and the first of Monday.
    addJob('es-es', sentAt(sunday + day - 1))
    addJob('es-es', sentAt(sunday + day))
    // Open when the period begins, archived in it by the hub.
    addJob(
      'it-it',
      [...sentAt(sunday - 300 * day), ['archive', 'ACTIVE', 'ARCHIVING', sunday + 2 * day]],
      {
        archived: 1,
      },
    )
    await hub.inner.db.transact(async (tx) => {
      await tx.insertInto('jobs').values(jobs).execute()
      await tx.insertInto('requests').values(requests).execute()
      await tx.insertInto('moves').values(moves).execute()
    })
  })
  afterAll(() => hub.close())

  it('median, 75 and 95 per cent are those of the stays, whatever the spelling of the language', async () => {
    const query = { from: '2026-03-16', to: '2026-03-22' }
    const { rows, totals } = await read.report('time-in-state', query)
    const state = 'SENT_TO_PROVIDER'
    const all = { state, count: 20, medianMs: 10 * hour, p75Ms: 15 * hour, p95Ms: 19 * hour }
    expect(rows).toEqual([{ group: 'p', groupName: 'p', ...all }])
    expect(totals).toEqual([all])
    const byLanguage = await read.report('time-in-state', { ...query, by: 'language' })
    expect(
      byLanguage.rows.map(({ group, count, medianMs }) => [group, count, (medianMs ?? 0) / hour]),
    ).toEqual([
      ['de-de', 10, 5],
      ['fr-fr', 10, 15],
    ])
    const both = await read.report('time-in-state', { ...query, by: 'provider-language' })
    expect(both.rows.map(({ groupName }) => groupName)).toEqual(['p, de-de', 'p, fr-fr'])
    expect(
      (await read.report('time-in-state', { from: '2026-03-23', to: '2026-03-29' })).rows,
    ).toEqual([])
  })

  it('latency tells how long attempts took by listener, and how long calls took, in this site only', async () => {
    const rows = latencyRows(sunday)
    await hub.inner.db.transact(async (tx) => {
      await tx.insertInto('listeners').values(rows.listeners).execute()
      await tx.insertInto('deliveries').values(rows.deliveries).execute()
      const placed = await tx
        .selectFrom('deliveries')
        .select(['position', 'delivery_id', 'job_id'])
        .execute()
      for (const { position, delivery_id, job_id } of placed) {
        const [, took = '0'] = delivery_id.split('-')
        const attempt = {
          position,
          job_id,
          number: 1,
          attempted_at: sunday,
          duration_ms: Number(took),
        }
        await tx.insertInto('attempts').values(attempt).execute()
      }
    })
    await recordCalls(hub.inner, rows.calls)
    const query = { from: '2026-03-29', to: '2026-03-29', unit: 'day' }
    const report = await read.report('latency', query)
    const fast = { count: 100, medianMs: 50, p95Ms: 95, p99Ms: 99 }
    const slow = { count: 1, medianMs: 9_000, p95Ms: 9_000, p99Ms: 9_000 }
    expect(report).toMatchObject({ by: 'listener', from: '2026-03-29', to: '2026-03-29' })
    expect(report.rows).toEqual([
      { group: 'slow', groupName: 'slow.example, demo-connector', ...slow },
      { group: 'fast', groupName: 'fast.example:8443, demo-connector', ...fast },
    ])
    expect(report.totals).toEqual([{ count: 101, medianMs: 51, p95Ms: 96, p99Ms: 100 }])
    const byRoute = await read.report('latency', { ...query, by: 'route' })
    expect(byRoute.rows).toEqual([
      {
        group: 'POST /v2/jobs',
        groupName: 'POST /v2/jobs',
        count: 1,
        medianMs: 20,
        p95Ms: 20,
        p99Ms: 20,
      },
      // One row of the log stands for 99 calls.
      {
        group: 'GET /v2/jobs',
        groupName: 'GET /v2/jobs',
        count: 100,
        medianMs: 2,
        p95Ms: 2,
        p99Ms: 2,
      },
    ])
    expect(byRoute.totals).toEqual([{ count: 101, medianMs: 2, p95Ms: 2, p99Ms: 2 }])
    // However many calls there were, the report reads as many sums as there are routes and times.
    await recordCalls(hub.inner, Array.from({ length: 400 }, () => rows.calls).flat())
    const { times } = await hub.inner.db.read
      .selectFrom('call_times')
      .select(({ fn }) => fn.countAll<number>().as('times'))
      .where('site_id', '=', 'demo')
      .where('day', '=', sunday / day)
      .executeTakeFirstOrThrow()
    expect(Number(times)).toBe(2)
    const again = await read.report('latency', { ...query, by: 'route' })
    expect(again.totals).toEqual([{ count: 101 * 401, medianMs: 2, p95Ms: 2, p99Ms: 2 }])
    // It reads nothing but the sums: without its calls the report is the same.
    await hub.inner.db.transact((tx) => tx.deleteFrom('calls').execute())
    expect(await read.report('latency', { ...query, by: 'route' })).toEqual(again)
    expect(
      (await read.report('latency', { from: '2026-03-28', to: '2026-03-28', unit: 'day' })).rows,
    ).toEqual([])
    const refused = await hub.call('GET', '/v2/reports/latency', { as, query: { by: 'provider' } })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { message: expect.stringMatching(/listener, route/) },
    ])
  })

  it('days are UTC and weeks begin on Monday, also where clocks change', async () => {
    const daily = await read.report('throughput', { from: '2026-03-28', to: '2026-03-31' })
    expect(daily.rows.map(({ day: of, submitted }) => [of, submitted])).toEqual([
      ['2026-03-28', 0],
      ['2026-03-29', 1],
      ['2026-03-30', 1],
      ['2026-03-31', 0],
    ])
    const weekly = await read.report('throughput', {
      from: '2026-03-29',
      to: '2026-03-30',
      unit: 'week',
    })
    expect([weekly.from, weekly.to]).toEqual(['2026-03-23', '2026-04-05'])
    expect(weekly.rows.map(({ day: of, submitted }) => [of, submitted])).toEqual([
      ['2026-03-23', 1],
      ['2026-03-30', 1],
    ])
  })

  it('the backlog counts what was open before the period, and not what is archived', async () => {
    const { rows } = await read.report('throughput', { from: '2026-03-18', to: '2026-04-01' })
    const waiting = Object.fromEntries(rows.map(({ day: of, backlog }) => [of, backlog]))
    expect(waiting).toMatchObject({
      '2026-03-18': 1,
      '2026-03-19': 21,
      '2026-03-29': 22,
      '2026-03-30': 23,
    })
    expect(waiting['2026-03-31']).toBe(22)
  })
})

/**
 * A hundred fast attempts and a slow one on this day, one the day after, one of another site; calls
 * likewise.
 */
function latencyRows(at: number) {
  const listener = (
    listener_id: string,
    uri: string,
    site_id = 'demo',
  ): Insertable<Tables['listeners']> => ({
    ...{
      listener_id,
      site_id,
      client_id: 'demo-connector',
      side: 'connector',
      type: `TYPE_${listener_id}`,
    },
    ...{
      request_uri: uri,
      acknowledges: 1,
      on_support_asset: 0,
      on_tm_update: 0,
      auth_type: 'NONE',
      disabled: 1,
    },
    ...{ sealed_secret: 'x', created_at: 1, modified_at: 1 },
  })
  const delivery = (listener_id: string, took: number, created_at = at, site_id = 'demo') => ({
    ...{
      delivery_id: `${listener_id}-${took}`,
      listener_id,
      site_id,
      event_type: 'REQUEST_STATUS_UPDATED',
    },
    ...{
      job_id: 'j',
      uri: 'https://x.example',
      body: '{}',
      created_at,
      attempts: 1,
      cause_id: 'c',
    },
    state: took % 2 === 0 ? ('DELIVERED' as const) : ('PARKED' as const),
  })
  const call = (
    method: string,
    route: string,
    ms: number,
    more: Partial<RecordedCall> = {},
  ): RecordedCall => ({
    ...{ traceId: 't', calledAt: at, method, route, siteId: 'demo', address: 'a', status: 200 },
    ...{ durationUs: ms * 1_000, bytesIn: 1, bytesOut: 1, ...more },
  })
  return {
    listeners: [
      listener('fast', 'https://fast.example:8443/hook?key=1'),
      listener('slow', 'https://slow.example/hook'),
      listener('theirs', 'https://theirs.example/hook', 'other'),
    ],
    deliveries: [
      ...Array.from({ length: 100 }, (_, ms) => delivery('fast', ms + 1)),
      delivery('slow', 9_000),
      delivery('slow', 5_000, at + day),
      delivery('theirs', 7_000, at, 'other'),
    ],
    calls: [
      call('GET', '/v2/jobs', 2),
      // The times of calls that share a row are added up.
      call('GET', '/v2/jobs', 2 * 99, { count: 99 }),
      call('POST', '/v2/jobs', 20),
      call('GET', '/console/api/jobs', 500),
      call('GET', '/v2/jobs', 900, { calledAt: at + day }),
      call('GET', '/v2/jobs', 900, { siteId: 'other' }),
    ],
  }
}
