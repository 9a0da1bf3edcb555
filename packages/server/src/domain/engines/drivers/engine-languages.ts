/** The languages of an engine: its codes for the hub's languages, and the pairs that it lists. */
import { createHash } from 'node:crypto'
import { spelledLanguage } from '@dragoman/text/terms'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { postGuarded } from '../../../outgoing/post.ts'
import { perHub } from '../../../process/caches.ts'
import { parseAnswer } from '../../../process/parse.ts'
import type { LanguagePair } from './dialects/dialect.ts'
import { dialects } from './dialects/index.ts'
import { outgoing, outsideTime } from './engine-call.ts'
import type { EngineSettings } from './engine-config.ts'

/**
 * The provider's own table comes first; its codes are compared without case and with `_` for `-`.
 */
export function engineCode(
  code: string,
  { languages = {}, dialect }: Pick<EngineSettings, 'languages' | 'dialect'>,
  as: 'source' | 'target',
): string {
  const given = Object.entries(languages).find(
    ([name]) => spelledLanguage(name) === spelledLanguage(code),
  )
  return given?.[1] ?? dialects[dialect].codeOf(code, as)
}

type CachedPairs = {
  readonly at: number
  readonly pairs: Promise<readonly LanguagePair[] | undefined>
}
const askedOf = perHub(() => new LRUCache<string, CachedPairs>({ max: 1_000 }))
/** How long an engine's list is cached; a failure is cached for a shorter time. */
const holdsMs = 600_000
const missesMs = 60_000
const timeoutMs = 3_000
const mostBytes = 1024 ** 2

/** Undefined if the engine cannot be reached or has no list. */
export async function pairsOf(
  hub: Hub,
  at: EngineSettings,
): Promise<readonly LanguagePair[] | undefined> {
  if (!dialects[at.dialect].languages) return undefined
  const [asked, key, now] = [askedOf(hub), keyOf(at), hub.clock.now()]
  const known = asked.get(key)
  if (known && now - known.at < holdsMs) {
    const pairs = await known.pairs
    if (pairs || now - known.at < missesMs) return pairs
  }
  const pairs = askPairs(hub, at)
  asked.set(key, { at: now, pairs })
  return pairs
}

/**
 * Two providers with the same address may have different keys and settings, and so different lists.
 */
const keyOf = ({ dialect, url, own, secrets }: EngineSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([dialect, url, own, secrets]))
    .digest('base64url')

async function askPairs(
  hub: Hub,
  at: EngineSettings,
): Promise<readonly LanguagePair[] | undefined> {
  const { languages, sign } = dialects[at.dialect]
  if (!languages) return undefined
  const post = await outgoing(at, languages.request(at), sign, outsideTime(hub))
  const got = await postGuarded(hub, { ...post, timeoutMs, maxBytes: mostBytes })
  return got.answered && got.whole && got.status === 200
    ? languages.read(parseAnswer(got.body.toString('utf8')))
    : undefined
}
