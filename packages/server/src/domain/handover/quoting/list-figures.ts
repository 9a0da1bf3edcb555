/**
 * Words and money of many jobs at once, from the quotes that were kept at their submission. Nothing
 * is counted or priced anew.
 */
import { type JobFigures, paidWords, type Quote, type QuoteLine } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Page } from '../../../store/page.ts'
import type { Call } from '../../access/caller.ts'
import { selectQuotes } from './quote-rows.ts'

/** In the order asked; a job of another site is left out as one without a quote is. */
export async function listJobFigures(
  hub: Hub,
  call: Call,
  jobIds: readonly string[],
): Promise<Page<JobFigures>> {
  const rows = await selectQuotes(hub.db.read, call.caller.siteId, jobIds)
  const storedQuotes = new Map(rows.map((row) => [row.job_id, row.quote]))
  return {
    items: [...new Set(jobIds)].flatMap((jobId) => {
      const quote = storedQuotes.get(jobId)
      return quote === undefined ? [] : [figuresOf(JSON.parse(quote) as Quote)]
    }),
  }
}

const figuresOf = ({ jobId, lines, total, currency, complete }: Quote): JobFigures => ({
  jobId,
  words: paidWords(lines),
  total,
  currency,
  complete,
})

export type QuotedLine = { readonly line: QuoteLine; readonly currency: string }

/** The lines of these requests, by request, of the jobs that have a quote. */
export async function readQuotedLines(
  hub: Hub,
  siteId: string,
  of: readonly { readonly job_id: string; readonly request_id: string }[],
): Promise<ReadonlyMap<string, QuotedLine>> {
  if (of.length === 0) return new Map()
  const wanted = new Set(of.map(({ request_id }) => request_id))
  const found = new Map<string, QuotedLine>()
  for (const { quote } of await selectQuotes(hub.db.read, siteId, [
    ...new Set(of.map(({ job_id }) => job_id)),
  ])) {
    const { lines, currency } = JSON.parse(quote) as Quote
    for (const line of lines)
      if (wanted.has(line.requestId)) found.set(line.requestId, { line, currency })
  }
  return found
}
