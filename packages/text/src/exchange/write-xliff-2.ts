/**
 * A file of a package in XLIFF 2.0: as in 1.2, with ids in `id` and `name`, and every target
 * filled. Pure; run in a worker.
 */
import { originalOf, type PackedFile, type PackedSegment, writeMark } from './package-file.ts'
import { type Dialect, escapeAttribute, escapeWords, shown, writeInline } from './write-inline.ts'

const dialect: Dialect = {
  open: ({ tag, shows }) => `<pc id="${tag}" equivStart="${shown(shows)}">`,
  close: '</pc>',
  start: ({ tag, shows }) => `<sc id="${tag}" equiv="${shown(shows)}"/>`,
  end: ({ shows }, { tag }) => `<ec startRef="${tag}" equiv="${shown(shows)}"/>`,
  single: (id, shows) =>
    id.startsWith('u')
      ? `<cp hex="${id.slice(1).padStart(4, '0')}"/>`
      : `<ph id="${id}" equiv="${shown(shows)}"/>`,
}

const states = { open: 'initial', translated: 'translated', final: 'final' } as const

/** Piece by piece: the whole may be longer than is good for one text. */
export function* piecesOfXliff2(file: PackedFile): Generator<string> {
  const { sourceLanguage, targetLanguage, fileName } = file
  const languages = `srcLang="${escapeAttribute(sourceLanguage)}" trgLang="${escapeAttribute(targetLanguage)}"`
  yield `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" ${languages}>
<file id="f1" original="${escapeAttribute(originalOf(file, fileName))}">
`
  for (const segment of file.segments) yield unitOf(segment)
  yield `</file>
</xliff>
`
}

export const writeXliff2 = (file: PackedFile): string => [...piecesOfXliff2(file)].join('')

function unitOf(segment: PackedSegment): string {
  const { segmentId, key, source, target, tags, state, notes = [], maxLength } = segment
  const id = escapeAttribute(segmentId)
  const most = maxLength && `At most ${maxLength.count} ${maxLength.unit.toLowerCase()}.`
  const said = [...(key === undefined ? [] : [`Key: ${key}`]), ...(most ? [most] : []), ...notes]
  const lines = [
    `<unit id="${id}" name="${id}" type="dragoman:${writeMark(segment)}">`,
    ...(said.length > 0
      ? [`<notes>${said.map((note) => `<note>${escapeWords(note)}</note>`).join('')}</notes>`]
      : []),
    `<segment state="${states[state]}">`,
    `<source xml:space="preserve">${writeInline(source, tags, dialect)}</source>`,
    `<target xml:space="preserve">${writeInline(target, tags, dialect)}</target>`,
    '</segment>',
    '</unit>',
  ]
  return `${lines.join('\n')}\n`
}
