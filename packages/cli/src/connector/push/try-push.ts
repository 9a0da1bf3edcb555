/**
 * What a push would send and cost. Only a job can be quoted, so it creates a draft, fills it, reads
 * the quote, and always deletes it.
 */
import type { JobWords, Quote } from '@dragoman/contract/wire'
import type { Screen } from '../../command.ts'
import { interruptible } from '../../interrupt.ts'
import { count, json, sizeText } from '../../table.ts'
import type { Joined } from '../hub-connection.ts'
import { quoteText, readQuote, wordsText } from '../quote-text.ts'
import { mustFit, mustTranslate, providerFor, requestsOf, warnOfFormats } from './push-checks.ts'
import type { PushPlan } from './push-plan.ts'
import { newState, type PushState } from './push-state.ts'
import { jobOf, leaveFormer } from './push-steps.ts'
import { fill, openSteps, planOfChanges, tellChanges } from './run-push.ts'

export type Tried = {
  readonly plan: PushPlan
  readonly quote?: Quote
  /** Where there is no quote. */
  readonly words?: JobWords
}

type HowToTry = {
  readonly all: boolean
  /** Refuses what a push would refuse; a quote needs no provider. */
  readonly asPush?: true
}

export async function tryPush(
  joined: Joined,
  whole: PushPlan,
  screen: Screen,
  { all, asPush }: HowToTry,
): Promise<Tried> {
  const { plan } = await planOfChanges(joined, whole, all)
  mustFit(plan)
  warnOfFormats(plan, screen)
  if (plan.files.length === 0) return { plan }
  if (asPush) mustTranslate(await providerFor(joined.hub, plan), plan, joined.hub.language)
  let draft: PushState = newState(plan)
  const keep = async (state: PushState) => {
    draft = state
  }
  return interruptible('Interrupted; nothing was submitted.', async (signal) => {
    const steps = openSteps(joined, screen, { plan, signal, keep })
    try {
      await fill(steps, draft)
      const jobId = jobOf(draft)
      const quote = await readQuote(joined.hub, jobId, signal)
      if (quote) return { plan, quote }
      return { plan, words: await joined.hub.countJobWords({ params: { jobId } }, { signal }) }
    } finally {
      steps.end()
      await leaveFormer(joined.hub, draft)
    }
  })
}

export function tellTried(screen: Screen, { plan, quote, words }: Tried, asJson: boolean): void {
  const { files, targets, source, provider, unchanged } = plan
  if (asJson) {
    const list = files.map(({ path, format, source: { size } }) => ({ path, size, format }))
    const languages = Object.fromEntries(files.map((file) => [file.path, file.targets]))
    const facts = { dryRun: true, source, targets, provider, files: list, languages, unchanged }
    screen.out(json({ ...facts, quote: quote ?? null, ...(words && { words }) }))
    return
  }
  if (files.length === 0) {
    screen.out('Nothing has changed since the last push; --all shows everything.')
    return
  }
  for (const { path, format, source: file } of files)
    screen.out(`${path} (${sizeText(file.size)}, ${format ?? 'no known format'})`)
  screen.out(
    `${count(files.length, 'file')} from ${source} to ${targets.join(', ')}: ${count(requestsOf(files), 'request')}, to ${provider ?? 'the only provider'}.`,
  )
  tellChanges(screen, { ...plan, files: [] })
  if (words) for (const line of wordsText(words)) screen.out(line)
  for (const line of quoteText(quote)) screen.out(line)
  screen.out('Nothing was submitted.')
}
