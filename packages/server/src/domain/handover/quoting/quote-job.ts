/**
 * Quotes a job (contract, sections 9 and 11): words by band, amounts from the price list in force,
 * and a hash of everything the amounts depend on. A job submitted with shouldQuote keeps the quote
 * made at submission; any other quote is computed on each call.
 */
import { createHash } from 'node:crypto'
import {
  findLanguage,
  HubError,
  type PriceLine,
  type PriceList,
  type Quote,
  type QuoteLine,
} from '@dragoman/contract'
import {
  countRule,
  findPriceLine,
  isCountable,
  type PricedLine,
  priceLine,
  totalOf,
  usualService,
  weightedWords,
  writeMoney,
} from '@dragoman/text/counting'
import { matchRule } from '@dragoman/text/likeness'
import type { Change, Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { JobRow } from '../../../store/tables.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import type { Task } from '../../../store/tasks/hold-tasks.ts'
import type { Call } from '../../access/caller.ts'
import { findIfAny } from '../../jobs/find-job.ts'
import { mustReach } from '../../jobs/job-activity.ts'
import type { RequestWithFile } from '../../jobs/requests/request.ts'
import { readRange } from '../../jobs/requests/requests-of-job.ts'
import { findPriceListInForce } from '../../settings/price-lists.ts'
import { type Banded, bandRequests } from './band-requests.ts'
import { insertQuote, selectQuote } from './quote-rows.ts'

export const quoteTask = 'quote-job'
const batchSize = 500

export async function quoteJob(hub: Hub, call: Call, jobId: string): Promise<Quote> {
  const { siteId } = call.caller
  const job = await mustReach(hub.db.read, siteId, jobId)
  const storedQuote = await selectQuote(hub.db.read, siteId, jobId)
  return storedQuote === undefined ? makeQuote(hub, job, call) : (JSON.parse(storedQuote) as Quote)
}

/** Runs in the transaction of the submission. */
export async function quoteLater({ hub, tx, causeId }: Change, job: JobRow): Promise<void> {
  if (job.should_quote !== 1) return
  const now = hub.clock.now()
  const { site_id: siteId, job_id: jobId } = job
  const key = `${quoteTask}:${jobId}`
  await addTasks(hub.db, tx, now, [
    { name: quoteTask, payload: { siteId, jobId }, siteId, key, dueAt: now, causeId },
  ])
}

/**
 * The task. Without a price list there is nothing to save; the quote endpoint reports that itself.
 */
export async function keepQuote(hub: Hub, task: Task): Promise<'done'> {
  const { siteId, jobId } = task.payload as { siteId: string; jobId: string }
  const job = await findIfAny(hub.db.read, siteId, jobId)
  try {
    if (!job || (await selectQuote(hub.db.read, siteId, jobId)) !== undefined) return 'done'
    const quote = JSON.stringify(await makeQuote(hub, job))
    const row = {
      job_id: jobId,
      site_id: siteId,
      quote,
      quoted_at: hub.clock.now(),
      cause_id: `task:${task.taskId}`,
    }
    await hub.db.transact((tx) => insertQuote(tx, row))
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'PRICE_LIST_NOT_FOUND') throw error
    hub.log.warn(
      { jobId, siteId, causeId: task.causeId },
      'a submitted job asks for a quote, but no price list is in force',
    )
  }
  return 'done'
}

/** Uses the prices of the day of submission or, before submission, of today. */
async function makeQuote(hub: Hub, job: JobRow, call?: Call): Promise<Quote> {
  const list = await findPriceListInForce(hub, job.site_id, job.submitted_at ?? hub.clock.now())
  return quoteBy(hub, job, list, call)
}

