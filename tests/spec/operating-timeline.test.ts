/** Contract, section 12: everything that happened to a job, in one list, oldest first. */
import { type JobLanes, type TimelineEntry, timelineKinds } from '@dragoman/contract'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../packages/server/src/domain/access/caller.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { listTimeline } from '../../packages/server/src/domain/views/history/job-timeline.ts'
import type { Tables } from '../../packages/server/src/store/tables.ts'
import { atConsole } from '../console/at-console.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { priceList } from '../price-list.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { run, type ScenarioCall } from '../scenario.ts'

type Page = { timeline: TimelineEntry[]; pagination: { navNext?: string } }
const as = 'demo-admin'

describe.each(databases)('the timeline of a job on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  let jobId: string
  let fileId: string
  const traces: Record<string, string> = {}

  const call = async <T = Record<string, unknown>>(
    name: string,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const answer = await hub.call<T>(method, `/v2${path}`, {
      as: 'demo-connector',
      ...(body !== undefined && { body }),
    })
    expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(400)
    traces[name] = answer.headers.get('x-request-id') ?? ''
    return answer.body
  }
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'elsewhere',
      clientId: 'far',
      scopes: ['admin'],
    })
    hub.secrets.set('far', secret)
    await hub.call('POST', '/v2/settings/pricelists', { as, body: priceList })
    for (const type of ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED'])
      await call('listen', 'POST', '/statusupdates/listeners', { type, uri: receiver.url })
    const { providers } = await call<{ providers: { id: string; name: string }[] }>(
      'providers',
      'GET',
      '/providers',
    )
    const job = {
      jobName: 'Round',
      shouldQuote: true,
      providerId: providers.find(({ name }) => name === 'Pseudo')?.id,
    }
    jobId = (await call<{ jobId: string }>('create', 'POST', '/jobs', job)).jobId
    const transfer = await call<Record<string, string>>(
      'file',
      'POST',
      `/jobs/${jobId}/sourcefiles?fileName=a.txt`,
    )
    fileId = transfer.fmsFileId ?? ''
    const form = new FormData()
    form.append('file', new Blob(['Good morning']), 'a.txt')
    await fetch(transfer.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })
    await call('add', 'POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'r',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
      fmsFileId: fileId,
    })
    await call('submit', 'PUT', `/jobs/${jobId}/submit`, {})
    await until('the round is over', async () => {
      const read = hub.inner.db.read
      const tasks = await read
        .selectFrom('tasks')
        .select('task_id')
        .where('site_id', '=', 'demo')
        .execute()
      const calls = await read
        .selectFrom('calls')
        .select('call_id')
        .where('trace_id', '=', traces.submit ?? '')
        .execute()
      const updates = await read
        .selectFrom('status_updates')
        .select('update_id')
        .where('job_id', '=', jobId)
        .execute()
      return tasks.length === 0 && calls.length === 1 && updates.length > 0
    })
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
  })

  const entries = async (
    who = as,
    pageSize = 50,
    filter: Record<string, string | readonly string[]> = {},
  ): Promise<TimelineEntry[]> => {
    const found: TimelineEntry[] = []
    let navNext: string | undefined
    do {
      const query = { ...filter, pageSize, ...(navNext !== undefined && { navNext }) }
      const { status, body } = await hub.call<Page>('GET', `/v2/jobs/${jobId}/timeline`, {
        as: who,
        query,
      })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.timeline.length).toBeLessThanOrEqual(pageSize)
      found.push(...body.timeline)
      navNext = body.pagination.navNext
    } while (navNext !== undefined)
    return found
  }

  it('has every kind of event with its cause, oldest first', async () => {
    const all = await entries()
    const times = all.map(({ time }) => time)
    expect(times).toEqual(times.toSorted())
    const of = (kind: TimelineEntry['kind']) => all.filter((entry) => entry.kind === kind)
    expect(all[0]).toMatchObject({
      kind: 'call',
      id: traces.create,
      method: 'POST',
      route: '/v2/jobs',
      statusCode: 201,
    })
    expect(of('call').map(({ id }) => id)).toEqual(
      expect.arrayContaining([traces.file, traces.add, traces.submit]),
    )
    expect(of('file').find(({ id }) => id === fileId)).toMatchObject({
      causeId: traces.file,
      name: 'a.txt',
      fileKind: 'source',
      state: 'stored',
      size: 12,
    })
    expect(of('file').filter(({ fileKind }) => fileKind === 'translation')).toHaveLength(2)
    const submitted = of('move').filter(({ causeId }) => causeId === traces.submit)
    expect(submitted).toMatchObject([
      { move: 'submit', from: 'CREATED', to: 'SENDING' },
      { move: 'submit', from: 'CREATED', to: 'SENDING' },
    ])
    expect(submitted.map(({ requestIds = [] }) => requestIds.length).sort()).toEqual([0, 2])
    expect(of('update')).not.toHaveLength(0)
    for (const update of of('update')) {
      expect(update).toMatchObject({
        statusCode: 'REVIEW_TRANSLATION',
        hasError: false,
        causeId: /^task:\d+$/,
      })
      expect(update.requestIds).not.toHaveLength(0)
    }
    expect(of('delivery').map(({ eventType, state }) => `${eventType} ${state}`)).toContain(
      'REQUEST_UPDATE DELIVERED',
    )
    const deliveries = of('delivery').map(({ id }) => id)
    expect(
      of('attempt')
        .map(({ deliveryId }) => deliveryId)
        .sort(),
    ).toEqual(deliveries.toSorted())
    for (const attempt of of('attempt'))
      expect(attempt).toMatchObject({ responseCode: 204, id: `${attempt.deliveryId}.1` })
    expect(of('quote')).toMatchObject([
      { id: jobId, priceListId: expect.any(String), causeId: /^task:/ },
    ])
    for (const { causeId } of all) expect(causeId).not.toBe('')
  })

  it.each([1, 3, 7])('is the same in pages of %i', async (size) => {
    const upTo = (all: TimelineEntry[]) =>
      all.filter(({ route }) => route !== '/v2/jobs/:jobId/timeline')
    expect(upTo(await entries(as, size))).toEqual(upTo(await entries()))
  })

  it.each([5, 200])('is the same newest first, in pages of %i', async (pageSize) => {
    const upTo = (all: TimelineEntry[]) =>
      all.filter(({ route }) => route !== '/v2/jobs/:jobId/timeline')
    const newest = await entries(as, pageSize, { order: 'desc' })
    expect(upTo(newest)).toEqual(upTo(await entries()).reverse())
  })

  it('lists some kinds, what changed, or what failed', async () => {
    await until('a read is in the log', async () =>
      (await entries()).some(({ method }) => method === 'GET'),
    )
    const all = await entries()
    const some = await entries(as, 3, { kind: ['move', 'file'], order: 'desc' })
    expect(some).toEqual(all.filter(({ kind }) => kind === 'move' || kind === 'file').reverse())
    expect(all.filter(({ method }) => method === 'GET')).not.toHaveLength(0)
    const changes = await entries(as, 50, { only: 'changes' })
    expect(changes).toEqual(all.filter(({ kind, method }) => kind !== 'call' || method !== 'GET'))
    await hub.call('PUT', `/v2/jobs/${jobId}/submit`, {
      as: 'demo-connector',
      body: { providerId: 'none' },
    })
    await hub.call('DELETE', `/v2/jobs/${jobId}`, { as: 'demo-connector' })
    await until(
      'the refusal is in the log',
      async () => (await entries(as, 50, { only: 'errors' })).length > 0,
    )
    const failed = await entries(as, 50, { only: 'errors' })
    for (const entry of failed)
      expect(entry).toMatchObject({ kind: 'call', statusCode: expect.any(Number) })
    expect(failed.at(-1)).toMatchObject({ method: 'DELETE', code: 'JOB_IN_PROGRESS' })
  })

  it('names the requests, the host of a listener and the words of a quote to an admin', async () => {
    const all = await entries()
    const named = { requestName: 'r', targetNativeLanguageCode: 'de-de' }
    const submitted = all.find(({ move, requestIds }) => move === 'submit' && requestIds)
    expect(submitted?.requests).toContainEqual(named)
    const translations = all.filter(({ fileKind }) => fileKind === 'translation')
    expect(translations.flatMap(({ requests = [] }) => requests)).toContainEqual(named)
    expect(all.find(({ kind }) => kind === 'delivery')?.host).toBe(new URL(receiver.url).host)
    expect(all.find(({ kind }) => kind === 'quote')).toMatchObject({
      words: 4,
      currency: 'EUR',
      total: expect.stringMatching(/^\d+\.\d\d$/),
      priceListVersion: 1,
    })
    const blind = JSON.stringify(await entries('demo-operator'))
    for (const hidden of ['requestName', '"total"', '"words"']) expect(blind).not.toContain(hidden)
  })

  it('draws the states of each language over time', async () => {
    const { status, body } = await hub.call<JobLanes>('GET', `/console/api/jobs/${jobId}/lanes`)
    expect(status).toBe(200)
    expect(body.lanes.map(({ language, requests }) => `${language} ${requests}`)).toEqual([
      'de-de 1',
      'fr-fr 1',
    ])
    for (const { segments } of body.lanes) {
      expect(segments[0]?.statusCode).toBe('CREATED')
      expect(segments.at(-1)?.statusCode).toBe('REVIEW_TRANSLATION')
      const times = segments.map(({ time }) => time)
      expect(times).toEqual(times.toSorted())
      expect(new Set(times).size).toBe(times.length)
    }
    const ends = body.lanes.map(({ segments }) => segments.at(-1)?.time ?? '').toSorted()
    expect(body.states).toEqual([
      { statusCode: 'REVIEW_TRANSLATION', requests: 2, since: ends[0], latest: ends.at(-1) },
    ])
    expect((await hub.call('GET', '/console/api/jobs/AAAAAAAAAA/lanes')).status).toBe(404)
  })

  it('shows an operator no text of the site', async () => {
    const all = await entries('demo-operator')
    expect(all.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['call', 'file', 'move', 'delivery']),
    )
    expect(JSON.stringify(all)).not.toContain('a.txt')
  })

  it('has the refused read of a client, and none of the console', async () => {
    const unknown = `/jobs/${jobId}/requests/0000000000000000000000`
    const shown = await atConsole(hub, 'GET', unknown)
    const asked = await hub.call('GET', `/v2${unknown}`, { as: 'demo-connector' })
    expect([shown.status, asked.status]).toEqual([404, 404])
    const [inConsole, ofClient] = [shown, asked].map(
      ({ headers }) => headers.get('x-request-id') ?? '',
    )
    // The log is written in order.
    await until('both are in the log', async () => {
      const log = hub.inner.db.read.selectFrom('calls').select('call_id')
      return (
        (await log.where('trace_id', 'in', [inConsole ?? '', ofClient ?? '']).execute()).length ===
        2
      )
    })
    const { body } = await hub.call<Page>('GET', `/v2/jobs/${jobId}/timeline`, {
      as,
      query: { only: 'errors' },
    })
    const refused = body.timeline.map(({ id }) => id)
    expect([refused.includes(ofClient ?? ''), refused.includes(inConsole ?? '')]).toEqual([
      true,
      false,
    ])
  })

  const path = () => `/v2/jobs/${jobId}/timeline`
  it('is for clients and admins of the site, and for operators', async () => {
    const rows: ScenarioCall[] = [
      {
        name: 'a provider',
        call: `GET ${path()}`,
        as: 'demo-provider',
        status: 403,
        code: 'FORBIDDEN',
      },
      {
        name: 'another site',
        call: `GET ${path()}`,
        as: 'far',
        status: 404,
        code: 'JOB_NOT_FOUND',
      },
      {
        name: 'unknown',
        call: 'GET /v2/jobs/AAAAAAAAAA/timeline',
        as,
        status: 404,
        code: 'JOB_NOT_FOUND',
      },
      {
        name: 'no id',
        call: 'GET /v2/jobs/a%20b/timeline',
        as,
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'no size',
        call: `GET ${path()}`,
        as,
        query: { pageSize: 0 },
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'no order',
        call: `GET ${path()}`,
        as,
        query: { order: 'x' },
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'no kind',
        call: `GET ${path()}`,
        as,
        query: { kind: 'x' },
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'large',
        call: `GET ${path()}`,
        as,
        query: { pageSize: 201 },
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'no cursor',
        call: `GET ${path()}`,
        as,
        query: { navNext: 'x' },
        status: 400,
        code: 'INVALID_CURSOR',
      },
    ]
    for (const row of rows) await run(hub, row)
  })

  describe('with 20,000 events', () => {
    const many = 2_000
    let large: string
    beforeAll(async () => {
      large = (await call<{ jobId: string }>('large', 'POST', '/jobs', { jobName: 'Large' })).jobId
      await fillTimeline(hub, large, many)
      await until('the call that made it is in the log', async () => {
        const log = hub.inner.db.read.selectFrom('calls').select('call_id')
        return (await log.where('trace_id', '=', traces.large ?? '').execute()).length === 1
      })
    })

    it.each(['asc', 'desc'] as const)(
      'reads a page of each kind for a page, in eleven statements, and loses none at times that many share: %s',
      async (order) => {
        const read: number[] = []
        const watch: KyselyPlugin = {
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            read.push(result.rows.length)
            return result
          },
        }
        const watched = {
          ...hub.inner,
          db: { ...hub.inner.db, read: hub.inner.db.read.withPlugin(watch) },
        }
        const admin = {
          caller: { siteId: 'demo', clientId: as, scopes: ['admin'] },
          traceId: 'x',
        } as unknown as Call
        const seen: string[] = []
        let navNext: string | undefined
        do {
          read.length = 0
          const page = await listTimeline(watched, admin, large, {
            order,
            ...(navNext && { navNext }),
          })
          expect(read.length).toBeLessThanOrEqual(3 + timelineKinds.length)
          expect(Math.max(...read)).toBeLessThanOrEqual(51)
          seen.push(...page.items.map(({ kind, id }) => `${kind} ${id}`))
          navNext = page.next
        } while (navNext !== undefined && seen.length < 4_000)
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.length).toBeGreaterThanOrEqual(4_000)
      },
    )
  })
})

