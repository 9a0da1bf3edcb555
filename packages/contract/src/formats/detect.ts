/**
 * Detects the format of a file: by its extension, then its content type, then its first bytes. If
 * several formats share an extension or a type, the bytes decide among them. Of a file without an
 * extension they also tell JSON and plain text.
 */
import type { FormatRow } from './row.ts'
import { type FormatId, formatRows } from './table.ts'
import { isNameless } from './unknown.ts'

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
    recognised(entries) ??
    (isNameless(fileName) && isUntold(type) ? looksLike(begins ?? head()) : undefined)
  )
}

/** What programs send that know nothing of a file. */
const isUntold = (type: string): boolean => type === '' || type === 'application/octet-stream'

/** JSON, or text without the characters of binary files; an empty file is neither. */
function looksLike(begins: string): FormatId | undefined {
  // The last character may have been cut in two.
  const text = begins.replace(/^\ufeff/, '').replace(/\ufffd$/, '')
  if (text.trim() === '' || /(?![\t\n\v\f\r\x80-\x9f])\p{Cc}|\ufffd/u.test(text)) return undefined
  return /^\s{0,256}(?:\{\s{0,256}["}]|\[\s{0,256}[[{"\]])/.test(text) ? 'json' : 'text'
}

/** In lower case, without the dot; empty if the name has none. */
function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot < 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}
