/**
 * The transaction log in a folder: one file per UTC day, one JSON object per line; optionally
 * removes old days.
 */
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogSink, Transaction } from '../log.ts'

export type DailyLog = LogSink & {
  /**
   * Resolves when all entries so far are written; rejects if one since the last flush could not be.
   */
  flush(): Promise<void>
}

const nameOf = (day: string) => `transactions-${day}.log`
const isLog = /^transactions-(\d{4}-\d{2}-\d{2})\.log$/

export function dailyLog(
  folder: string,
  { keepDays }: { readonly keepDays?: number } = {},
): DailyLog {
  let writing: Promise<unknown> = Promise.resolve()
  let failure: unknown
  let today = ''
  const write = (entry: Transaction) => {
    const day = entry.time.slice(0, 10)
    const isNewDay = day !== today
    today = day
    // The disk may have space again: retry with the next entry.
    const append = async () => {
      await mkdir(folder, { recursive: true })
      await appendFile(join(folder, nameOf(day)), `${JSON.stringify(entry)}\n`, { mode: 0o600 })
      if (isNewDay && keepDays !== undefined) await removeBefore(folder, day, keepDays)
    }
    writing = writing.then(append).catch((error: unknown) => {
      failure = error
    })
  }
  const flush = async () => {
    await writing
    const told = failure
    failure = undefined
    if (told) throw told
  }
  return Object.assign(write, { flush })
}

async function removeBefore(folder: string, day: string, keepDays: number): Promise<void> {
  const first = new Date(Date.parse(day) - (keepDays - 1) * 86_400_000).toISOString().slice(0, 10)
  for (const name of await readdir(folder)) {
    const found = isLog.exec(name)?.[1]
    if (found !== undefined && found < first) await rm(join(folder, name), { force: true })
  }
}
