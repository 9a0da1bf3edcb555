/**
 * A file of a package in XLIFF 1.2, as widespread tools take it: with the namespace, without CDATA,
 * ids in `id` and `resname`, and every target filled, because some tools do not show units without
 * one. Pure; run in a worker.
 */
import type { TextTag } from '@dragoman/contract/wire'
import { originalOf, type PackedFile, type PackedSegment, writeMark } from './package-file.ts'
import { type Dialect, escapeAttribute, escapeWords, shown, writeInline } from './write-inline.ts'

const numbered = (tag: TextTag) => `id="${tag.tag}" equiv-text="${shown(tag.shows)}"`
const dialect: Dialect = {
  open: (tag) => `<g ${numbered(tag)}>`,
  close: '</g>',
  start: ({ tag, shows }) => `<bpt id="${tag}" rid="${tag}">${escapeWords(shows)}</bpt>`,
  end: ({ shows }, { tag }) => `<ept id="${tag}" rid="${tag}">${escapeWords(shows)}</ept>`,
  single: (id, shows) => `<x id="${id}" equiv-text="${shown(shows)}"/>`,
}

const states = { open: 'needs-translation', translated: 'translated', final: 'final' } as const
const lengthUnits = { CHARACTERS: 'char', BYTES: 'byte' } as const

/** Piece by piece: the whole may be longer than is good for one text. */
export function* piecesOfXliff12(file: PackedFile): Generator<string> {
  const { sourceLanguage, targetLanguage, fileName } = file
  const languages = `source-language="${escapeAttribute(sourceLanguage)}" target-language="${escapeAttribute(targetLanguage)}"`
  const original = escapeAttribute(originalOf(file, fileName))
  yield `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="${original}" ${languages} datatype="x-dragoman" tool-id="dragoman">
<header><tool tool-id="dragoman" tool-name="Dragoman"/></header>
<body>
`
  for (const segment of file.segments) yield unitOf(segment)
  yield `</body>
</file>
</xliff>
`
}

export const writeXliff12 = (file: PackedFile): string => [...piecesOfXliff12(file)].join('')

function unitOf(segment: PackedSegment): string {
  const { segmentId, key, source, target, tags, state, notes = [], maxLength, matches } = segment
  const id = escapeAttribute(segmentId)
  const size = maxLength
    ? ` maxwidth="${maxLength.count}" size-unit="${lengthUnits[maxLength.unit]}"`
    : ''
  const said = [...(key === undefined ? [] : [`Key: ${key}`]), ...notes]
  const lines = [
    `<trans-unit id="${id}" resname="${id}" extradata="${writeMark(segment)}" xml:space="preserve"${size}>`,
    `<source>${writeInline(source, tags, dialect)}</source>`,
    `<target state="${states[state]}">${writeInline(target, tags, dialect)}</target>`,
    ...matches.map(
      (match) =>
        `<alt-trans match-quality="${match.percent}%"><source>${writeInline(match.source, tags, dialect)}</source><target>${writeInline(match.target, tags, dialect)}</target></alt-trans>`,
    ),
    ...said.map((note) => `<note>${escapeWords(note)}</note>`),
    '</trans-unit>',
  ]
  return `${lines.join('\n')}\n`
}
