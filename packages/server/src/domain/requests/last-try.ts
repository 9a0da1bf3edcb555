/**
 * The last try of a driver that failed, on the requests that wait for it: a person sees why nothing comes, and when it is tried
 * again. It is no error; the next move of the request takes it away.
 */
import { formatTime, type LastTry } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { RequestRow } from '../../store/tables.ts'
import { TryLater } from '../providers/drivers/driver.ts'
import { setLastTry } from './request-rows.ts'

type Kept = { readonly time: number; readonly message: string; readonly nextTime: number }
export type Stretch = {
  readonly siteId: string
  readonly jobId: string
  readonly after: number
  readonly until: number
}

/** What a driver says is for everybody; any other error may hold what only the log should. */
const inside = 'The hub failed while it translated this; the reason is in its log.'

export const sentenceOf = (error: unknown): string => (error instanceof TryLater ? error.message : inside)

export function noteFailedTry(hub: Hub, db: Db, at: Stretch, error: unknown, nextTime: number): Promise<void> {
  const kept: Kept = { time: hub.clock.now(), message: sentenceOf(error), nextTime }
  return setLastTry(db, at.siteId, at.jobId, at, JSON.stringify(kept))
}

/** The error of a request when no try is left: the engine's own sentence, of the last try that had one. */
export function lastSentence({ last_try }: Pick<RequestRow, 'last_try'>, error: unknown): string {
  if (error instanceof TryLater || last_try === null) return sentenceOf(error)
  return (JSON.parse(last_try) as Kept).message
}

export function describeLastTry({ last_try }: Pick<RequestRow, 'last_try'>): { lastTry?: LastTry } {
  if (last_try === null) return {}
  const { time, message, nextTime } = JSON.parse(last_try) as Kept
  return { lastTry: { time: formatTime(time), message, nextTime: formatTime(nextTime) } }
}
