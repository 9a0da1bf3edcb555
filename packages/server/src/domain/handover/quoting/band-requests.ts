/**
 * Counts a job's words by band. Each content is read once, even if several requests share it. For
 * each language pair a text is looked up in the memory once; every further occurrence in the job is
 * a repetition.
 */
import { createHash } from 'node:crypto'
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
import { hashOf } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { withCounted } from '../../jobs/requests/read-segments.ts'
import type { RequestWithFile } from '../../jobs/requests/request.ts'
import type { CountedSegment } from '../../jobs/requests/segments-of.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findMatches, type Match } from '../../language/memory/find-matches.ts'

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
  const seen = new Map<string, Set<string>>()
  for (const alike of bySource(requests)) {
    const [first] = alike
    if (!first) continue
    await withSource(hub, first, async (content) => {
      for (const request of alike) {
        if ('because' in content) {
          banded.set(request.request_id, content)
          continue
        }
        const pair = pairOf(request.source_language, request.target_language)
        const key = JSON.stringify(pair)
        const before = seen.get(key) ?? new Set()
        seen.set(key, before)
        const { segments, hashes } = content
        const isNew = hashes.map((hash) => !before.has(hash) && before.add(hash) !== undefined)
        const asked = segments.filter((_, at) => isNew[at])
        const found = await findMatches(
          hub,
          { siteId: request.site_id, pair },
          asked,
          minPercent(list),
        )
        let next = 0
        const likenesses = isNew.map(
          (is): Likeness => (is ? likenessOf(found[next++]) : { kind: 'Repetition' }),
        )
        const counted = segments.map(({ counts }, at) => ({
          counts,
          likeness: likenesses[at] ?? { percent: 0 },
        }))
        const { counts, digest } = content
        banded.set(request.request_id, {
          tallies: tallyBands(list, counted),
          segments: segments.length,
          counts,
          digest,
        })
      }
    })
  }
  return banded
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

type Source = { segments: CountedSegment[]; hashes: string[]; counts: Counts; digest: string }

/** Holds the content in memory only while `act` runs. */
async function withSource(
  hub: Hub,
  request: RequestWithFile,
  act: (content: Source | { because: string }) => Promise<void>,
): Promise<void> {
  const { site_id: siteId, job_id: jobId, file_id: fileId, content_id: contentId, format } = request
  const { target_language: targetLanguage, source_language: sourceLanguage } = request
  try {
    await withCounted(
      hub,
      { siteId, jobId, fileId, contentId, format, targetLanguage, sourceLanguage },
      async (segments) => {
        if (!segments)
          return act({
            because: `the words of ${request.file_name} cannot be counted: its format is not known here`,
          })
        const hashes: string[] = []
        const pause = openPauses()
        for (const { source } of segments) {
          hashes.push(hashOf(source))
          await pause()
        }
        const counts = segments.reduce((sum, one) => addCounts(sum, one.counts), noCounts)
        return act({
          segments,
          hashes,
          counts,
          digest: createHash('sha256').update(hashes.join('\n')).digest('hex'),
        })
      },
    )
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const name = request.file_name ?? request.request_name
    await act({
      because: `the words of ${name} cannot be counted: ${error.message.replace(/\.$/, '')}`,
    })
  }
}
