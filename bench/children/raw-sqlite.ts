/**
 * The anchor of writes on SQLite: one row per transaction, same module, same pragmas, no HTTP and
 * no other index.
 */
import { randomBytes } from 'node:crypto'
import { sqliteModule } from '../built.ts'
import { answer } from '../child.ts'

type Run = (many: number) => number
let run: Run | undefined
let insertMany: Run | undefined
/** Rows per statement. */
const together = 250

const verbs = {
  open: async ({ file, rowBytes }: { file: string; rowBytes: number }): Promise<void> => {
    const open = await (await sqliteModule()).loadSqlite()
    const db = open(file)
    db.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16000',
    )
    db.exec('create table raw_rows (id text primary key, body text not null) strict')
    const insert = db.prepare('insert into raw_rows (id, body) values (?, ?)')
    const body = 'x'.repeat(Math.max(1, rowBytes - 10))
    run = (milliseconds) => {
      const begun = performance.now()
      let commits = 0
      while (performance.now() - begun < milliseconds) {
        db.exec('begin immediate')
        insert.run(randomBytes(5).toString('hex'), body)
        db.exec('commit')
        commits += 1
      }
      return (commits * 1_000) / (performance.now() - begun)
    }
    const places = Array.from({ length: together }, () => '(?, ?)').join(', ')
    const many = db.prepare(`insert into raw_rows (id, body) values ${places}`)
    insertMany = (rows) => {
      const begun = performance.now()
      db.exec('begin immediate')
      for (let from = 0; from < rows; from += together)
        many.run(
          ...Array.from({ length: together }, () => [randomBytes(11).toString('hex'), body]).flat(),
        )
      db.exec('commit')
      return (rows * 1_000) / (performance.now() - begun)
    }
  },
  /** Rows per second, with this many in one transaction. */
  rows: (many: number): number => insertMany?.(many) ?? Number.NaN,
  /** Commits per second. */
  commits: (milliseconds: number): number => run?.(milliseconds) ?? Number.NaN,
}
export type RawSqliteVerbs = typeof verbs
answer(verbs)
