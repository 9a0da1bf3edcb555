/**
 * Files that the hub cannot translate by itself: detected by name and type alone, before any byte
 * is read or sent.
 */
import type { FormatRow } from './row.ts'
import { formatRows } from './table.ts'

const rows: readonly FormatRow[] = Object.values(formatRows)
const extensions = new Set(rows.flatMap((row) => row.extensions))
const mediaTypes = new Set(rows.flatMap((row) => row.mediaTypes))

/**
 * Whether a file of this name may have a format of the table. Without an extension, its bytes
 * decide.
 */
export function mayBeRead(fileName: string, contentType = ''): boolean {
  if (mediaTypes.has(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')) return true
  return (
    isNameless(fileName) ||
    extensions.has(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase())
  )
}

/** Whether the name has no extension. */
export function isNameless(fileName: string): boolean {
  const dot = fileName.lastIndexOf('.')
  return dot <= 0 || dot === fileName.length - 1
}

/** The error of a request whose file matches no format. */
export function unknownFormat(fileName: string): string {
  const known = [...new Set(rows.flatMap((row) => (row.advice ? [] : row.extensions)))]
    .sort()
    .map((extension) => `.${extension}`)
  return `"${fileName}" is not in a format that the hub can translate. It translates ${known.join(' ')}.`
}
