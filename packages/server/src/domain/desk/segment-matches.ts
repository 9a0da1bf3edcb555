/**
 * How well the memory knows each segment of an asset task, measured as a quote measures it: what a
 * translator sees is what is paid.
 */
import type { SegmentMatch, SegmentMatchesQuery } from '@dragoman/contract'
import { writtenText } from '@dragoman/text/likeness'
import type { Hub } from '../../hub.ts'
import { openCursor, type Page, sealCursor } from '../../store/page.ts'
import type { Call } from '../access/caller.ts'
import { type OneTask, reachTask } from '../handover/asset-tasks.ts'
import { pageSizeOf } from '../jobs/lists/position-pages.ts'
import { pairOf } from '../language/memory/add-units.ts'
import { findMatches } from '../language/memory/find-matches.ts'
import { openDesk } from './open-desk.ts'

export async function listSegmentMatches(
  hub: Hub,
  call: Call,
  at: OneTask,
  asked: SegmentMatchesQuery,
): Promise<Page<SegmentMatch>> {
  const request = await reachTask(hub, call, at)
  const { site_id: siteId, source_language, target_language } = request
  const desk = await openDesk(hub, request)
  const list = `matches:${request.request_id}`
  const from = asked.navNext ? Number(openCursor(hub.vault, siteId, list, asked.navNext).key[0]) : 0
  const some = desk.slice(from, from + pageSizeOf(asked))
  const found = await findMatches(
    hub,
    { siteId, pair: pairOf(source_language, target_language) },
    some.map(({ source, tags }) => ({ source: writtenText(source, tags) })),
  )
  const items = some.map(({ segmentId }, index) => ({
    segmentId,
    position: from + index + 1,
    percent: found[index]?.percent ?? 0,
  }))
  const end = from + some.length
  return {
    items,
    ...(end < desk.length && { next: sealCursor(hub.vault, siteId, { list, key: [end] }) }),
  }
}
