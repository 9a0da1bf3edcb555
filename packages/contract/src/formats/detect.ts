/**
 * Detects the format of a file: by its extension, then its content type, then its first bytes. If several formats share an
 * extension or a type, the bytes decide among them.
 */
import type { FormatRow } from './row.ts'
import { type FormatId, formatRows } from './table.ts'

export type Looks = {
  readonly fileName: string
  readonly contentType?: string | undefined
  /** The beginning of the file; read only if the name and the type do not decide. */
  readonly head: () => string
}

type Entry = readonly [FormatId, FormatRow]
const entries = Object.entries(formatRows) as readonly Entry[]

export function detectFormat({ fileName, contentType, head }: Looks): FormatId | undefined {
  let begins: string | undefined
  const recognised = (candidates: readonly Entry[]): FormatId | undefined =>
    candidates.find(([, { recognises }]) => {
      if (!recognises) return false
      begins ??= head()
      return recognises(begins)
    })?.[0]
  const among = (candidates: readonly Entry[]): FormatId | undefined =>
    candidates.length === 1 && candidates[0]?.[1].byNameAlone !== false
      ? candidates[0]?.[0]
      : (recognised(candidates) ?? candidates.find(([, { recognises }]) => !recognises)?.[0])
  const extension = extensionOf(fileName)
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return (
    among(entries.filter(([, { extensions }]) => extensions.includes(extension))) ??
    among(entries.filter(([, { mediaTypes }]) => mediaTypes.includes(type))) ??
    recognised(entries)
  )
}

/** In lower case, without the dot; empty if the name has none. */
function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot < 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}
