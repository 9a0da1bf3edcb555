/**
 * The terms of the site for the languages of a job, as support material for its provider: the entries of these languages, of terms
 * that have one in a target language.
 */
import type { FileAnswer, Term, TermExportQuery } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { reachProviderJob } from '../handover/provider-jobs.ts'
import { languagesOf } from '../jobs/work.ts'
import { readLanguagePairs } from '../requests/requests-of-job.ts'
import { termsFile } from '../terms/export-terms.ts'
import { entriesFor } from '../terms/open-terms.ts'
import { spelledLanguage } from '../terms/term-content.ts'

type ProviderJobPath = { readonly providerId: string; readonly jobId: string }

export async function exportProviderTerms(
  hub: Hub,
  call: Call,
  { providerId, jobId }: ProviderJobPath,
  asked: TermExportQuery,
): Promise<FileAnswer> {
  await reachProviderJob(hub, call, providerId, jobId)
  const { siteId } = call.caller
  const seen = languagesOf(call.caller)
  const pairs = await readLanguagePairs(hub.engine.read, siteId, jobId)
  const own = pairs.filter(({ target_language }) => !seen || seen.includes(spelledLanguage(target_language)))
  return termsFile(hub, siteId, asked, (term) => partOf(term, own))
}

type Pairs = Awaited<ReturnType<typeof readLanguagePairs>>

function partOf(term: Term, pairs: Pairs): Term | undefined {
  const kept = new Set(
    pairs.flatMap(({ source_language, target_language }) => {
      const targets = entriesFor(term.entries, target_language)
      return targets.length === 0 ? [] : [...entriesFor(term.entries, source_language), ...targets]
    }),
  )
  return kept.size === 0 ? undefined : { ...term, entries: term.entries.filter((entry) => kept.has(entry)) }
}
