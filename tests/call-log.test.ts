import { limits } from '@dragoman/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  pruneCalls,
  type RecordedCall,
  recordCalls,
} from '../packages/server/src/domain/views/history/record-calls.ts'
import { openCallLog } from '../packages/server/src/doors/http/call-log.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { startHub } from './hub.ts'
import { databases, type HubPlace, makePlace, until } from './hub-place.ts'

const day = 86_400_000

describe.each(databases)('the call log on %s', (database) => {
  let place: HubPlace
  let hub: Hub
  beforeEach(async () => {
    place = await makePlace(database)
    hub = await place.open()
  })
  afterEach(() => place.clear())

  const call = (more: Partial<RecordedCall> = {}): RecordedCall => ({
    traceId: 'trace',
    calledAt: hub.clock.now(),
    method: 'GET',
    route: '/v2/jobs/:jobId',
    address: '192.0.2.1',
    status: 200,
    durationUs: 1234.5,
    bytesIn: 0,
    bytesOut: 10,
    ...more,
  })
  const calls = (many: number, more: Partial<RecordedCall> = {}) =>
    Array.from({ length: many }, (_, number) => call({ traceId: `trace-${number}`, ...more }))
  const rows = () => hub.db.read.selectFrom('calls').selectAll().orderBy('call_id').execute()
  const count = async () => (await rows()).length

  it('keeps a row with everything that is known of the call', async () => {
    const log = openCallLog(hub)
    log.add(
      call({
        ids: { jobId: 'AbC' },
        siteId: 'demo',
        clientId: 'c',
        errorCode: 'X',
        callBody: '{}',
        answerBody: '[]',
      }),
    )
    log.add(call())
    await log.flush()
    const [full, bare] = await rows()
    expect(full).toMatchObject({
      ids: '{"jobId":"AbC"}',
      site_id: 'demo',
      client_id: 'c',
      error_code: 'X',
    })
    expect(full).toMatchObject({
      call_body: '{}',
      answer_body: '[]',
      duration_us: 1235,
      route: '/v2/jobs/:jobId',
    })
    expect(bare).toMatchObject({
      ids: null,
      site_id: null,
      client_id: null,
      error_code: null,
      call_body: null,
    })
    await log.close()
  })

  it('writes by itself, soon or when enough have gathered', async () => {
    const soon = openCallLog(hub, { everyMs: 20 })
    soon.add(call())
    await until('the row is there', async () => (await count()) === 1)
    const batched = openCallLog(hub, { everyMs: 3_600_000, batch: 200 })
    for (const one of calls(199)) batched.add(one)
    expect(await count()).toBe(1)
    batched.add(call())
    await until('the batch is there', async () => (await count()) === 201)
    await Promise.all([soon.close(), batched.close()])
  })

  it('gathers what arrives while it writes for the next batch', async () => {
    let written = 0
    const transact: typeof hub.db.transact = async (work) => {
      written += 1
      if (written < 50) for (const one of calls(3)) log.add(one)
      return hub.db.transact(work)
    }
    const log = openCallLog({ ...hub, db: { ...hub.db, transact } }, { everyMs: 3_600_000 })
    for (const one of calls(10)) log.add(one)
    await log.flush()
    expect(written).toBe(1)
    await log.flush()
    expect(written).toBe(2)
    await log.close()
    expect(await count()).toBe(16)
  })

  it('writes what is left when it closes, in the order of the calls, more than one statement can hold', async () => {
    const log = openCallLog(hub, { everyMs: 3_600_000, batch: 10_000 })
    for (const one of calls(1_234)) log.add(one)
    await log.close()
    expect((await rows()).map((row) => row.trace_id)).toEqual(
      calls(1_234).map((one) => one.traceId),
    )
  })

  it('drops the oldest, and counts them, when the database cannot follow', async () => {
    let dropped = 0
    const log = openCallLog(hub, { maxRows: 10, batch: 100, dropped: (many) => (dropped += many) })
    for (const one of calls(25)) log.add(one)
    expect(dropped).toBe(15)
    await log.close()
    expect((await rows()).map((row) => row.trace_id)).toEqual(
      calls(25)
        .slice(15)
        .map((one) => one.traceId),
    )
  })

  it('is bounded in bytes, too', async () => {
    let dropped = 0
    const log = openCallLog(hub, {
      everyMs: 3_600_000,
      batch: 100_000,
      dropped: (many) => (dropped += many),
    })
    const body = 'x'.repeat(16 * 1024)
    for (const one of calls(1_100, { callBody: body })) log.add(one)
    expect(dropped).toBe(1_100 - 1_024)
    await log.close()
    expect(await count()).toBe(1_024)
  })

  it('never fails a call: without a database rows are dropped and counted', async () => {
    let dropped = 0
    const log = openCallLog(hub, { batch: 5, dropped: (many) => (dropped += many) })
    await place.close(hub)
    for (const one of calls(7)) log.add(one)
    await log.flush()
    await log.close()
    log.add(call())
    expect(dropped).toBe(8)
  })

  it('loses rows that are seven days old', async () => {
    await recordCalls(hub, [
      call({ traceId: 'old', calledAt: hub.clock.now() - 7 * day - 1 }),
      call({ traceId: 'new' }),
    ])
    expect(await pruneCalls(hub)).toBe(1)
    expect(await rows()).toMatchObject([{ trace_id: 'new' }])
    hub.clock.moveTo(hub.clock.now() + 8 * day)
    expect(await pruneCalls(hub)).toBe(1)
    expect(await count()).toBe(0)
  })

  it('loses the oldest of too many rows', async () => {
    for (let part = 0; part < 10; part += 1)
      await recordCalls(hub, calls(500, { route: `part ${part}` }))
    expect(await pruneCalls(hub, 1_200)).toBe(3_800)
    const left = await rows()
    expect(left).toHaveLength(1_200)
    expect(left[0]?.route).toBe('part 7')
    expect(await pruneCalls(hub, 1_200)).toBe(0)
  })

  it('loses the oldest of too many rows a slice at a time, not with every batch', async () => {
    await recordCalls(hub, [call({ traceId: 'oldest' })])
    const isThere = async () => (await rows()).some(({ trace_id }) => trace_id === 'oldest')
    const grownTo = (last: number) =>
      hub.db.transact((tx) =>
        tx.updateTable('chains').set({ last }).where('name', '=', 'calls').execute(),
      )
    await grownTo(limits.callLogRows + 1_000)
    await recordCalls(hub, [call()])
    expect(await isThere()).toBe(true)
    await grownTo(limits.callLogRows + 2_000)
    await recordCalls(hub, [call()])
    expect(await isThere()).toBe(false)
  })

  it('is pruned by size as it grows, not only by the sweep', async () => {
    const small = { ...hub, config: { ...hub.config, callLogBytes: 1024 ** 2 } }
    const taken = async () => {
      const { sum } = await hub.db.read
        .selectFrom('calls')
        .select(({ fn }) => fn.sum<number>('bytes').as('sum'))
        .executeTakeFirstOrThrow()
      return Number(sum)
    }
    for (let part = 0; part < 8; part += 1) {
      await recordCalls(small, calls(200, { route: `part ${part}`, callBody: 'ü'.repeat(500) }))
      expect(await taken()).toBeLessThanOrEqual(1024 ** 2)
    }
    expect(await taken()).toBeGreaterThan(0.98 * 1024 ** 2)
    const left = await rows()
    expect(left.at(-1)?.route).toBe('part 7')
    expect(left.at(-1)?.bytes).toBeGreaterThan(1_000)
  })

  it('keeps what no database takes from breaking a batch', async () => {
    await recordCalls(hub, [
      call({ bytesIn: 1e30, bytesOut: Number.NaN, durationUs: -1 }),
      call({ clientId: 'nul\0 and \ud800', answerBody: '\0' }),
    ])
    expect(await rows()).toMatchObject([
      { bytes_in: Number.MAX_SAFE_INTEGER, bytes_out: 0, duration_us: 0 },
      { client_id: 'nul\uFFFD and \uFFFD', answer_body: '\uFFFD' },
    ])
  })

  describe('with a clock that stands', () => {
    let time: number
    beforeEach(() => {
      time = Math.ceil(hub.clock.now() / 60_000) * 60_000
      Object.assign(hub.clock, { now: () => time })
    })
    const refused = (more: Partial<RecordedCall> = {}) =>
      call({
        status: 401,
        errorCode: 'UNAUTHORIZED',
        ids: { jobId: 'x' },
        callBody: '{}',
        answerBody: '{}',
        ...more,
      })

    it('counts refused calls of unknown callers together until their minute is over', async () => {
      const shared: RecordedCall[] = []
      const log = openCallLog(hub, { everyMs: 3_600_000, shared: (one) => shared.push(one) })
      expect(log.add(refused({ traceId: 'first', bytesIn: 1 }))).toBe('first')
      expect(log.add(refused({ traceId: 'second', bytesIn: 2 }))).toBe('counted')
      for (const other of [
        { address: '192.0.2.2' },
        { method: 'PUT' },
        { route: '/v2/jobs' },
        { status: 404 },
        { errorCode: 'OTHER' },
      ])
        expect(log.add(refused(other))).toBe('first')
      // A caller who is known has rows of his own, unless he calls too often.
      expect(log.add(refused({ clientId: 'c' }))).toBe('own')
      expect(log.add(refused({ clientId: 'c', status: 429 }))).toBe('first')
      expect(log.add(refused({ clientId: 'c', status: 429 }))).toBe('counted')
      // A whole network of addresses is one.
      expect(log.add(refused({ address: '2001:db8::1' }))).toBe('first')
      expect(log.add(refused({ address: '2001:db8::2' }))).toBe('counted')
      await log.flush()
      expect(await count()).toBe(1)
      time += 59_999
      expect(log.add(refused({ traceId: 'third', bytesIn: 4 }))).toBe('counted')
      time += 1
      expect(log.add(refused({ traceId: 'next minute' }))).toBe('first')
      await log.flush()
      const left = (await rows()).slice(1)
      expect(left).toHaveLength(8)
      expect(left[0]).toMatchObject({
        trace_id: 'first',
        count: 3,
        bytes_in: 7,
        ids: null,
        call_body: null,
      })
      expect(left.find(({ address }) => address.includes(':'))).toMatchObject({
        address: '2001:db8:0:0::/64',
        count: 2,
      })
      expect(shared.map(({ count }) => count)).toEqual([3, 2, 2])
      await log.close()
      expect((await rows()).at(-1)).toMatchObject({
        trace_id: 'next minute',
        count: 1,
        answer_body: null,
      })
    })

    it('limits the rows per minute of one address and of all together; the rest share one row', async () => {
      const log = openCallLog(hub, { everyMs: 3_600_000, maxAMinute: { address: 5, all: 12 } })
      const add = (many: number, address: string) =>
        Array.from({ length: many }, (_, at) =>
          log.add(call({ address, traceId: `${address} ${at}` })),
        )
      expect(add(8, 'a')).toEqual([...Array(5).fill('own'), ...Array(3).fill('over')])
      expect(add(6, 'b').filter((fate) => fate === 'over')).toHaveLength(1)
      expect(add(6, 'c').filter((fate) => fate === 'over')).toHaveLength(4)
      expect(add(1_000, 'd').every((fate) => fate === 'over')).toBe(true)
      await log.flush()
      expect(await count()).toBe(12)
      time += 60_000
      expect(add(1, 'a')).toEqual(['own'])
      await log.close()
      const over = (await rows()).filter(({ method }) => method === '*')
      expect(
        over.map(({ address, route, status, count }) => ({ address, route, status, count })),
      ).toEqual([
        { address: 'a', route: '*', status: 0, count: 3 },
        { address: 'b', route: '*', status: 0, count: 1 },
        { address: '*', route: '*', status: 0, count: 1_004 },
      ])
      expect(await count()).toBe(16)
    })

    it('lets no number of addresses and routes hold more than the rows of a minute', async () => {
      const log = openCallLog(hub, { everyMs: 3_600_000, maxAMinute: { address: 5, all: 50 } })
      for (let number = 0; number < 5_000; number += 1)
        log.add(refused({ address: `10.0.${number >> 8}.${number & 255}` }))
      await log.close()
      const left = await rows()
      expect(left).toHaveLength(51)
      expect(left.reduce((sum, row) => sum + row.count, 0)).toBe(5_000)
    })
  })
})

it('has the bytes of an answer that is sent in pieces', async () => {
  const hub = await startHub()
  try {
    const as = 'demo-connector'
    const { body } = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as,
      body: { jobName: 'Large' },
    })
    const request = {
      requestName: 'large',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'a', value: 'text' }],
      extendedMetadata: { note: 'x'.repeat(60_000) },
    }
    const path = `/v2/jobs/${body.jobId}/requests/add`
    const requests = Array.from({ length: 40 }, () => request)
    const answer = await hub.call('POST', path, { as, body: { requests } })
    expect([answer.status, answer.headers.get('content-length')]).toEqual([201, null])
    const row = await until('the row of the call', () =>
      hub.inner.db.read
        .selectFrom('calls')
        .select('bytes_out')
        .where('route', 'like', '%/requests%')
        .executeTakeFirst(),
    )
    expect(row.bytes_out).toBe(Buffer.byteLength(JSON.stringify(answer.body)))
  } finally {
    await hub.close()
  }
})
