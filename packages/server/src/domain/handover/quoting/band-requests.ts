/**
 * Counts a job's words by band. Each content is read once, even if several requests share it. For
 * each language pair a text is looked up in the memory once; every further occurrence in the job is
 * a repetition.
 */
import type { PriceList } from '@dragoman/contract'
import {
  addCounts,
  type Counts,
  type Likeness,
  noCounts,
  type Tallies,
  tallyBands,
} from '@dragoman/text/counting'
import { FormatError } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { placesCarried } from '../../jobs/requests/newer/carry-over.ts'
import { withCounted } from '../../jobs/requests/read-segments.ts'
import type { RequestWithFile } from '../../jobs/requests/request.ts'
import type { CountedContent, CountedSegment } from '../../jobs/requests/segments-of.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findMatches, type Match } from '../../language/memory/find-matches.ts'
import { eachPage, lengthOf, type Pages } from '../../language/worker/pages.ts'
import { openSeenTexts, type SeenTexts } from './seen-texts.ts'

export type Banded =
  | {
      readonly tallies: Tallies
      readonly segments: number
      readonly counts: Counts
      readonly digest: string
    }
  /** Why the words cannot be counted. */
  | { readonly because: string }

/** Returns the counts by request id. */
export async function bandRequests(
  hub: Hub,
  list: Pick<PriceList, 'bands'>,
  requests: readonly RequestWithFile[],
): Promise<Map<string, Banded>> {
  const banded = new Map<string, Banded>()
  const seen = new Map<string, SeenTexts>()
  for (const alike of bySource(requests)) {
    const [first] = alike
    if (!first) continue
    // Before its content is held: to find them, contents are read too.
    const carried = new Map<string, ReadonlySet<number>>()
    for (const request of alike) carried.set(request.request_id, await placesCarried(hub, request))
    await withSource(hub, first, async (content) => {
      for (const request of alike) {
        if ('because' in content) {
          banded.set(request.request_id, content)
          continue
        }
        const pair = pairOf(request.source_language, request.target_language)
        const key = JSON.stringify(pair)
        const before = seen.get(key) ?? openSeenTexts()
        seen.set(key, before)
        const { counts, digest, segments } = content
        const done = carried.get(request.request_id) ?? new Set<number>()
        const asking = { siteId: request.site_id, pair, before, done }
        const { tallies, worked } = await tallySegments(hub, list, asking, segments)
        banded.set(request.request_id, {
          tallies,
          segments: lengthOf(segments) - done.size,
          counts: done.size === 0 ? counts : worked,
          digest,
        })
      }
    })
  }
  return banded
}

/** Segments that are looked up at once. */
const batchSize = 20_000

type Asking = Parameters<typeof findMatches>[1] & {
  readonly before: SeenTexts
  /** The places of segments whose targets were carried over: they are no work. */
  readonly done: ReadonlySet<number>
}
/** `worked`: what is in the segments that are work. */
type Tallied = { readonly tallies: Tallies; readonly worked: Counts }

async function tallySegments(
  hub: Hub,
  list: Pick<PriceList, 'bands'>,
  { before, done, ...at }: Asking,
  segments: Pages,
): Promise<Tallied> {
  let tallies: Tallies = new Map()
  let [worked, place] = [noCounts, 0]
  let batch: CountedSegment[] = []
  const pause = openPauses()
  const flush = async () => {
    const isNew: boolean[] = []
    for (const { hash } of batch) {
      isNew.push(before.add(hash))
      await pause()
    }
    const asked = batch.filter((_, index) => isNew[index])
    const found = await findMatches(hub, at, asked, minPercent(list))
    let next = 0
    const counted = batch.map(({ counts }, index) => ({
      counts,
      likeness: isNew[index] ? likenessOf(found[next++]) : ({ kind: 'Repetition' } as const),
    }))
    tallies = tallyBands(list, counted, tallies)
    batch = []
    await pause()
  }
  for await (const some of eachPage<CountedSegment>(segments)) {
    for (const segment of some) {
      if (!done.has(place)) {
        batch.push(segment)
        if (done.size > 0) worked = addCounts(worked, segment.counts)
      }
      place += 1
    }
    if (batch.length >= batchSize) await flush()
  }
  if (batch.length > 0) await flush()
  return { tallies, worked }
}

/** Groups requests by source, in order of first appearance. */
function bySource(requests: readonly RequestWithFile[]): RequestWithFile[][] {
  const groups = new Map<string, RequestWithFile[]>()
  for (const request of requests) {
    // A file of many languages has other work in each.
    const language =
      request.format === 'xcstrings' || request.format === 'po' ? request.target_language : ''
    const key = `${request.file_id ?? request.content_id} ${request.format} ${request.source_language} ${language}`
    groups.set(key, [...(groups.get(key) ?? []), request])
  }
  return [...groups.values()]
}

/** Without a fuzzy band, only identical texts matter. */
const minPercent = ({ bands }: Pick<PriceList, 'bands'>): number | undefined =>
  bands.some(({ kind }) => kind === 'Fuzzy') ? undefined : 100

const likenessOf = (match: Match | undefined): Likeness => {
  if (match?.percent !== 100) return { percent: match?.percent ?? 0 }
  return { kind: match.inContext ? 'Context' : 'Exact' }
}

/** Holds the content in memory only while `act` runs. */
async function withSource(
  hub: Hub,
  request: RequestWithFile,
  act: (content: CountedContent | { because: string }) => Promise<void>,
): Promise<void> {
  const { site_id: siteId, job_id: jobId, file_id: fileId, content_id: contentId, format } = request
  const { target_language: targetLanguage, source_language: sourceLanguage } = request
  try {
    await withCounted(
      hub,
      { siteId, jobId, fileId, contentId, format, targetLanguage, sourceLanguage },
      (content) =>
        act(
          content ?? {
            because: `the words of ${request.file_name} cannot be counted: its format is not known here`,
          },
        ),
    )
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const name = request.file_name ?? request.request_name
    await act({
      because: `the words of ${name} cannot be counted: ${error.message.replace(/\.$/, '')}`,
    })
  }
}
