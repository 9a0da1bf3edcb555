/**
 * Translates a file or fields with engines, in their order: cut into segments, memory first, then
 * the way of translate-segments.ts. A content with a segment that no engine could translate is not
 * delivered: its request gets the reason, or people get suggestions for the rest.
 */
import { unknownFormat } from '@dragoman/contract'
import type { Named, Part } from '@dragoman/text/formats'
import { buildParts, fromWire, isPlain, rawOf, toWire } from '@dragoman/text/placeholders'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { cutSafely, isSmall, readSafely, writeSafely } from '../../language/worker/run.ts'
import { openEstimate } from '../quality/estimate.ts'
import type { Engine } from './ask-batches.ts'
import {
  CannotTranslate,
  faultOfFile,
  type MachineSegment,
  type Source,
  type Suggested,
  type Translated,
} from './driver.ts'
import { type Known, type KnownText, openKnown } from './known-texts.ts'
import { type SegmentResult, translateSegments } from './translate-segments.ts'

export type Asking = {
  readonly siteId: string
  readonly source: Source
  readonly engines: readonly Engine[]
  /** People get suggestions, and what is open with its reason. */
  readonly forPeople?: boolean
  /** Why an engine before these was not asked. */
  readonly because?: string | undefined
}
type Text = KnownText & { readonly id: string }

export async function translateContent(hub: Hub, asking: Asking): Promise<Translated | Suggested> {
  const { content } = asking.source
  if ('bytes' in content) return translateFile(hub, asking, content)
  const values = content.fields.map(({ value }) => value)
  // Cutting a text in which nothing is protected takes less than bringing it to a worker.
  const cut = isSmall(values.filter((text) => !isPlain(text)))
    ? values.map(partsOf)
    : await cutFields(asking.siteId, values)
  const texts = content.fields.map(({ key }, at): Text => ({ id: key, parts: cut[at] ?? [] }))
  const { results, machine } = await translateTexts(hub, asking, texts)
  if (asking.forPeople) return suggestionsOf(texts, results, machine)
  const translations = mustBeWhole(results)
  const fields = content.fields.map(({ key }, at) => ({
    key,
    value: rawOf(translations[at] ?? []),
  }))
  return { fields, machine }
}

const partsOf = (text: string): readonly Part[] =>
  buildParts([{ text }], (same) => same, { newlines: true })

const cutFields = (siteId: string, texts: readonly string[]): Promise<(readonly Part[])[]> =>
  cutSafely(siteId, texts).catch((error: unknown) => {
    throw faultOfFile(error)
  })

async function translateFile(
  hub: Hub,
  asking: Asking,
  { bytes, ...named }: Named & { readonly bytes: Uint8Array },
): Promise<Translated | Suggested> {
  const { siteId, source, engines } = asking
  try {
    const tellsNotes = engines.some(({ takes }) => takes?.context)
    const opened = await readSafely(siteId, tellsNotes ? { ...named, about: true } : named, bytes)
    if (!opened) throw new CannotTranslate(unknownFormat(named.fileName))
    const wanted = opened.segments.filter(({ held }) => !held)
    const texts = wanted.map(({ id, parts, about }): Text => ({ id, parts, notes: about?.notes }))
    const { results, machine } = await translateTexts(hub, asking, texts)
    if (asking.forPeople) return suggestionsOf(texts, results, machine)
    const translations = mustBeWhole(results)
    const byId = new Map(wanted.map(({ id }, at) => [id, translations[at] ?? []]))
    const { targetLanguage } = source
    const written = await writeSafely(siteId, named, bytes, { translations: byId, targetLanguage })
    return { bytes: written, remarks: opened.remarks, machine }
  } catch (error) {
    throw faultOfFile(error)
  }
}

type Done = {
  readonly results: readonly SegmentResult[]
  readonly machine: readonly MachineSegment[]
}

async function translateTexts(hub: Hub, asking: Asking, texts: readonly Text[]): Promise<Done> {
  const { siteId, source, engines, because } = asking
  const takes = {
    context: engines.some((one) => one.takes?.context === true),
    references: engines.some((one) => one.takes?.references === true),
  }
  const known = source.isTrial
    ? undefined
    : withCarried(await openKnown(hub, { siteId, ...source }, texts, takes), texts, source)
  const results = await translateSegments(
    texts.map(({ parts }) => parts),
    source,
    { engines, known, because },
  )
  const machine = await withRisks(hub, asking, texts, results)
  // The engine that would have been asked first.
  await engines[0]?.countSaved?.(known?.savedCharacters ?? 0)
  return { results, machine }
}

/** What the model and the site say of each, or the signs if they say more. */
async function withRisks(
  hub: Hub,
  { siteId, source }: Asking,
  texts: readonly Text[],
  results: readonly SegmentResult[],
): Promise<MachineSegment[]> {
  const { basis, verdicts, riskOf } = await openEstimate(hub, siteId, source)
  const pause = openPauses()
  const machine: MachineSegment[] = []
  for (const [at, one] of results.entries()) {
    const text = texts[at]
    if (!text || !('parts' in one) || !one.origin) continue
    const { origin, reasons, parts, logProbability } = one
    const both = { source: plain(text.parts), target: plain(parts), logProbability }
    const learned = origin === 'MEMORY' || !riskOf ? 0 : riskOf(both)
    const risk = Math.max(one.risk, learned)
    machine.push({ id: text.id, origin, risk, reasons, basis: { basis, verdicts } })
    await pause()
  }
  return machine
}

const plain = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : ' ')).join('')

/** What was carried over goes before the memory: people decided on it for this content. */
function withCarried(known: Known, texts: readonly Text[], { carried }: Source): Known {
  if (!carried?.size) return known
  const exact = texts.map(({ id, parts }, at) => {
    const target = carried.get(id)
    return target ? fromWire(toWire(parts).tags, target) : known.exact[at]
  })
  return { ...known, exact }
}

const suggestionsOf = (
  texts: readonly Text[],
  results: readonly SegmentResult[],
  machine: readonly MachineSegment[],
): Suggested => ({
  suggestions: {
    texts: results.flatMap((one, at) =>
      'parts' in one ? [[texts[at]?.id ?? '', one.parts] as const] : [],
    ),
    open: results.flatMap((one, at) =>
      'open' in one ? [[texts[at]?.id ?? '', one.open] as const] : [],
    ),
  },
  machine,
})

/** A translation with a gap is none. */
function mustBeWhole(results: readonly SegmentResult[]): (readonly Part[])[] {
  const open = results.flatMap((one) => ('open' in one ? one.open : []))
  const [first] = open
  if (first !== undefined)
    throw new CannotTranslate(open.length > 1 ? `${first} ${also(open.length - 1)}` : first)
  return results.map((one) => ('parts' in one ? one.parts : []))
}

const also = (count: number): string =>
  count === 1
    ? 'One more text has no translation either.'
    : `${count} more texts have no translation either.`
