/**
 * What both databases guarantee. `place` has its own database; a second `open` is another connection
 * to it (on PostgreSQL another node).
 */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../packages/server/src/store/database.ts'
import {
  freshStore,
  jobRow,
  type MakePlace,
  names,
  put,
  type StorePlace,
  signal,
} from './store-fixtures.ts'

export function databaseConformance(makePlace: MakePlace): void {
  let place: StorePlace
  let db: Database
  freshStore(makePlace, (made) => {
    ;({ place, db } = made)
  })

  describe('transactions', () => {
    it('commits everything and gives back what the work gave', async () => {
      const given = await db.transact(async (tx) => {
        await put(tx, 'a')
        await put(tx, 'b')
        return 42
      })
      expect(given).toBe(42)
      expect(await names(db.read)).toEqual(['a', 'b'])
    })

    it('leaves nothing behind when the work throws, and throws that error', async () => {
      const mistake = new Error('mistake')
      const work = db.transact(async (tx) => {
        await put(tx, 'a')
        await tx.insertInto('jobs').values(jobRow()).execute()
        throw mistake
      })
      await expect(work).rejects.toBe(mistake)
      expect(await names(db.read)).toEqual([])
      expect(await db.read.selectFrom('jobs').selectAll().execute()).toEqual([])
    })

    it('hides a transaction from readers until it is committed', async () => {
      const other = await place.open()
      await db.transact(async (tx) => {
        await put(tx, 'a')
        expect(await names(tx)).toEqual(['a'])
        expect(await names(db.read)).toEqual([])
        expect(await names(other.read)).toEqual([])
      })
      expect(await names(db.read)).toEqual(['a'])
      expect(await names(other.read)).toEqual(['a'])
      await other.close()
    })

    it('never commits a transaction in which an error was swallowed', async () => {
      await db.transact((tx) => put(tx, 'taken'))
      const work = db.transact(async (tx) => {
        await put(tx, 'a')
        await put(tx, 'taken').catch(() => {})
      })
      await expect(work).rejects.toThrow(/nothing was committed/)
      expect(await names(db.read)).toEqual(['taken'])
    })

    it('refuses a query that comes after the end of its transaction', async () => {
      const kept = await db.transact(async (tx) => tx)
      await expect(put(kept, 'late')).rejects.toThrow()
      expect(await names(db.read)).toEqual([])
    })

    it('runs many at once, none lost', async () => {
      await db.transact((tx) => put(tx, 'count', '0'))
      const add = (): Promise<unknown> =>
        db.transact(async (tx) => {
          const row = await tx
            .selectFrom('hub_state')
            .select('value')
            .where('name', '=', 'count')
            .$if(db.hasManyWriters, (query) => query.forUpdate())
            .executeTakeFirstOrThrow()
          const value = String(Number(row.value) + 1)
          await tx.updateTable('hub_state').set({ value }).where('name', '=', 'count').execute()
        })
      await Promise.all(Array.from({ length: 40 }, add))
      const { value } = await db.read
        .selectFrom('hub_state')
        .select('value')
        .executeTakeFirstOrThrow()
      expect(value).toBe('40')
    })

    it('tells a taken key from every other error', async () => {
      const both = await Promise.allSettled([1, 2].map(() => db.transact((tx) => put(tx, 'same'))))
      const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      expect(refused).toHaveLength(1)
      expect(db.isConflict(refused[0])).toBe(true)
      expect(db.isBusy(refused[0])).toBe(false)
      const returning = db.transact((tx) =>
        tx.insertInto('hub_state').values({ name: 'same', value: '' }).returning('name').execute(),
      )
      const told = await returning.catch((error: unknown) => error)
      expect(db.isConflict(told)).toBe(true)
      const wrong = db.transact((tx) =>
        tx
          .insertInto('jobs')
          .values(jobRow({ status: 'NONE' as 'CREATED' }))
          .execute(),
      )
      const other = await wrong.catch((error: unknown) => error)
      expect(other).toBeInstanceOf(Error)
      expect(db.isConflict(other)).toBe(false)
      expect(db.isBusy(other)).toBe(false)
    })
  })

  describe('values', () => {
    it('gives rows back from what was written, and counts what was changed', async () => {
      await db.transact(async (tx) => {
        const [row] = await tx
          .insertInto('jobs')
          .values(jobRow({ job_name: 'é' }))
          .returningAll()
          .execute()
        expect(row).toMatchObject({
          job_name: 'é',
          description: null,
          created_at: 1_700_000_000_000,
          archived: 0,
        })
        const changed = await tx.updateTable('jobs').set({ has_error: 1 }).executeTakeFirst()
        expect(changed.numUpdatedRows).toBe(1n)
        const gone = await tx.deleteFrom('jobs').where('has_error', '=', 0).executeTakeFirst()
        expect(gone.numDeletedRows).toBe(0n)
      })
    })

    it('reads 64-bit numbers and counts as numbers', async () => {
      const most = Number.MAX_SAFE_INTEGER
      await db.transact((tx) =>
        tx.insertInto('buckets').values({ address: 'a', arrives_at: most }).execute(),
      )
      const row = await db.read
        .selectFrom('buckets')
        .select((eb) => ['arrives_at', eb.fn.countAll().over().as('many')])
        .executeTakeFirst()
      expect(row).toEqual({ arrives_at: most, many: 1 })
    })

    it('compares text byte by byte', async () => {
      const words = ['a', 'B', 'Z', 'z', '_', '-', 'é', 'ä', 'zz', 'a b', 'a-b', '中', '😀']
      await db.transact(async (tx) => {
        for (const word of words) await put(tx, word)
      })
      const byBytes = [...words].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(await names(db.read)).toEqual(byBytes)
      const after = await db.read
        .selectFrom('hub_state')
        .select('name')
        .where('name', '>', 'Z')
        .execute()
      expect(after).toHaveLength(byBytes.length - byBytes.indexOf('Z') - 1)
    })

    it('keeps any text whole, in a wide row and in a narrow one', async () => {
      const big = JSON.stringify({ text: 'ü"\\\n\u2028😀'.repeat(200_000) })
      const texts = [
        big,
        '',
        '"',
        '\\',
        "'; drop table jobs; --",
        '\u0001\u001f\u007f',
        '\u2028\ufeff',
        '[1,2]',
        'null',
      ]
      for (const text of texts) {
        const job = jobRow()
        await db.transact((tx) =>
          tx
            .insertInto('jobs')
            .values({ ...job, extended_metadata: text })
            .execute(),
        )
        const wide = db.read.selectFrom('jobs').selectAll().where('job_id', '=', job.job_id)
        expect((await wide.executeTakeFirstOrThrow()).extended_metadata === text).toBe(true)
        const narrow = db.read
          .selectFrom('jobs')
          .select('extended_metadata')
          .where('job_id', '=', job.job_id)
        expect((await narrow.executeTakeFirstOrThrow()).extended_metadata === text).toBe(true)
      }
    })

    it('binds no boolean, date, object, nothing, or text with U+0000', async () => {
      const ask = (value: unknown) =>
        db.read
          .selectFrom('hub_state')
          .select('name')
          .where('value', '=', value as string)
      for (const value of [true, new Date(0), { a: 1 }, undefined, Number.NaN, 'a\0b'])
        await expect(ask(value).execute()).rejects.toThrow(TypeError)
      await expect(db.transact((tx) => put(tx, 'x', true as unknown as string))).rejects.toThrow(
        TypeError,
      )
      expect(await names(db.read)).toEqual([])
    })

    it('holds the rows of a job to it', async () => {
      const job = jobRow()
      const label = { job_id: job.job_id, site_id: 'site', name: 'l', value: null }
      const orphan = db.transact((tx) => tx.insertInto('job_labels').values(label).execute())
      await expect(orphan).rejects.toThrow()
      await db.transact(async (tx) => {
        await tx.insertInto('jobs').values(job).execute()
        await tx.insertInto('job_labels').values(label).execute()
      })
      await db.transact((tx) => tx.deleteFrom('jobs').execute())
      expect(await db.read.selectFrom('job_labels').selectAll().execute()).toEqual([])
    })
  })

  describe('waking', () => {
    it('wakes after the commit, and not when the transaction is undone', async () => {
      let woken = 0
      const stop = await db.onTasksAdded(() => {
        woken += 1
      })
      const before = woken
      const undone = db.transact(async (tx) => {
        await db.tasksAdded(tx)
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(woken).toBe(before)
      await db.transact(async (tx) => {
        await db.tasksAdded(tx)
        expect(woken).toBe(before)
      })
      expect(woken).toBe(before + 1)
      await stop()
      await db.transact((tx) => db.tasksAdded(tx))
      expect(woken).toBe(before + 1)
    })

    it('tells which lanes have more, all that the transaction named together', async () => {
      const told: string[] = []
      const stop = await db.onTasksAdded((lanes) => told.push(lanes.toSorted().join(' ')))
      told.length = 0
      await db.transact((tx) => db.tasksAdded(tx, ['outside']))
      await db.transact(async (tx) => {
        await db.tasksAdded(tx, ['outside'])
        await db.tasksAdded(tx, ['own'])
      })
      await db.transact((tx) => db.tasksAdded(tx))
      expect(told).toEqual(['outside', 'outside own', 'outside own'])
      await stop()
    })

    it('is told inside a transaction only', async () => {
      await expect(db.tasksAdded(db.read)).rejects.toThrow()
    })
  })

  it('answers that it is ready, and is not when it was closed', async () => {
    const other = await place.open()
    await other.ready()
    await other.close()
    await expect(other.ready()).rejects.toThrow()
    await expect(other.transact((tx) => put(tx, 'a'))).rejects.toThrow()
  })

  it('lets a transaction that runs end before it closes', async () => {
    const other = await place.open()
    const begun = signal()
    const work = other.transact(async (tx) => {
      await put(tx, 'a')
      begun.give()
      await sql`select 1`.execute(tx)
    })
    await begun.given
    await Promise.all([work, other.close()])
    expect(await names(db.read)).toEqual(['a'])
  })
}
