/** Files that the hub cannot translate by itself: told by the name alone, before any byte is read or sent. */
import { formatRows } from './table.ts'

const extensions = new Set<string>(Object.values(formatRows).flatMap((row) => row.extensions))

/** Whether a file of this name may be of a format of the table. */
export const mayBeRead = (fileName: string): boolean =>
  fileName.includes('.') && extensions.has(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase())

/** The error of a request whose file nobody could translate. */
export function unknownFormat(fileName: string): string {
  const known = [...extensions].sort().map((extension) => `.${extension}`)
  return `"${fileName}" is not in a format that the hub can translate. It translates ${known.join(' ')}.`
}
