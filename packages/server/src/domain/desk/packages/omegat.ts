/**
 * What an OmegaT project has besides its XLIFF files: its settings, what is known of the texts as
 * TMX, and the terms of the site.
 */
import type { Term, TextParts } from '@dragoman/contract'
import { escapeAttribute, type PackedSegment } from '@dragoman/text/exchange'
import { writtenText } from '@dragoman/text/likeness'
import { entriesFor } from '@dragoman/text/terms'
import type { Hub } from '../../../hub.ts'
import {
  type TmxHead,
  tmxEnd,
  tmxHead,
  type WrittenUnit,
  writeUnitsSafely,
} from '../../language/memory/write-tmx.ts'
import { pagesOf } from '../../language/terms/export-terms.ts'
import { describeTerm } from '../../language/terms/terms.ts'

export type Languages = { readonly source: string; readonly target: string }

/** Segments are those of the files: OmegaT must not cut them again. */
export const projectFile = ({
  source,
  target,
}: Languages): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<omegat>
  <project version="1.0">
    <target_dir>__DEFAULT__</target_dir>
    <source_dir>__DEFAULT__</source_dir>
    <tm_dir>__DEFAULT__</tm_dir>
    <glossary_dir>__DEFAULT__</glossary_dir>
    <dictionary_dir>__DEFAULT__</dictionary_dir>
    <source_lang>${escapeAttribute(source)}</source_lang>
    <target_lang>${escapeAttribute(target)}</target_lang>
    <sentence_seg>false</sentence_seg>
    <support_default_translations>true</support_default_translations>
    <remove_tags>false</remove_tags>
  </project>
</omegat>
`

/** Units of one project that its memories hold. */
const mostUnits = 20_000
export type Known = {
  readonly matches: Map<string, WrittenUnit>
  readonly targets: Map<string, WrittenUnit>
}
export const newKnown = (): Known => ({ matches: new Map(), targets: new Map() })

/** Gathers what is known of the texts of a segment. */
export function learn(
  known: Known,
  { source, target }: Languages,
  { segmentId, source: text, tags, matches }: PackedSegment,
  own: TextParts | undefined,
): void {
  const unit = (from: TextParts, to: TextParts, tuid: string): WrittenUnit => ({
    ...{ tuid, sourceLanguage: source, targetLanguage: target, context: null, changedAt: 0 },
    ...{ source: writtenText(from, [...tags]), target: writtenText(to, [...tags]) },
  })
  const keep = (units: Map<string, WrittenUnit>, from: TextParts, to: TextParts, tuid: string) => {
    if (units.size >= mostUnits) return
    const one = unit(from, to, tuid)
    const key = JSON.stringify([one.source, one.target])
    if (!units.has(key)) units.set(key, one)
  }
  for (const [at, match] of matches.entries())
    keep(known.matches, match.source, match.target, `${segmentId}.${at + 1}`)
  if (own) keep(known.targets, text, own, segmentId)
}

const unitsAtOnce = 500

export async function* tmxOf(
  siteId: string,
  head: TmxHead,
  units: ReadonlyMap<string, WrittenUnit>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(tmxHead(head))
  const all = [...units.values()]
  for (let from = 0; from < all.length; from += unitsAtOnce)
    yield Buffer.from(await writeUnitsSafely(siteId, all.slice(from, from + unitsAtOnce)))
  yield Buffer.from(tmxEnd)
}

/** Source, target and a comment, divided by tabs. */
export async function* glossaryOf(
  hub: Hub,
  siteId: string,
  languages: Languages,
): AsyncGenerator<Uint8Array> {
  for await (const rows of pagesOf(hub, siteId)) {
    const lines = rows.flatMap((row) => glossaryLines(describeTerm(row), languages))
    if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
  }
}

function glossaryLines({ entries, definition }: Term, languages: Languages): string[] {
  const targets = entriesFor(entries, languages.target)
  const forbidden = targets.filter(({ status }) => status === 'FORBIDDEN').map(({ text }) => text)
  const avoid = forbidden.length > 0 ? [`Do not use: ${forbidden.join(', ')}.`] : []
  return entriesFor(entries, languages.source).flatMap((source) =>
    targets
      .filter(({ status }) => status !== 'FORBIDDEN')
      .map((target) => {
        const comment = [
          ...(definition ? [definition] : []),
          ...(target.note ? [target.note] : []),
          ...avoid,
        ].join(' ')
        return [source.text, target.text, comment]
          .map((cell) => cell.replace(/\s/g, ' '))
          .join('\t')
      }),
  )
}
