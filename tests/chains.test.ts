/**
 * The call log and the audit log are chains: whatever is done to their rows past the hub, the check
 * tells, and names the row.
 */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import {
  pruneCalls,
  type RecordedCall,
  recordCalls,
} from '../packages/server/src/domain/views/history/record-calls.ts'
import { openCallLog } from '../packages/server/src/doors/http/call-log.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { resetChains } from '../packages/server/src/store/chains.ts'
import type { Db } from '../packages/server/src/store/database.ts'
import { databases, type HubPlace, makePlace } from './hub-place.ts'

describe.each(databases)('the chain of the call log on %s', (database) => {
  let place: HubPlace
  let hub: Hub
  beforeAll(async () => {
    place = await makePlace(database)
    hub = await place.open()
  })
  afterAll(() => place.clear())
  afterEach(() =>
    hub.db.transact(async (tx) => {
      await tx.deleteFrom('calls').execute()
      const head = {
        name: 'calls',
        last: 0,
        hash: '',
        anchor: 0,
        anchor_hash: '',
        bytes: 0,
        seal: '',
      }
      await tx
        .insertInto('chains')
        .values(head)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      await resetChains(hub.vault, tx)
    }),
  )

  const calls = (many: number, more: Partial<RecordedCall> = {}): RecordedCall[] =>
    Array.from({ length: many }, (_, number) => ({
      traceId: `trace-${number}`,
      calledAt: hub.clock.now(),
      method: 'GET',
      route: '/v2/jobs/:jobId',
      ids: { jobId: 'ä"\\\n' },
      address: '192.0.2.1',
      status: 200,
      durationUs: 12,
      bytesIn: 0,
      bytesOut: 10,
      answerBody: '語\u0000\ud800',
      ...more,
    }))
  /**
   * As a node that has seen nothing of the log: what nodes keep of it, every few seconds, is tested
   * with the audit log.
   */
  const findings = async ({ config, ...of } = hub) =>
    (await checkHub({ ...of, config: { ...config, data: `${config.data}/elsewhere` } })).findings
      .filter(({ check }) => check === 'call log')
      .map(({ what, says }) => `${what}: ${says}`)
  /** Past the hub, as somebody with the password of the database does it. */
  const tamper = (act: (db: Db) => Promise<unknown>) => hub.db.transact(act)
  const head = () =>
    hub.db.read
      .selectFrom('chains')
      .selectAll()
      .where('name', '=', 'calls')
      .executeTakeFirstOrThrow()

  it('is whole when it is empty, when rows were added and when the oldest were pruned', async () => {
    expect(await findings()).toEqual([])
    await recordCalls(hub, calls(700))
    expect(await findings()).toEqual([])
    expect(await pruneCalls(hub, 100)).toBe(600)
    expect(await findings()).toEqual([])
    await recordCalls(hub, calls(3))
    expect(await findings()).toEqual([])
    expect(await head()).toMatchObject({ last: 703, anchor: 600 })
    hub.clock.moveTo(hub.clock.now() + 8 * 86_400_000)
    expect(await pruneCalls(hub)).toBe(103)
    await recordCalls(hub, calls(1))
    expect(await findings()).toEqual([])
    const { heads } = await checkHub(hub)
    expect(heads['call log']).toEqual({ last: 704, hash: (await head()).hash })
  })

  it('is one chain of all nodes that write and prune at once', async () => {
    const other = database === 'postgres' ? await place.open() : hub
    await Promise.all(
      [hub, other].flatMap((node) =>
        Array.from({ length: 6 }, async (_, at) => {
          await recordCalls(node, calls(50))
          if (at % 3 === 0) await pruneCalls(node, 120)
        }),
      ),
    )
    expect(await head()).toMatchObject({ last: 600 })
    expect(await findings()).toEqual([])
    expect(await findings(other)).toEqual([])
  })

  it('has no gap where a batch was dropped', async () => {
    const log = openCallLog(hub, { everyMs: 3_600_000 })
    for (const call of calls(2)) log.add(call)
    await log.flush()
    // A row that no database takes: the batch goes, the numbers do not.
    log.add({ ...calls(1)[0], status: 1.5 } as RecordedCall)
    await log.flush()
    for (const call of calls(2)) log.add(call)
    await log.close()
    expect(await head()).toMatchObject({ last: 4 })
    expect(await findings()).toEqual([])
  })

  it('is proven while the hub prunes behind the back of the check', async () => {
    await recordCalls(hub, calls(2_500))
    let pruned = false
    const read = hub.db.read.withPlugin({
      transformQuery: ({ node }) => node,
      // The head has been read, the rows have not.
      transformResult: async ({ result }) => {
        if (!pruned && result.rows.some((row) => 'anchor' in row)) {
          pruned = true
          await pruneCalls(hub, 300)
        }
        return result
      },
    })
    expect(await findings({ ...hub, db: { ...hub.db, read } })).toEqual([])
    expect(pruned).toBe(true)
    expect(await head()).toMatchObject({ anchor: 2_200 })
  })

  const changed = 'The row was changed, or the row before it is not the original one.'
  it.each<[string, (db: Db) => Promise<unknown>, readonly string[]]>([
    [
      'a row is changed',
      (db) =>
        db
          .updateTable('calls')
          .set({ client_id: 'somebody-else' })
          .where('call_id', '=', 7)
          .execute(),
      [`call 7: ${changed}`],
    ],
    [
      'a value becomes another of the same length',
      (db) =>
        db.updateTable('calls').set({ trace_id: 'trace-x' }).where('call_id', '=', 3).execute(),
      [`call 3: ${changed}`],
    ],
    [
      'a null becomes an empty text',
      (db) => db.updateTable('calls').set({ error_code: '' }).where('call_id', '=', 3).execute(),
      [`call 3: ${changed}`],
    ],
    [
      'a row is removed',
      (db) => db.deleteFrom('calls').where('call_id', '=', 7).execute(),
      ['call 8: The row before it, 7, is missing.'],
    ],
    [
      'several rows are removed, and another is changed behind them',
      async (db) => {
        await db.deleteFrom('calls').where('call_id', 'in', [4, 5, 6]).execute()
        await db.updateTable('calls').set({ status: 404 }).where('call_id', '=', 9).execute()
      },
      ['call 7: The rows before it, 4 to 6, are missing.'],
    ],
    [
      'the first row is removed',
      (db) => db.deleteFrom('calls').where('call_id', '=', 1).execute(),
      ['call 2: The row before it, 1, is missing.'],
    ],
    [
      'two rows change places',
      async (db) => {
        await db.updateTable('calls').set({ call_id: 100 }).where('call_id', '=', 4).execute()
        await db.updateTable('calls').set({ call_id: 4 }).where('call_id', '=', 5).execute()
        await db.updateTable('calls').set({ call_id: 5 }).where('call_id', '=', 100).execute()
      },
      [`call 4: ${changed}`],
    ],
    [
      'the newest rows are cut off',
      (db) => db.deleteFrom('calls').where('call_id', '>', 8).execute(),
      ['call log: The newest rows are missing: the log ends with row 8, its head says 10.'],
    ],
    [
      'the newest rows are cut off and the head is set back',
      async (db) => {
        await db.deleteFrom('calls').where('call_id', '>', 8).execute()
        const { hash } = await db
          .selectFrom('calls')
          .select('hash')
          .where('call_id', '=', 8)
          .executeTakeFirstOrThrow()
        await db.updateTable('chains').set({ last: 8, hash }).where('name', '=', 'calls').execute()
      },
      ['call log: Its head was changed: it does not match its seal.'],
    ],
    [
      'the oldest rows are cut off and the anchor is moved',
      async (db) => {
        const { hash } = await db
          .selectFrom('calls')
          .select('hash')
          .where('call_id', '=', 3)
          .executeTakeFirstOrThrow()
        await db.deleteFrom('calls').where('call_id', '<=', 3).execute()
        await db
          .updateTable('chains')
          .set({ anchor: 3, anchor_hash: hash })
          .where('name', '=', 'calls')
          .execute()
      },
      ['call log: Its head was changed: it does not match its seal.'],
    ],
    [
      'a row is added at the end',
      async (db) => {
        const row = await db
          .selectFrom('calls')
          .selectAll()
          .where('call_id', '=', 5)
          .executeTakeFirstOrThrow()
        await db
          .insertInto('calls')
          .values({ ...row, call_id: 11 })
          .execute()
      },
      ['call 11: The row is outside the ends of the log, so it cannot be verified.'],
    ],
    [
      'all rows are removed',
      (db) => db.deleteFrom('calls').execute(),
      ['call log: The newest rows are missing: the log ends with row 0, its head says 10.'],
    ],
    [
      'the head is removed',
      (db) => db.deleteFrom('chains').where('name', '=', 'calls').execute(),
      ['call log: Its head is missing: the log cannot be verified.'],
    ],
    [
      'everything is hashed anew without the key',
      async (db) => {
        await db
          .updateTable('calls')
          .set({ client_id: 'somebody-else' })
          .where('call_id', '=', 4)
          .execute()
        let before = ''
        for (const row of await db.selectFrom('calls').selectAll().orderBy('call_id').execute()) {
          before = createHash('sha256')
            .update(before)
            .update(JSON.stringify(row))
            .digest('base64url')
          if (row.call_id >= 4)
            await db
              .updateTable('calls')
              .set({ hash: before })
              .where('call_id', '=', row.call_id)
              .execute()
        }
        await db
          .updateTable('chains')
          .set({ hash: before, seal: before })
          .where('name', '=', 'calls')
          .execute()
      },
      ['call log: Its head was changed: it does not match its seal.', `call 4: ${changed}`],
    ],
  ])('shows that %s', async (_, act, says) => {
    await recordCalls(hub, calls(10))
    await tamper(act)
    expect(await findings()).toEqual(says)
  })

  it('shows that a row was put before the anchor', async () => {
    await recordCalls(hub, calls(10))
    const row = await hub.db.read
      .selectFrom('calls')
      .selectAll()
      .where('call_id', '=', 2)
      .executeTakeFirstOrThrow()
    await pruneCalls(hub, 5)
    await tamper((db) => db.insertInto('calls').values(row).execute())
    expect(await findings()).toEqual([
      'call 2: The row is outside the ends of the log, so it cannot be verified.',
    ])
  })

  it('still shows it when the hub goes on writing and pruning over a head that was set back', async () => {
    await recordCalls(hub, calls(10))
    await tamper(async (db) => {
      await db.deleteFrom('calls').where('call_id', '>', 8).execute()
      const { hash } = await db
        .selectFrom('calls')
        .select('hash')
        .where('call_id', '=', 8)
        .executeTakeFirstOrThrow()
      await db.updateTable('chains').set({ last: 8, hash }).where('name', '=', 'calls').execute()
    })
    await pruneCalls(hub, 6)
    expect(await findings()).toEqual([
      'call log: Its head was changed: it does not match its seal.',
    ])
    await recordCalls(hub, calls(5))
    expect(await findings()).toEqual([`call 9: ${changed}`])
    await pruneCalls(hub, 3)
    await recordCalls(hub, calls(1))
    expect(await findings()).toEqual([])
  })
})
