/** What a worker is asked to do with a file; call it through run.ts. */
import { findFormat } from './find-format.ts'
import type { Part, Segment, Target, Translations } from './format.ts'
import { buildParts } from './parts.ts'

export function readFile(fileName: string, bytes: Uint8Array): { formatId: string; segments: Segment[] } | undefined {
  const format = findFormat(fileName, bytes)
  return format && { formatId: format.id, segments: format.read(bytes) }
}

export function writeFile(fileName: string, bytes: Uint8Array, translations: Translations, target: Target): Uint8Array {
  const format = findFormat(fileName, bytes)
  if (!format) throw new Error(`${fileName} was never read: its format is unknown.`)
  return format.write(bytes, translations, target)
}

/** Texts that stand alone, as the values of fields do. */
export const cutTexts = (texts: readonly string[]): Part[][] =>
  texts.map((text) => buildParts([{ text }], (same) => same, { newlines: true }))
