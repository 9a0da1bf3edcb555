/**
 * Tries a provider out. An engine translates a sentence, through the same guarded call as every
 * translation and within a bounded time. For a provider that others work for, the clients that may
 * deliver are named. The answer says why it fails.
 */
import type { ProviderTest, ProviderTrial } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { ProviderRow } from '../../store/tables.ts'
import { TimedOut, withTimeout } from '../../turns/timeout.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { listProviderClients } from '../access/seen-clients.ts'
import {
  CannotTranslate,
  type Driver,
  type Languages,
  type Suggested,
  type Translated,
  TryLater,
} from './drivers/driver.ts'
import { driverOf } from './drivers/drivers.ts'
import { mustFindProvider } from './providers.ts'

/**
 * One call to the engine may take this long; the other limit is for all tries and the wait for a
 * free slot.
 */
const callSeconds = 10
const maxMs = 20_000
const usualText = 'The quick brown fox jumps over the lazy dog.'

type TestResult = Omit<ProviderTest, 'providerId' | 'durationMs'>

export async function testProvider(
  hub: Hub,
  call: Call,
  providerId: string,
  trial: ProviderTrial = {},
): Promise<ProviderTest> {
  const { siteId } = call.caller
  const provider = await mustFindProvider(hub.db.read, siteId, providerId)
  const driver = driverOf(provider.type_id)
  const begun = performance.now()
  // The engine is called outside of the transaction. Under the same Idempotency-Key the first
  // answer is given again.
  const found = driver?.translate
    ? await tryEngine(hub, provider, driver, trial)
    : driver?.reach
      ? await tryUpstream(hub, provider, driver.reach)
      : await findClients(hub, provider)
  const test: ProviderTest = {
    providerId,
    ...found,
    durationMs: Math.round(performance.now() - begun),
  }
  return once(hub, call, async (tx) => {
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'provider', verb: 'tested', id: providerId },
    ])
    return test
  })
}

async function tryEngine(
  hub: Hub,
  provider: ProviderRow,
  driver: Driver,
  trial: ProviderTrial,
): Promise<TestResult> {
  const { source, target } = pairFor(trial, await driver.languages?.(hub, provider))
  const { text = usualText } = trial
  const sent = { text, sourceNativeLanguageCode: source, targetNativeLanguageCode: target }
  const content = { fields: [{ key: 'test', value: text }] }
  const asked = {
    sourceLanguage: source,
    targetLanguage: target,
    maxSeconds: callSeconds,
    isTrial: true as const,
    content,
  }
  try {
    const answered =
      driver.translate?.(hub, provider, asked) ??
      Promise.reject(new CannotTranslate('There is no engine.'))
    return { works: true, ...sent, translation: textIn(await withTimeout(maxMs, answered)) }
  } catch (error) {
    if (error instanceof TimedOut)
      return { works: false, ...sent, error: `No response within ${maxMs / 1000} s.` }
    if (error instanceof CannotTranslate || error instanceof TryLater)
      return { works: false, ...sent, error: error.message }
    throw error
  }
}

const textIn = (translated: Translated | Suggested): string =>
  'fields' in translated ? (translated.fields[0]?.value ?? '') : ''

async function tryUpstream(
  hub: Hub,
  provider: ProviderRow,
  reach: NonNullable<Driver['reach']>,
): Promise<TestResult> {
  try {
    await withTimeout(maxMs, reach(hub, provider))
    return { works: true }
  } catch (error) {
    if (error instanceof TimedOut)
      return { works: false, error: `No response within ${maxMs / 1000} s.` }
    if (error instanceof TryLater) return { works: false, error: error.message }
    throw error
  }
}

/**
 * The pair that was asked for; else from English, or whatever the engine has, to the first language
 * that it lists.
 */
function pairFor(
  trial: ProviderTrial,
  languages: Languages | undefined,
): { source: string; target: string } {
  const { sourceNativeLanguageCode: source, targetNativeLanguageCode: target } = trial
  const pairs = languages?.pairs.filter(({ targets }) => targets.length > 0) ?? []
  const isFrom = (code: string) =>
    pairs.find((pair) => pair.source === code || code.startsWith(`${pair.source}-`))
  const listed = source === undefined ? (isFrom('en') ?? pairs[0]) : isFrom(source.toLowerCase())
  return {
    source: source ?? listed?.source ?? 'en-us',
    target: target ?? listed?.targets[0] ?? 'de-de',
  }
}

async function findClients(hub: Hub, provider: ProviderRow): Promise<TestResult> {
  const clients = await listProviderClients(hub, provider.site_id, provider.provider_id)
  if (clients.length > 0) return { works: true, clients }
  const error =
    'No enabled client works for this provider, so only an admin can deliver. Add the provider to a client with the scope provider.'
  return { works: false, clients, error }
}
