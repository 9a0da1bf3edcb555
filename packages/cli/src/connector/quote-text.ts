/** What a job would cost, as far as the hub can calculate it. */
import { HubError, type JobWords, type Quote } from '@dragoman/contract/wire'
import type { Connection } from '@dragoman/sdk'

/** Undefined if the hub has no price list, or does not quote. */
export async function readQuote(
  hub: Connection,
  jobId: string,
  signal?: AbortSignal,
): Promise<Quote | undefined> {
  try {
    return await hub.quoteJob({ params: { jobId } }, signal && { signal })
  } catch (error) {
    if (
      error instanceof HubError &&
      error.code !== 'JOB_NOT_FOUND' &&
      (error.status === 404 || error.status === 501)
    )
      return undefined
    throw error
  }
}

export const noQuote = 'No quote: the hub has no price list for this.'

export function quoteText(quote: Quote | undefined): string[] {
  if (!quote) return [noQuote]
  return [
    ...wordsOfLanguages(quote.lines),
    `Quote: ${quote.total} ${quote.currency}${quote.complete ? '' : ' (not complete)'}`,
    ...(quote.warnings ?? []),
  ]
}

/** The words of each language, where no price is known. */
export const wordsText = ({ lines, warnings = [] }: JobWords): string[] => [
  ...wordsOfLanguages(lines),
  ...warnings,
]

type Line = {
  readonly targetNativeLanguageCode: string
  readonly bands: readonly { readonly words: number }[]
}

function wordsOfLanguages(lines: readonly Line[]): string[] {
  const words = new Map<string, number>()
  for (const { targetNativeLanguageCode: code, bands } of lines)
    words.set(
      code,
      bands.reduce((sum, band) => sum + band.words, words.get(code) ?? 0),
    )
  return [...words].map(([code, sum]) => `${code}: ${sum} words`)
}
