/**
 * Counts a job's words by band. Each content is read once, even if several requests share it. For
 * each language pair a text is looked up in the memory once; every further occurrence in the job is
 * a repetition.
 */
import { limits, type PriceList } from '@dragoman/contract'
import {
  addCounts,
  type Counts,
  findBand,
  type Likeness,
  noCounts,
  type Tallies,
  tallyBands,
} from '@dragoman/text/counting'
import { FormatError } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { openGate } from '../../../turns/gate.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { type Call, mustBeThere } from '../../access/caller.ts'
import { placesCarried } from '../../jobs/requests/newer/carry-over.ts'
import { withCounted } from '../../jobs/requests/read-segments.ts'
import type { RequestWithFile } from '../../jobs/requests/request.ts'
import type { CountedContent, CountedSegment } from '../../jobs/requests/segments-of.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findMatches, type Match } from '../../language/memory/find-matches.ts'
import { eachPage, lengthOf, type Pages } from '../../language/worker/pages.ts'
import { openSeenTexts } from './seen-texts.ts'

export type Banded =
  | {
      readonly tallies: Tallies
      readonly segments: number
      readonly counts: Counts
      readonly digest: string
    }
  /** Why the words cannot be counted. */
  | { readonly because: string }

/** What tables of seen texts take at most without a place among the large ones. */
const smallBytes = 8 * 1024 ** 2
const largeTables = perHub(() => openGate(2, 1))

/** Returns the counts by request id. Ends with an error when the caller has gone. */
export async function bandRequests(
  hub: Hub,
  list: Pick<PriceList, 'bands'>,
  requests: readonly RequestWithFile[],
  call: Pick<Call, 'gone'> = {},
): Promise<Map<string, Banded>> {
  const banded = new Map<string, Banded>()
  const numbers = pairNumbers(requests)
  const seen = openSeenTexts(numbers.size)
  let leave: (() => void) | undefined
  /** Says whether there is room for more texts. */
  const isRoom = async (siteId: string): Promise<boolean> => {
    mustBeThere(call)
    const bytes = seen.bytes()
    if (bytes > smallBytes) leave ??= await largeTables(hub).enter(siteId, 1)
    return bytes <= limits.countedTextBytes
  }
  try {
    for (const alike of bySource(requests)) {
      const [first] = alike
      if (!first) continue
      // Before its content is held: to find them, contents are read too.
      const carried = new Map<string, ReadonlySet<number>>()
      for (const request of alike)
        carried.set(request.request_id, await placesCarried(hub, request))
      await withSource(hub, first, async (content) => {
        const counted = new Set<number>()
        for (const request of alike) {
          const { request_id: requestId, site_id: siteId } = request
          if ('because' in content) {
            banded.set(requestId, content)
            continue
          }
          const pair = pairOf(request.source_language, request.target_language)
          const number = numbers.get(JSON.stringify(pair)) ?? 0
          const { counts, digest, segments } = content
          const done = carried.get(requestId) ?? nothing
          const whole = { segments: lengthOf(segments), counts }
          // The pair has had all its texts.
          const tallied =
            done.size === 0 && counted.has(number)
              ? { tallies: repeated(list, whole), worked: counts }
              : await tallySegments(hub, list, segments, {
                  ...{ siteId, pair, done, isRoom: () => isRoom(siteId) },
                  isNew: (hash) => seen.add(hash, number),
                })
          if (done.size === 0) counted.add(number)
          const about = {
            digest,
            segments: whole.segments - done.size,
            counts: done.size === 0 ? counts : (tallied?.worked ?? counts),
          }
          banded.set(
            requestId,
            tallied ? { tallies: tallied.tallies, ...about } : { because: tooManyTexts },
          )
        }
      })
    }
    return banded
  } finally {
    leave?.()
  }
}

const nothing: ReadonlySet<number> = new Set()
const tooManyTexts = `the job has more different texts than ${limits.countedTextBytes / 1024 ** 2} MiB hold; split it`

/** The pairs of languages of the requests, numbered. */
function pairNumbers(requests: readonly RequestWithFile[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const { source_language, target_language } of requests) {
    const key = JSON.stringify(pairOf(source_language, target_language))
    if (!numbers.has(key)) numbers.set(key, numbers.size)
  }
  return numbers
}

const repeated = (
  list: Pick<PriceList, 'bands'>,
  { segments, counts }: { readonly segments: number; readonly counts: Counts },
): Tallies =>
  segments === 0
    ? new Map()
    : new Map([[findBand(list.bands, { kind: 'Repetition' }).name, { segments, counts }]])

/** Segments that are looked up at once. */
const batchSize = 20_000

type Asking = Parameters<typeof findMatches>[1] & {
  readonly isNew: (hash: string) => boolean
  readonly isRoom: () => Promise<boolean>
  /** The places of segments whose targets were carried over: they are no work. */
  readonly done: ReadonlySet<number>
}
/** `worked`: what is in the segments that are work, if some are not. */
type Tallied = { readonly tallies: Tallies; readonly worked: Counts }

/** Undefined if there is no room for their texts. */
async function tallySegments(
  hub: Hub,
  list: Pick<PriceList, 'bands'>,
  segments: Pages,
  { isNew, isRoom, done, ...at }: Asking,
): Promise<Tallied | undefined> {
  let tallies: Tallies = new Map()
  let [worked, place] = [noCounts, 0]
  let batch: CountedSegment[] = []
  const pause = openPauses()
  const flush = async () => {
    const areNew: boolean[] = []
    for (const { hash } of batch) {
      areNew.push(isNew(hash))
      await pause()
    }
    const asked = batch.filter((_, index) => areNew[index])
    const found = await findMatches(hub, at, asked, minPercent(list))
    let next = 0
    const counted = batch.map(({ counts }, index) => ({
      counts,
      likeness: areNew[index] ? likenessOf(found[next++]) : ({ kind: 'Repetition' } as const),
    }))
    tallies = tallyBands(list, counted, tallies)
    batch = []
    await pause()
    return isRoom()
  }
  for await (const some of eachPage<CountedSegment>(segments)) {
    for (const segment of some) {
      if (!done.has(place)) {
        batch.push(segment)
        if (done.size > 0) worked = addCounts(worked, segment.counts)
      }
      place += 1
    }
    if (batch.length >= batchSize && !(await flush())) return undefined
  }
  if (batch.length > 0 && !(await flush())) return undefined
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
    const alike = groups.get(key)
    if (alike) alike.push(request)
    else groups.set(key, [request])
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
