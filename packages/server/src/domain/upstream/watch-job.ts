/**
 * Does a piece of work at the upstream, and keeps what it called there: in the job's timeline and,
 * if the provider records, whole.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Upstream } from '../engines/drivers/upstream.ts'
import { releaseBodies, type Watch, watchCalls } from '../engines/drivers/watched-fetch.ts'
import { recordThere } from './cassette.ts'
import { logCalls } from './log-calls.ts'

type Of = {
  readonly siteId: string
  readonly jobId: string
  readonly causeId: string
  readonly upstream: Upstream
  readonly wasFailing?: boolean
}

/**
 * `hasNews` says of what the work returned whether something had changed there. A log that cannot
 * be written fails no work.
 */
export async function watchJob<T>(
  hub: Hub,
  { upstream, wasFailing = false, ...of }: Of,
  work: () => Promise<T>,
  hasNews: (done: T) => boolean,
): Promise<T> {
  const watch: Watch = { calls: [], ...(upstream.records && { bodyBytes: limits.cassetteBytes }) }
  let isNew = false
  try {
    const done = await watchCalls(watch, work)
    isNew = hasNews(done)
    return done
  } finally {
    try {
      await logCalls(hub, { ...of, url: upstream.url, hasNews: isNew, wasFailing }, watch.calls)
      if (upstream.records) await recordThere(hub, { ...of, url: upstream.url }, watch.calls)
    } catch (error) {
      hub.log.warn({ err: error, jobId: of.jobId }, 'the calls to an upstream could not be kept')
    }
    await Promise.allSettled(watch.calls.map(({ bodies }) => bodies))
    releaseBodies(hub, watch)
  }
}
