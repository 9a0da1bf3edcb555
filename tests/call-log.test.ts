import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pruneCalls, type RecordedCall, recordCalls } from '../packages/server/src/domain/upkeep/record-calls.ts'
import { openCallLog } from '../packages/server/src/doors/rest/call-log.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { engines, makePlace, type Place, until } from './hub-place.ts'

const day = 86_400_000

describe.each(engines)('the call log on %s', (engine) => {
  let place: Place
  let hub: Hub
  beforeEach(async () => {
    place = await makePlace(engine)
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
  const rows = () => hub.engine.read.selectFrom('calls').selectAll().orderBy('call_id').execute()
  const count = async () => (await rows()).length

  it('keeps a row with everything that is known of the call', async () => {
    const log = openCallLog(hub)
    log.add(
      call({ ids: { jobId: 'AbC' }, siteId: 'demo', clientId: 'c', errorCode: 'X', callBody: '{}', answerBody: '[]' }),
    )
    log.add(call())
    await log.flush()
    const [full, bare] = await rows()
    expect(full).toMatchObject({ ids: '{"jobId":"AbC"}', site_id: 'demo', client_id: 'c', error_code: 'X' })
    expect(full).toMatchObject({ call_body: '{}', answer_body: '[]', duration_us: 1235, route: '/v2/jobs/:jobId' })
    expect(bare).toMatchObject({ ids: null, site_id: null, client_id: null, error_code: null, call_body: null })
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

  it('writes what is left when it closes, in the order of the calls, more than one statement can hold', async () => {
    const log = openCallLog(hub, { everyMs: 3_600_000, batch: 10_000 })
    for (const one of calls(1_234)) log.add(one)
    await log.close()
    expect((await rows()).map((row) => row.trace_id)).toEqual(calls(1_234).map((one) => one.traceId))
  })

  it('drops the oldest, and counts them, when the database cannot follow', async () => {
    let dropped = 0
    const log = openCallLog(hub, { mostRows: 10, batch: 100, dropped: (many) => (dropped += many) })
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
    const log = openCallLog(hub, { everyMs: 3_600_000, batch: 100_000, dropped: (many) => (dropped += many) })
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
    for (let part = 0; part < 10; part += 1) await recordCalls(hub, calls(500, { route: `part ${part}` }))
    expect(await pruneCalls(hub, 1_200)).toBe(3_800)
    const left = await rows()
    expect(left).toHaveLength(1_200)
    expect(left[0]?.route).toBe('part 7')
    expect(await pruneCalls(hub, 1_200)).toBe(0)
  })
})
