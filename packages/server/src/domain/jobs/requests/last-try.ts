/**
 * Saves a driver's last failed try with the requests that wait for it, so that a person sees why
 * there is no translation yet and when the next try is. It is not an error; the next move of the
 * request clears it.
 */
import { formatTime, type LastTry } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { RequestRow } from '../../../store/tables.ts'
import { TryLater } from '../../engines/drivers/driver.ts'
import { selectLastTry, setLastTry } from './request-rows.ts'

export type SavedTry = {
  readonly time: number
  readonly message: string
  readonly nextTime: number
}
export type PositionRange = {
  readonly siteId: string
  readonly jobId: string
  readonly after: number
  readonly until: number
}

/**
 * A driver's message is meant for callers. Any other error may contain details that belong only in
 * the log.
 */
const internalError = 'The hub failed while it translated this; the reason is in its log.'

export const sentenceOf = (error: unknown): string =>
  error instanceof TryLater ? error.message : internalError

type FailedTry = { readonly error: unknown; readonly nextTime: number }

export function noteFailedTry(
  hub: Hub,
  db: Db,
  at: PositionRange,
  failed: FailedTry,
): Promise<void> {
  const saved: SavedTry = {
    time: hub.clock.now(),
    message: sentenceOf(failed.error),
    nextTime: failed.nextTime,
  }
  return setLastTry(db, at, JSON.stringify(saved))
}

/** The error of a request when no try is left: the driver's last message, if there was one. */
export function lastSentence({ last_try }: Pick<RequestRow, 'last_try'>, error: unknown): string {
  if (error instanceof TryLater || last_try === null) return sentenceOf(error)
  return (JSON.parse(last_try) as SavedTry).message
}

export function describeLastTry({ last_try }: Pick<RequestRow, 'last_try'>): { lastTry?: LastTry } {
  if (last_try === null) return {}
  const { time, message, nextTime } = JSON.parse(last_try) as SavedTry
  return { lastTry: { time: formatTime(time), message, nextTime: formatTime(nextTime) } }
}

/** The last failed try of the first request of a batch, if it is still waiting. */
export async function lastTryOf(
  db: Db,
  { siteId, jobId, after, until }: PositionRange,
): Promise<SavedTry | undefined> {
  const text = await selectLastTry(db, siteId, jobId, { after, until })
  return text === undefined ? undefined : (JSON.parse(text) as SavedTry)
}
