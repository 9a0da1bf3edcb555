/** What the rules ask of a job, with a mark of everything it was read from. */
import { createHash } from 'node:crypto'
import type { Labels, RoutingRule } from '@dragoman/contract'
import { weightedWords } from '@dragoman/text/counting'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { JobRow } from '../../../store/tables.ts'
import type { RequestWithFile } from '../../jobs/requests/request.ts'
import { bandRequests } from '../quoting/band-requests.ts'
import { usualBands } from '../quoting/count-job.ts'
import { requestsOf } from '../quoting/quote-job.ts'
import type { JobFacts, JobWordCounts } from './fits.ts'

/** The words are counted only where a rule asks for them. */
export async function factsOf(
  hub: Hub,
  job: JobRow,
  rules: readonly RoutingRule[],
): Promise<JobFacts> {
  const requests = await requestsOf(hub.db.read, job)
  const asksWords = rules.some(({ when }) => when?.words ?? when?.band)
  return {
    pairs: pairsOf(job, requests),
    labels: labelsOf(job.labels === null ? [] : JSON.parse(job.labels)),
    metadata: job.extended_metadata === null ? {} : JSON.parse(job.extended_metadata),
    ...(asksWords && { words: await countWords(hub, requests) }),
  }
}

/** Changes with whatever the facts are read from, the memory apart. */
export async function markOf(db: Db, job: JobRow): Promise<string> {
  const requests = await requestsOf(db, job)
  const read = requests.map(
    ({ request_id, file_id, content_id, format, source_language, target_language }) => [
      ...[request_id, file_id, content_id, format, source_language, target_language],
    ],
  )
  const {
    labels,
    extended_metadata,
    segmentation,
    format_options,
    source_language,
    target_languages,
  } = job
  const own = [
    labels,
    extended_metadata,
    segmentation,
    format_options,
    source_language,
    target_languages,
  ]
  return createHash('sha256')
    .update(JSON.stringify([own, read]))
    .digest('hex')
}

/** A job without requests has the languages that it was created with. */
function pairsOf(job: JobRow, requests: readonly RequestWithFile[]): JobFacts['pairs'] {
  if (requests.length > 0)
    return requests.map(({ source_language: source, target_language: target }) => ({
      source,
      target,
    }))
  const targets: string[] = job.target_languages === null ? [] : JSON.parse(job.target_languages)
  return targets.map((target) => ({ source: job.source_language ?? '', target }))
}

export const labelsOf = (labels: Labels): ReadonlySet<string> =>
  new Set(
    Array.isArray(labels)
      ? labels
      : Object.entries(labels).flatMap(([name, value]) => [name, `${name}=${value}`]),
  )

async function countWords(hub: Hub, requests: readonly RequestWithFile[]): Promise<JobWordCounts> {
  const banded = await bandRequests(hub, { bands: usualBands }, requests)
  const contents = new Map<string, number>()
  const byLanguage = new Map<string, Map<string, number>>()
  for (const request of requests) {
    const found = banded.get(request.request_id) ?? {
      because: `the words of ${request.request_name} were not counted`,
    }
    if ('because' in found) return found
    const { source_native_id, file_id, content_id, target_language } = request
    contents.set(
      JSON.stringify([source_native_id, file_id ?? content_id]),
      weightedWords(found.counts),
    )
    const bands = byLanguage.get(target_language) ?? new Map<string, number>()
    byLanguage.set(target_language, bands)
    for (const [name, { counts }] of found.tallies)
      bands.set(name, (bands.get(name) ?? 0) + weightedWords(counts))
  }
  return { all: [...contents.values()].reduce((sum, words) => sum + words, 0), byLanguage }
}
