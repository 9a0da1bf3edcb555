/**
 * What a server honours of the forms that a dialect can ask in: tried with a small call before the
 * first real one, and kept.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import type { Dialect, EngineAddress, EngineCall } from './dialects/dialect.ts'
import { type Answered, Refused } from './engine-call.ts'

type Own = Readonly<Record<string, unknown>>
/** `isSure`: the server answered as it should. */
type Honoured = { readonly own: Own; readonly isSure: boolean }
type Found = { readonly at: number; readonly honoured: Promise<Honoured> }
const foundOf = perHub(() => new LRUCache<string, Found>({ max: 1_000 }))
/** Servers change what they honour with their next version. */
const cachedMs = 7 * 24 * 3_600_000

export type AskAt = (at: EngineAddress, call: EngineCall) => Promise<Answered>

/**
 * The address with the settings that the probe found; the same address if the dialect needs none.
 */
export async function withProbe<At extends EngineAddress>(
  hub: Hub,
  { probe }: Dialect,
  at: At,
  ask: AskAt,
): Promise<At> {
  if (!probe) return at
  const [found, key, now] = [foundOf(hub), keyOf(at), hub.clock.now()]
  const known = found.get(key)
  const isKnown = known && now - known.at < cachedMs
  const honoured = isKnown ? known.honoured : firstHonoured(probe, at, ask)
  if (!isKnown) found.set(key, { at: now, honoured })
  try {
    const { own, isSure } = await honoured
    if (!isSure) found.delete(key)
    return { ...at, own: { ...own, ...at.own } }
  } catch (error) {
    found.delete(key)
    throw error
  }
}

async function firstHonoured(
  probe: NonNullable<Dialect['probe']>,
  at: EngineAddress,
  ask: AskAt,
): Promise<Honoured> {
  const variants = probe.variants(at.own ?? {})
  for (const [nth, variant] of variants.entries())
    try {
      const answers = await ask({ ...at, own: { ...variant, ...at.own } }, probe.call)
      if (answers.every((answer) => answer !== undefined)) return { own: variant, isSure: true }
    } catch (error) {
      const isLast = nth === variants.length - 1
      if (!(error instanceof Refused) || error.why === 'KEY' || isLast) throw error
    }
  return { own: variants.at(-1) ?? {}, isSure: false }
}

/** The secrets belong to it: keys of the same server may have different models. */
const keyOf = ({ url, own, secrets }: EngineAddress): string =>
  createHash('sha256')
    .update(JSON.stringify([url, own, secrets]))
    .digest('base64url')
