/**
 * One writer, many who want to write: transactions take turns, and those that stand in line share one flush. A transaction
 * that others wait behind ends as a savepoint of the open one; when the line is empty, or has been served long enough, all
 * of them are committed together, and none of them is told before. One that fails takes nobody along.
 */
import type { Transactions } from './sqlite-dialect.ts'
import { type SqliteDatabase, sqliteCodes } from './sqlite-module.ts'

/** A flush is shared by so many at the most, and begun after so long at the latest. */
const most = { members: 64, milliseconds: 20 }

type Member = { readonly resolve: () => void; readonly reject: (error: unknown) => void }
type Group = { readonly members: Member[]; readonly openedAt: number }

const rolledBack = (): Error =>
  Object.assign(new Error('SQLite rolled the transaction back: the disk is full or broken.'), {
    errcode: sqliteCodes.full,
  })

/** `untilFree` tries again while another process holds the write lock. */
export function sharedCommits(db: SqliteDatabase, untilFree: (act: () => void) => Promise<void>): Transactions {
  let last = Promise.resolve()
  let waiting = 0
  let group: Group | undefined

  const isFull = ({ members, openedAt }: Group): boolean =>
    members.length >= most.members || performance.now() - openedAt > most.milliseconds

  const settle = (tell: (member: Member) => void): void => {
    const members = group?.members ?? []
    group = undefined
    for (const member of members) tell(member)
  }

  const flush = (): void => {
    try {
      db.exec('commit')
      settle((member) => member.resolve())
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      settle((member) => member.reject(error))
    }
  }

  return {
    turn: async () => {
      const before = last
      let next = (): void => {}
      last = new Promise((resolve) => {
        next = resolve
      })
      waiting += 1
      await before
      waiting -= 1
      let holds = true
      const pass = (): void => {
        if (!holds) return
        holds = false
        if (group && (waiting === 0 || isFull(group))) flush()
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
      // A full disk makes SQLite roll back by itself, and with it all that was to be committed together.
      else settle((member) => member.reject(rolledBack()))
    },
  }
}