/** `many` of most kinds, ten to a millisecond. */
async function fillTimeline(hub: TestHub, jobId: string, many: number): Promise<void> {
  const begin = hub.inner.clock.now()
  const own = (at: number) => ({ site_id: 'demo', job_id: jobId, cause_id: `cause-${at}` })
  const id = (at: number) => `${jobId}-${at}`
  const rows: { [T in keyof Tables]?: (at: number, time: number) => object } = {
    moves: (at, moved_at) => ({
      ...own(at),
      move_id: id(at),
      request_ids: JSON.stringify([id(at)]),
      ...{ move: 'start', from_status: 'SENT_TO_PROVIDER', to_status: 'IN_TRANSLATION', moved_at },
    }),
    status_updates: (at, updated_at) => ({
      ...own(at),
      ...{
        update_id: id(at),
        client_id: `client-${jobId}`,
        sequence: at + 1,
        request_ids: '[]',
        updated_at,
      },
      ...{ status: 'REVIEW_TRANSLATION', has_error: 0, acknowledged_at: updated_at },
    }),
    files: (at, created_at) => ({
      ...own(at),
      ...{
        file_id: id(at),
        name: 'x',
        content_type: 'text/plain',
        state: 'stored',
        kind: 'source',
        client_id: 'c',
      },
      ...{ holds_bytes: 1, blob_id: id(at), size: 1, sha256: 'x', created_at },
    }),
  }
  await hub.inner.db.transact(async (tx) => {
    for (const [table, make] of Object.entries(rows))
      for (let from = 0; from < many; from += 200)
        await tx
          .insertInto(table as 'moves')
          .values(
            Array.from(
              { length: 200 },
              (_, at) => make(from + at, begin + Math.floor((from + at) / 10)) as Tables['moves'],
            ),
          )
          .execute()
  })
}
