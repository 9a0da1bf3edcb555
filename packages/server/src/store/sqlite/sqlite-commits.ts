/**
 * One writer, many transactions: they take turns, and those that arrive together share one flush. A
 * transaction ends as a savepoint of the open one. When the queue is empty and the event loop has
 * delivered everything that had arrived, or after a time limit, all of them are committed together,
 * and only then do they resolve. A failed one does not affect the others.
 */
import type { Transactions } from './sqlite-dialect.ts'
import { type SqliteDatabase, sqliteCodes } from './sqlite-module.ts'

/** The most transactions that share a flush, and the latest time it begins. */
const most = { members: 64, milliseconds: 20 }

type Member = { readonly resolve: () => void; readonly reject: (error: unknown) => void }
type Group = { readonly members: Member[]; readonly openedAt: number }

const rolledBack = (): Error =>
  Object.assign(new Error('SQLite rolled the transaction back: the disk is full or broken.'), {
    errcode: sqliteCodes.full,
  })

/** `untilFree` retries while another process holds the write lock. */
export function sharedCommits(
  db: SqliteDatabase,
  untilFree: (act: () => void) => Promise<void>,
): Transactions & { flush(): void; isOpen(): boolean } {
  let last = Promise.resolve()
  let waiting = 0
  let atWork = 0
  let group: Group | undefined
  let soon: NodeJS.Immediate | undefined

  const isFull = ({ members, openedAt }: Group): boolean =>
    members.length >= most.members || performance.now() - openedAt > most.milliseconds

  const settle = (tell: (member: Member) => void): void => {
    const members = group?.members ?? []
    group = undefined
    for (const member of members) tell(member)
  }

  const flush = (): void => {
    clearImmediate(soon)
    soon = undefined
    if (!group) return
    try {
      db.exec('commit')
      settle((member) => member.resolve())
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      settle((member) => member.reject(error))
    }
  }

  /**
   * Calls that were read meanwhile may have a transaction running: the last of them flushes for
   * all.
   */
  const flushIfIdle = (): void => {
    soon = undefined
    if (atWork === 0) flush()
  }

  return {
    flush,
    isOpen: () => group !== undefined,
    turn: async () => {
      const before = last
      let next = (): void => {}
      last = new Promise((resolve) => {
        next = resolve
      })
      waiting += 1
      await before
      waiting -= 1
      atWork = 1
      let holds = true
      const pass = (): void => {
        if (!holds) return
        holds = false
        atWork = 0
        if (group && isFull(group)) flush()
        else if (group && waiting === 0) soon ??= setImmediate(flushIfIdle)
        next()
      }
      return { pass, holds: () => holds }
    },
    begin: async () => {
      if (group) return void db.exec('savepoint member')
      await untilFree(() => db.exec('begin immediate'))
      group = { members: [], openedAt: performance.now() }
    },
    commit: (turn) =>
      new Promise((resolve, reject) => {
        if (group?.members.length) db.exec('release member')
        group?.members.push({ resolve, reject })
        turn.pass()
      }),
    rollback: () => {
      if (!group) return
      if (group.members.length === 0) {
        group = undefined
        if (db.isTransaction) db.exec('rollback')
      } else if (db.isTransaction) db.exec('rollback to member; release member')
      // On a full disk SQLite rolls back by itself, including everything that was to be committed
      // together.
      else settle((member) => member.reject(rolledBack()))
    },
  }
}
