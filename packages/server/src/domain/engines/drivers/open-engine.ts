/**
 * Opens the engine of a provider for a pair of languages: its calls go through the provider's gate.
 */
import type { Hub } from '../../../hub.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { Engine } from './ask-batches.ts'
import { type EngineCall, sourceCharacters } from './dialects/dialect.ts'
import { dialects } from './dialects/index.ts'
import { CannotTranslate, type Source } from './driver.ts'
import { askEngine } from './engine-call.ts'
import { settingsOf } from './engine-config.ts'
import { countSaved, mustHaveRoom } from './engine-costs.ts'
import { askWithGlossary } from './engine-glossary.ts'
import { engineCode } from './engine-languages.ts'
import { withProbe } from './engine-probe.ts'
import { throughGate } from './gate.ts'
import { askRepairing } from './repair-answers.ts'

export function openEngine(
  hub: Hub,
  provider: ProviderRow,
  asked: Omit<Source, 'content'>,
): Engine {
  const stored = settingsOf(hub, provider)
  const timeoutSeconds = Math.min(stored.timeoutSeconds, asked.maxSeconds ?? stored.timeoutSeconds)
  const settings = { ...stored, timeoutSeconds }
  const { format, concurrency, batchSize, batchBytes } = settings
  const source = engineCode(asked.sourceLanguage, settings, 'source')
  const target = engineCode(asked.targetLanguage, settings, 'target')
  if (source.toLowerCase() === target.toLowerCase())
    throw new CannotTranslate(
      `For the translation engine, ${asked.sourceLanguage} and ${asked.targetLanguage} are the same language (${source}).`,
    )
  const dialect = dialects[settings.dialect]
  const payer = { provider, jobId: asked.jobId }
  const wanted = { provider, settings, languages: asked, pair: { source, target } }
  return {
    providerId: provider.provider_id,
    name: dialect.name,
    style: format === 'html' ? 'xml' : 'brackets',
    limits: dialect.limits,
    batchSize,
    batchBytes,
    concurrency,
    takes: dialect.takes,
    countSaved: (characters) => countSaved(hub, payer, dialect.cost.unit, characters),
    mustHaveRoom: (texts) =>
      mustHaveRoom(hub, payer, dialect.cost.unit, sourceCharacters({ texts })),
    ask: (texts, told) =>
      throughGate(hub, provider.provider_id, concurrency, async () => {
        const at = await withProbe(hub, dialect, settings, (tried, call) =>
          askEngine(hub, { dialect, at: tried, payer }, call),
        )
        const call = { texts, source, target, format, ...told }
        const ask = (one: EngineCall) =>
          askRepairing(dialect, (each) => askEngine(hub, { dialect, at, payer }, each), one)
        return asked.isTrial ? ask(call) : askWithGlossary(hub, wanted, call, ask)
      }),
  }
}
