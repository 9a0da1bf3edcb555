/**
 * Statements on many rows: both databases write and return the same, for any number of rows and any
 * characters.
 */
import { describe, expect, it, vi } from 'vitest'
import type { Database } from '../packages/server/src/store/database.ts'
import { insertMany, onRows, updateMany } from '../packages/server/src/store/many-rows.ts'
import { freshStore, jobRow, type MakePlace, put } from './store-fixtures.ts'

export function manyRowsConformance(makePlace: MakePlace): void {
  let db: Database
  freshStore(makePlace, (made) => {
    db = made.db
  })

  describe('many rows in one call', () => {
    const insert = insertMany('hub_state', { name: 'text', value: 'text' })
    const rowsOf = async () => db.read.selectFrom('hub_state').selectAll().orderBy('name').execute()
    const named = (many: number, value: string) =>
      Array.from({ length: many }, (_, at) => ({ name: `n${10_000 + at}`, value }))

    it.each([0, 1, 2, 255, 256, 257, 2_001])('writes %i', async (many) => {
      await db.transact((tx) => insert(tx, named(many, 'first')))
      expect(await rowsOf()).toEqual(named(many, 'first'))
    })

    it.each([1, 300])(
      'writes %i with columns that are alike, and with others that are said to be',
      async (many) => {
        const columns = { job_id: 'text', site_id: 'text', name: 'text', value: 'text' } as const
        const write = insertMany('job_labels', columns, { alike: ['job_id', 'site_id', 'value'] })
        const job = jobRow()
        const alike = named(many, "same 'one'").map((row) => ({
          ...row,
          job_id: job.job_id,
          site_id: 'site',
        }))
        const others = alike.map((row, at) => ({
          ...row,
          name: `o${row.name}`,
          value: at % 2 ? null : String(at),
        }))
        await db.transact(async (tx) => {
          await tx.insertInto('jobs').values(job).execute()
          await write(tx, alike)
          await write(tx, others)
        })
        expect(
          await db.read.selectFrom('job_labels').selectAll().orderBy('name').execute(),
        ).toEqual([...alike, ...others])
      },
    )

    it('sends a value that is alike in all rows once', async () => {
      const columns = { job_id: 'text', site_id: 'text', name: 'text', value: 'text' } as const
      const write = insertMany('job_labels', columns, { alike: ['job_id', 'site_id', 'value'] })
      const job = jobRow()
      const rows = named(256, 'same').map((row) => ({
        ...row,
        job_id: job.job_id,
        site_id: 'site',
      }))
      const sent = await db.transact(async (tx) => {
        await tx.insertInto('jobs').values(job).execute()
        const watch = vi.spyOn(tx, 'executeQuery')
        await write(tx, rows)
        return watch.mock.calls.flatMap(([query]) =>
          'parameters' in query ? query.parameters : [],
        )
      })
      expect(sent.filter((value) => value === 'same')).toEqual(['same'])
      expect(sent.filter((value) => value === job.job_id)).toEqual([job.job_id])
      expect(await db.read.selectFrom('job_labels').selectAll().orderBy('name').execute()).toEqual(
        rows,
      )
    })

    it.each([1, 300])('changes %i within one job of one site, and no other', async (many) => {
      const labels = { job_id: 'text', site_id: 'text', name: 'text', value: 'text' } as const
      const update = updateMany('job_labels', labels, ['site_id', 'job_id'], 'name')
      const jobs = [jobRow(), jobRow()] as const
      const rows = jobs.flatMap(({ job_id }) =>
        named(many, 'old').map((row) => ({ ...row, job_id, site_id: 'site' })),
      )
      await db.transact(async (tx) => {
        await tx
          .insertInto('jobs')
          .values([...jobs])
          .execute()
        await insertMany('job_labels', labels)(tx, rows)
        await update(tx, ['site', jobs[0].job_id], { site_id: 'moved' }, named(many, 'new'))
        await update(tx, ['other', jobs[1].job_id], { site_id: 'never' }, named(many, 'never'))
        await update(tx, ['site', jobs[1].job_id], { value: null }, [
          { name: 'n10000' },
          { name: 'nobody' },
        ])
      })
      const kept = await db.read.selectFrom('job_labels').selectAll().orderBy('name').execute()
      const of = (jobId: string) => kept.filter(({ job_id }) => job_id === jobId)
      const inFirst = rows.slice(0, many).map((row) => ({ ...row, site_id: 'moved', value: 'new' }))
      expect(of(jobs[0].job_id)).toEqual(inFirst)
      const inSecond = rows
        .slice(many)
        .map((row) => (row.name === 'n10000' ? { ...row, value: null } : row))
      expect(of(jobs[1].job_id)).toEqual(inSecond)
    })

    it('keeps each character beside any other, alone in its column and among others', async () => {
      const controls = Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1))
      const letters = [
        ...controls,
        '"',
        '\\',
        'n',
        'u',
        '/',
        "'",
        '{',
        '}',
        '[',
        ']',
        ',',
        '\x7f',
        '\u2028',
        'é',
        '𝒳',
        '\uffff',
      ]
      const texts = letters.flatMap((one) =>
        ['', '\\', '\\\\', '"', 'x'].flatMap((other) => [one + other, other + one]),
      )
      const rows = texts.map((value, at) => ({ name: `n${10_000 + at}`, value }))
      await db.transact((tx) => insert(tx, rows))
      expect(await rowsOf()).toEqual(rows)
      const alone = rows.map(({ name, value }) => ({ name: `o${name}`, value }))
      for (const row of alone) await db.transact((tx) => insert(tx, [row]))
      expect((await rowsOf()).slice(rows.length)).toEqual(alone)
    })

    it('keeps every character, and refuses what no database can keep', async () => {
      const value = ['"', '\\', '{},', "'", '\n\t\r', '\u2028', 'é𝒳\ufeff', 'null', '\\ud800'].join(
        '',
      )
      await db.transact((tx) => insert(tx, [{ name: 'a', value }]))
      expect(await rowsOf()).toEqual([{ name: 'a', value }])
      for (const wrong of ['a\0b', '\0', undefined, true, Number.NaN, {}] as string[])
        await expect(
          db.transact((tx) => insert(tx, [{ name: 'b', value: wrong }])),
        ).rejects.toThrow(/cannot be bound/)
      await db.transact((tx) => insert(tx, [{ name: 'half', value: 'x\ud800' }]))
      expect(await rowsOf()).toMatchObject([{ name: 'a' }, { name: 'half', value: 'x\ufffd' }])
    })
  })

  describe('rows that are given by value', () => {
    const columns = { at: 'bigint', text: 'text' } as const
    const texts = [
      'plain',
      '',
      'null',
      'NULL',
      null,
      '"',
      '\\',
      '\\"',
      '{a,b}',
      "it's",
      ' a ',
      'a\nb\tc',
      'é€😀',
      '$1 ?',
    ]

    it('come back as they went', async () => {
      const back = onRows<typeof columns, { at: number; text: string | null }>(
        columns,
        () => 'select distinct at, text from given order by at',
      )
      for (const many of [0, 1, 3, texts.length, 33, 256, 600]) {
        const rows = Array.from({ length: many }, (_, at) => ({
          at: at - 2,
          text: texts[at % texts.length] ?? null,
        }))
        expect(await back(db.read, rows)).toEqual(rows)
      }
    })

    it('are joined to the first row of a table for each', async () => {
      for (const name of ['a1', 'a2', 'b1', 'b2', 'c1'])
        await db.transact((tx) => put(tx, name, name.slice(0, 1)))
      const firstOf = onRows<{ value: 'text' }, { value: string; name: string }>(
        { value: 'text' },
        ({ joinFirst }) => {
          const first = {
            table: 'hub_state',
            key: 'name',
            as: 'n',
            where: `d.value = given.value and d.name <> 'b1'`,
          }
          return `select n.value, n.name from given ${joinFirst(first)} order by n.name`
        },
      )
      expect(await firstOf(db.read, [{ value: 'b' }, { value: 'a' }, { value: 'x' }])).toEqual([
        { value: 'a', name: 'a1' },
        { value: 'b', name: 'b2' },
      ])
    })
  })
}
