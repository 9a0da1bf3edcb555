/** What workers do with files; call it through run.ts. */
import type { FormatOptions } from '@dragoman/contract/wire'
import type { Part } from '../placeholders/part.ts'
import { buildParts } from '../placeholders/parts.ts'
import { binaryKind } from './bytes-kind.ts'
import { compareSegments, type Judgement, notCompared } from './compare-delivery.ts'
import { findFormat, type Named, optionsOf } from './find-format.ts'
import type { Format, Segment, Target, Translations } from './format.ts'
import { FormatError, type FormatErrorCode } from './format-error.ts'

export function readFile(
  named: Named | string,
  bytes: Uint8Array,
): { formatId: string; segments: Segment[]; remarks: readonly string[] } | undefined {
  const format = findFormat(named, bytes)
  if (!format) return undefined
  const { segments, remarks = [] } = format.open(bytes, optionsOf(named))
  return { formatId: format.id, segments, remarks }
}

export function writeFile(
  named: Named | string,
  bytes: Uint8Array,
  { translations, ...target }: Target & { readonly translations: Translations },
): Uint8Array {
  const format = findFormat(named, bytes)
  if (!format) throw new Error(`${JSON.stringify(named)} was never read: its format is unknown.`)
  return format.write(bytes, translations, target, optionsOf(named))
}

/** Separate texts, such as the values of fields, are cut one by one. */
export const cutTexts = (texts: readonly string[]): (readonly Part[])[] =>
  texts.map((text) => buildParts([{ text }], (same) => same, { newlines: true }))

/**
 * Errors that are limits of the hub, and no fault of a translation, which may be longer than its
 * source.
 */
const ownBounds: readonly FormatErrorCode[] = ['TOO_LARGE', 'TOO_MANY_SEGMENTS']

/**
 * Whether a delivery can be read like its source, and how it differs. `look` sees the segments of
 * both.
 */
export function judgeFile(
  named: Named | string,
  source: Uint8Array,
  delivery: Uint8Array,
  look?: (before: readonly Segment[], after: readonly Segment[], formatId: string) => void,
): Judgement {
  const format = findFormat(named, source)
  const options = optionsOf(named)
  const before = format && readOrNothing(format, source, options)
  // If the source cannot be read, the translation need not be readable either.
  if (!format || !before) return { warnings: [] }
  // Formats of running text read any bytes.
  const kind = binaryKind(source) === undefined ? binaryKind(delivery) : undefined
  if (kind !== undefined)
    return { invalid: `The file is ${kind}, not ${format.id} as its source is.`, warnings: [] }
  return judgeRead(format, named, source, delivery, (after) => {
    look?.(before, after, format.id)
    return compareSegments(before, after)
  })
}

/** For a source that was read. `compare` gets the segments of the translation. */
export function judgeRead(
  format: Format,
  named: Named | string,
  source: Uint8Array,
  delivery: Uint8Array,
  compare: (after: readonly Segment[]) => readonly string[],
): Judgement {
  try {
    const after = format.read(delivery, optionsOf(named))
    if (isAs(named, source, format) && !isAs(named, delivery, format))
      return { invalid: `The file is not ${format.id}, as its source is.`, warnings: [] }
    return { warnings: compare(after) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    if (ownBounds.includes(error.code)) return { warnings: [notCompared(error.message)] }
    return { invalid: error.message, warnings: [] }
  }
}

/** Detects by name and bytes only, whatever the sender said. */
const isAs = (named: Named | string, bytes: Uint8Array, format: Format): boolean =>
  findFormat(typeof named === 'string' ? named : { ...named, format: undefined }, bytes)?.id ===
  format.id

function readOrNothing(
  format: Format,
  bytes: Uint8Array,
  options?: FormatOptions,
): Segment[] | undefined {
  try {
    return format.read(bytes, options)
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}
