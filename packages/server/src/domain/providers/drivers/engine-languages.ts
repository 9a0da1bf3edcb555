/** The languages of an engine: its codes for the hub's languages, and the pairs that it lists. */
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { postGuarded } from '../../../outgoing/post.ts'
import { perHub } from '../../../process/caches.ts'
import type { EngineAddress, Pair } from './dialects/dialect.ts'
import { type DialectId, dialects } from './dialects/index.ts'
import { addressOf, parse } from './engine-call.ts'

/** `named` is the provider's own table, whose codes are compared without case and with `_` for `-`. */
export function engineCode(
  code: string,
  named: Readonly<Record<string, string>> = {},
  dialect: DialectId = 'libretranslate',
): string {
  const given = Object.entries(named).find(([name]) => normal(name) === normal(code))
  return given?.[1] ?? dialects[dialect].codeOf(code)
}

const normal = (code: string): string => code.replaceAll('_', '-').toLowerCase()

type Asked = { readonly at: number; readonly pairs: Promise<readonly Pair[] | undefined> }
const askedOf = perHub(() => new LRUCache<string, Asked>({ max: 1_000 }))
/** How long an engine's list is cached; a failure is cached for a shorter time. */
const holdsMs = 600_000
const missesMs = 60_000
const timeoutMs = 3_000
const mostBytes = 1024 ** 2

/** Undefined if the engine cannot be reached or has no list. */
export async function pairsOf(hub: Hub, dialect: DialectId, at: EngineAddress): Promise<readonly Pair[] | undefined> {
  const [asked, key, now] = [askedOf(hub), `${dialect} ${at.url}`, hub.clock.now()]
  const known = asked.get(key)
  if (known && now - known.at < holdsMs) {
    const pairs = await known.pairs
    if (pairs || now - known.at < missesMs) return pairs
  }
  const pairs = askPairs(hub, dialect, at)
  asked.set(key, { at: now, pairs })
  return pairs
}

async function askPairs(hub: Hub, dialect: DialectId, at: EngineAddress): Promise<readonly Pair[] | undefined> {
  const { path, read } = dialects[dialect].languages
  const got = await postGuarded(hub, { method: 'GET', url: addressOf(at.url, path), timeoutMs, maxBytes: mostBytes })
  return got.answered && got.whole && got.status === 200 ? read(parse(got.body.toString('utf8'))) : undefined
}