/** The job by any list, whether it is in force or not. Writes nothing. */
export async function quoteBy(hub: Hub, job: JobRow, list: PriceList, call?: Call): Promise<Quote> {
  const requests = await requestsOf(hub.db.read, job)
  const banded = await bandRequests(hub, list, requests, call)
  const service = job.service_type ?? usualService
  const lines: QuoteLine[] = []
  const amounts: PricedLine['amount'][] = []
  const warnings: string[] = []
  const inputs: unknown[] = []
  for (const request of requests) {
    const found = banded.get(request.request_id) ?? { because: 'it was not counted' }
    const line = findPriceLine(list.lines, {
      service,
      sourceLanguage: request.source_language,
      targetLanguage: request.target_language,
    })
    inputs.push(inputOf(list, request, found, line))
    const because = refusalOf(service, request, found, line)
    if (because !== undefined || !line || 'because' in found) {
      warnings.push(
        `Request ${request.request_id} (${request.request_name}) is not in the total: ${because}.`,
      )
      continue
    }
    const priced = priceLine(list, line, found.tallies)
    amounts.push(priced.amount)
    lines.push(describeLine(list, { service, request, found, line, priced }))
  }
  const { subtotal, managementFee, minimumFeeApplied, total } = totalOf(list, amounts)
  const { currency, version, minimumFee = '0', managementFeePercent = '0', bands } = list
  const rules = { countRule, matchRule }
  const all = {
    ...rules,
    service,
    version,
    currency,
    minimumFee,
    managementFeePercent,
    bands,
    requests: inputs,
  }
  return {
    jobId: job.job_id,
    currency,
    priceListId: list.priceListId,
    priceListVersion: version,
    lines,
    subtotal: writeMoney(subtotal, currency),
    managementFee: writeMoney(managementFee, currency),
    ...(minimumFeeApplied ? { minimumFeeApplied } : {}),
    total: writeMoney(total, currency),
    complete: warnings.length === 0,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...rules,
    inputsHash: createHash('sha256').update(JSON.stringify(all)).digest('hex'),
  }
}

/** The requests of a job that have work in them. */
export async function requestsOf(db: Db, job: JobRow): Promise<RequestWithFile[]> {
  const found: RequestWithFile[] = []
  for (;;) {
    const after = found.at(-1)?.position ?? 0
    const some = await readRange(db, job.site_id, job.job_id, { after, limit: batchSize })
    for (const one of some) found.push(one)
    if (some.length < batchSize) return found.filter((request) => request.status !== 'CANCELLED')
  }
}

/** Why a request has no price. */
function refusalOf(
  service: string,
  request: RequestWithFile,
  found: Banded,
  line: PriceLine | undefined,
): string | undefined {
  if ('because' in found) return found.because
  const { source_language: source, target_language: target } = request
  if (!line) return `the price list has no line for ${service} from ${source} to ${target}`
  return isCountable(line)
    ? undefined
    : `its line is priced per ${line.unit}, which cannot be computed from text`
}

/**
 * Everything a request's amounts depend on. It holds no ids, so the same job has the same hash on
 * every hub.
 */
const inputOf = (
  list: PriceList,
  request: RequestWithFile,
  found: Banded,
  line: PriceLine | undefined,
) => [
  findLanguage(request.source_language),
  findLanguage(request.target_language),
  line
    ? [line.sourceLanguage, line.targetLanguage, line.unit, line.unitPrice, line.minimumFee ?? null]
    : null,
  'because' in found
    ? found.because
    : [
        found.digest,
        found.segments,
        found.counts,
        ...list.bands.map(({ name }) => found.tallies.get(name) ?? null),
      ],
]

type QuotedRequest = {
  readonly service: string
  readonly request: RequestWithFile
  readonly found: Exclude<Banded, { because: string }>
  readonly line: PriceLine
  readonly priced: PricedLine
}

function describeLine(
  list: PriceList,
  { service, request, found, line, priced }: QuotedRequest,
): QuoteLine {
  const money = (amount: PricedLine['amount']): string => writeMoney(amount, list.currency)
  const { sourceLanguage, targetLanguage, minimumFee, analysisCodeId } = line
  return {
    requestId: request.request_id,
    ...(request.format !== null && { format: request.format }),
    sourceNativeLanguageCode: request.source_language,
    targetNativeLanguageCode: request.target_language,
    service,
    unit: line.unit,
    unitPrice: line.unitPrice,
    priceLine: {
      sourceLanguage,
      targetLanguage,
      ...(minimumFee === undefined ? {} : { minimumFee }),
      ...(analysisCodeId === undefined ? {} : { analysisCodeId }),
    },
    counts: { segments: found.segments, ...found.counts },
    bands: priced.bands.map(({ name, factor, tally, amount }) => ({
      name,
      segments: tally.segments,
      words: weightedWords(tally.counts),
      characters: tally.counts.characters,
      factor,
      amount: money(amount),
    })),
    ...(priced.minimumApplied ? { minimumApplied: true } : {}),
    amount: money(priced.amount),
  }
}
