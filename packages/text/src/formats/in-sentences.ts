/**
 * A format of running text whose segments are sentences, where the reader asks for it (`cut`). This
 * is the only place where segments are cut and joined: the desk, word counts, quotes and the memory
 * all read through it.
 */

import type { Part } from '../placeholders/part.ts'
import { type CutParagraph, cutParts } from '../sentences/cut-parts.ts'
import { joinParagraph, type Languages } from '../sentences/join-paragraph.ts'
import { mustFitSegments } from './bounds.ts'
import { mustHaveSegments } from './define-format.ts'
import type { Format, OpenFile, Segment, Translations } from './format.ts'

type Cut = { readonly segments: Segment[]; readonly paragraphs: ReadonlyMap<Segment, CutParagraph> }

export function inSentences(format: Format): Format {
  const open: Format['open'] = (bytes, options) => {
    const file = format.open(bytes, options)
    return options?.cut ? openCut(file, options.cut.language) : file
  }
  return {
    ...format,
    open,
    read: (bytes, options) =>
      options?.cut ? open(bytes, options).segments : format.read(bytes, options),
    write: (bytes, translations, target, options) =>
      options?.cut
        ? open(bytes, options).write(translations, target)
        : format.write(bytes, translations, target, options),
  }
}

function openCut(file: OpenFile, language: string): OpenFile {
  const { segments, paragraphs } = cutSegments(file.segments, language)
  return {
    ...file,
    segments,
    write: (translations, target) => {
      mustHaveSegments(segments, translations)
      const { targetLanguage } = target
      return file.write(
        joinSentences(file.segments, paragraphs, translations, { language, targetLanguage }),
        target,
      )
    },
  }
}

/** Names do not contain `~s`: a tilde in a name is escaped. */
const sentenceId = (id: string, at: number): string => `${id}~s${at + 1}`

function cutSegments(whole: readonly Segment[], language: string): Cut {
  const segments: Segment[] = []
  const paragraphs = new Map<Segment, CutParagraph>()
  for (const segment of whole) {
    const cut = segment.target || segment.held ? undefined : cutParts(segment.parts, language)
    if (cut) paragraphs.set(segment, cut)
    const own = cut?.sentences.map((parts, at) => ({
      ...segment,
      id: sentenceId(segment.id, at),
      parts,
      of: segment,
    }))
    for (const one of own ?? [segment]) segments.push(one)
    mustFitSegments(segments.length)
  }
  return { segments, paragraphs }
}

function joinSentences(
  whole: readonly Segment[],
  paragraphs: ReadonlyMap<Segment, CutParagraph>,
  translations: Translations,
  languages: Languages,
): Translations {
  const joined = new Map<string, readonly Part[]>()
  for (const segment of whole) {
    const cut = paragraphs.get(segment)
    const targets = cut?.sentences.map((_, at) => translations.get(sentenceId(segment.id, at)))
    const own =
      cut && targets?.some((target) => target)
        ? joinParagraph(cut, targets, languages)
        : translations.get(segment.id)
    if (own) joined.set(segment.id, own)
  }
  return joined
}
