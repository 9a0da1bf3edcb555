/**
 * The engine that drafts targets: the machine translation provider that the call names, else the
 * only one of the site. It works within its limits; what it cannot do is left with a reason.
 */
import type { Part } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import { CannotTranslate, Held, TryLater } from '../../engines/drivers/driver.ts'
import { openKnown } from '../../engines/drivers/known-texts.ts'
import { machineTranslation } from '../../engines/drivers/machine-translation.ts'
import { openEngine } from '../../engines/drivers/open-engine.ts'
import { type SegmentResult, translateSegments } from '../../engines/drivers/translate-segments.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'

export type FillEngine = {
  readonly providerId: string
  readonly engine: string
  /** In the order of the segments. */
  readonly translate: (
    request: OneRequest,
    segments: readonly (readonly Part[])[],
  ) => Promise<readonly SegmentResult[]>
  /** Why it left segments open. */
  readonly reason: () => string | undefined
  /** The time from which it may work again, if a limit is used up or it does not respond. */
  readonly stopped: () => TryLater | undefined
}

export function openFillEngine(hub: Hub, provider: ProviderRow): FillEngine {
  let reason: string | undefined
  let stopped: TryLater | undefined
  const open = (because: string): SegmentResult => {
    reason ??= because
    return { open: because }
  }
  const translate: FillEngine['translate'] = async (request, segments) => {
    if (stopped) return segments.map(() => open(stopped?.message ?? ''))
    const { source_language: sourceLanguage, target_language: targetLanguage } = request
    const languages = { sourceLanguage, targetLanguage }
    try {
      const spoken = await machineTranslation.languages?.(hub, provider)
      if (spoken && !spoken.has(sourceLanguage, targetLanguage))
        throw new CannotTranslate(
          `${provider.name} does not translate from ${sourceLanguage} to ${targetLanguage}.`,
        )
      const engine = openEngine(hub, provider, { ...languages, jobId: request.job_id })
      const texts = segments.map((parts) => ({ parts }))
      const known = await openKnown(
        hub,
        { siteId: request.site_id, ...languages },
        texts,
        engine.takes,
      )
      const results = await translateSegments(segments, languages, {
        engines: [engine],
        // The memory was asked before, if it was to be asked.
        known: { ...known, exact: [], savedCharacters: 0 },
      })
      return results.map((one) => ('open' in one ? open(one.open) : one))
    } catch (error) {
      if (error instanceof TryLater) stopped = error
      else if (!(error instanceof CannotTranslate)) throw error
      return segments.map(() => open((error as Error).message))
    }
  }
  return {
    ...{ providerId: provider.provider_id, engine: provider.name },
    translate,
    reason: () => reason,
    stopped: () => stopped,
  }
}

/** When work that waits goes on: a limit says it, all else is tried again soon. */
export const goesOnAt = (error: TryLater): number | undefined =>
  error instanceof Held ? error.until : undefined
