/**
 * How much of a request there is, and how much of it is done. The totals never change after the
 * hand-over, so they stay in memory; what is done is in the rows, except after a rejection.
 */
import { HubError } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { isDone, stateOf } from '../describe-segment.ts'
import { openDesk } from '../open-desk.ts'
import { walkDesk } from '../walk-desk.ts'

export type Size = { readonly segments: number; readonly words: number }
type Place = {
  readonly site_id: string
  readonly job_id: string
  readonly request_id: string
  readonly file_id: string | null
  readonly content_id: string | null
}

const sizes = perHub(() => new LRUCache<string, Size | 'none'>({ max: 100_000 }))

/** Undefined if it has no segments. */
export async function sizeOfDesk(hub: Hub, place: Place): Promise<Size | undefined> {
  const { site_id, job_id, request_id, file_id, content_id } = place
  const key = `${request_id} ${file_id ?? content_id ?? ''}`
  const known = sizes(hub).get(key)
  if (known) return known === 'none' ? undefined : known
  const size = await count(hub, await mustFindRequest(hub.db.read, site_id, job_id, request_id))
  sizes(hub).set(key, size ?? 'none')
  return size
}

async function count(hub: Hub, request: OneRequest): Promise<Size | undefined> {
  const desk = await ifSegments(() => openDesk(hub, request))
  return desk && { segments: desk.length, words: desk.words }
}

/** Undefined for a content that has none; other errors stay. */
export async function ifSegments<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof HubError && error.code === 'NO_SEGMENTS') return undefined
    throw error
  }
}

/** Walks all segments: after a rejection the verdicts decide which of them are done. */
export async function countDone(hub: Hub, place: Place): Promise<Size> {
  const { site_id, job_id, request_id } = place
  const request = await mustFindRequest(hub.db.read, site_id, job_id, request_id)
  const done = { segments: 0, words: 0 }
  for await (const slice of walkDesk(hub, request, await openDesk(hub, request)))
    for (const { segment, draft } of slice) {
      if (!isDone(stateOf(segment, draft, request))) continue
      done.segments += 1
      done.words += segment.words
    }
  return done
}
