/**
 * Plain text: every line that is not blank is a segment; line ends and the blanks around a line
 * stay.
 */
import { defineFormat, type SegmentPlace } from '../define-format.ts'

export const plainText = defineFormat({
  id: 'text',
  charset: { fallsBack: true },
  find: (text) => {
    const places: SegmentPlace[] = []
    let line = 0
    let start = 0
    for (const { index, 0: ending } of text.matchAll(/\r\n|\r|\n|$/g)) {
      const place = placeLine(text, ++line, start, index)
      if (place) places.push(place)
      start = index + ending.length
    }
    return places
  },
})

function placeLine(text: string, line: number, from: number, to: number): SegmentPlace | undefined {
  const raw = text.slice(from, to)
  const inner = raw.trim()
  if (inner === '') return undefined
  const start = from + raw.indexOf(inner)
  return {
    id: String(line),
    pieces: [{ text: inner }],
    start,
    end: start + inner.length,
    spell: keepLine,
  }
}

/** A line stays a single line, whatever the engine returns. */
function keepLine(text: string): string {
  const lines = text.split(/[\r\n]+/)
  const last = lines.length - 1
  return lines
    .map((line, at) =>
      at === 0
        ? last === 0
          ? line
          : line.trimEnd()
        : at === last
          ? line.trimStart()
          : line.trim(),
    )
    .filter((line, at) => line !== '' || at === 0 || at === last)
    .join(' ')
}
