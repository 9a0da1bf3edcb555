/**
 * The terms of a site as a glossary in the account of a vendor. Its name has the provider, the pair
 * of languages and a hash of the terms, so that nodes need no agreement: whoever finds none with
 * the name makes it, and whoever makes one removes those of older terms. A glossary is a help,
 * never a condition: if the vendor refuses it, texts are translated without, and the terms are
 * checked anyway.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { postGuarded } from '../../../outgoing/post.ts'
import { perHub } from '../../../process/caches.ts'
import { parseAnswer } from '../../../process/parse.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import { termPairsFor } from '../../language/terms/term-pairs.ts'
import type {
  Dialect,
  EngineCall,
  EngineRequest,
  EngineTerm,
  MadeGlossary,
} from './dialects/dialect.ts'
import { dialects } from './dialects/index.ts'
import { type Answered, outgoing, outsideTime, Refused } from './engine-call.ts'
import type { EngineSettings } from './engine-config.ts'

type Languages = { readonly sourceLanguage: string; readonly targetLanguage: string }
type CallLanguages = Pick<EngineCall, 'source' | 'target'>
type Found = { readonly at: number; readonly id: Promise<string | undefined> }
type Glossaries = NonNullable<Dialect['glossaries']>

const foundOf = perHub(() => new LRUCache<string, Found>({ max: 1_000 }))
/** Somebody may remove a glossary at the vendor, and one that was refused may be accepted later. */
const cachedMs = 600_000
const timeoutMs = 10_000
const mostAnswerBytes = 4 * 1_048_576
/** The limits of one text and of all are above what vendors take. */
const mostTextBytes = 1_024
const mostBytes = 5 * 1_048_576

export type Wanted = {
  readonly provider: Pick<ProviderRow, 'site_id' | 'provider_id'>
  readonly settings: EngineSettings
  readonly languages: Languages
  readonly pair: CallLanguages
}

/**
 * Asks with the glossary of the site's terms, if the engine takes one; without it if the vendor no
 * longer has it.
 */
export async function askWithGlossary(
  hub: Hub,
  wanted: Wanted,
  call: EngineCall,
  ask: (call: EngineCall) => Promise<Answered>,
): Promise<Answered> {
  const found = await glossaryFor(hub, wanted)
  if (found?.id === undefined) return ask(call)
  try {
    return await ask({ ...call, glossary: found.id })
  } catch (error) {
    if (!(error instanceof Refused) || error.why !== 'REFUSED') throw error
    foundOf(hub).delete(found.key)
    return ask(call)
  }
}

async function glossaryFor(
  hub: Hub,
  { provider, settings, languages, pair }: Wanted,
): Promise<{ readonly key: string; readonly id: string | undefined } | undefined> {
  const { glossaries } = dialects[settings.dialect]
  const name = glossaries?.pairOf(pair, settings)
  if (!glossaries || name === undefined) return undefined
  const { sourceLanguage, targetLanguage } = languages
  const { terms, hash } = hashed(
    await termPairsFor(hub, provider.site_id, sourceLanguage, targetLanguage),
  )
  const prefix = `dragoman ${provider.provider_id} ${name} `
  const key = `${prefix}${hash}`
  const [found, now] = [foundOf(hub), hub.clock.now()]
  const known = found.get(key)
  if (known && now - known.at < cachedMs) return { key, id: await known.id }
  const older = [...found.keys()].filter((other) => other.startsWith(prefix))
  // A site that never had terms here has no glossary to remove.
  if (terms.length === 0 && older.length === 0) return undefined
  // Their glossaries are removed, also if the same terms come back.
  for (const other of older) found.delete(other)
  const id = settle(hub, settings, glossaries, { pair, prefix, name: key, terms })
  found.set(key, { at: now, id })
  return { key, id: await id }
}

type Making = {
  readonly pair: CallLanguages
  readonly prefix: string
  readonly name: string
  readonly terms: readonly EngineTerm[]
}

/**
 * The id of the glossary with this name, which is made if there is none; older ones are removed.
 */
async function settle(
  hub: Hub,
  settings: EngineSettings,
  glossaries: Glossaries,
  { pair, prefix, name, terms }: Making,
): Promise<string | undefined> {
  const call = async (request: EngineRequest): Promise<unknown> => {
    const post = await outgoing(
      settings,
      request,
      dialects[settings.dialect].sign,
      outsideTime(hub),
    )
    const got = await postGuarded(hub, { ...post, timeoutMs, maxBytes: mostAnswerBytes })
    return got.answered && got.whole && got.status < 300
      ? (parseAnswer(got.body.toString('utf8')) ?? {})
      : undefined
  }
  const listed = glossaries.read(await call(glossaries.list(settings)))
  if (!listed) return undefined
  const ours = listed.filter((one) => one.name.startsWith(prefix))
  // Two nodes may have made it at the same time: both take the same one, and the other is removed.
  const same = ours
    .filter((one) => one.name === name)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  let kept: MadeGlossary | undefined = same[0]
  if (!kept && terms.length > 0)
    kept = glossaries.created(await call(glossaries.create(settings, pair, { name, terms })))
  if (kept || terms.length === 0)
    for (const { id } of ours) if (id !== kept?.id) await call(glossaries.remove(settings, id))
  return kept?.isReady ? kept.id : undefined
}

type Hashed = { readonly terms: readonly EngineTerm[]; readonly hash: string }
const hashes = new WeakMap<readonly EngineTerm[], Hashed>()

function hashed(pairs: readonly EngineTerm[]): Hashed {
  const known = hashes.get(pairs)
  if (known) return known
  const terms = usable(pairs)
  const hash = createHash('sha256').update(JSON.stringify(terms)).digest('base64url').slice(0, 22)
  hashes.set(pairs, { terms, hash })
  return { terms, hash }
}

/** A glossary is a table of lines: what does not fit into one stays out, and is only checked. */
function usable(terms: readonly EngineTerm[]): EngineTerm[] {
  let bytes = 0
  return terms
    .map(({ source, target }) => ({ source: source.trim(), target: target.trim() }))
    .filter(({ source, target }) => {
      const sizes = [source, target].map((text) => Buffer.byteLength(text))
      if (
        sizes.some((size) => size === 0 || size > mostTextBytes) ||
        /\p{Cc}/u.test(source + target)
      )
        return false
      bytes += sizes.reduce((sum, size) => sum + size + 1, 0)
      return bytes <= mostBytes
    })
}
