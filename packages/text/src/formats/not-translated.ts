/** Formats that are recognised but never translated; the error says what to do with the file. */
import { type FormatId, type FormatRow, formatRows } from '@dragoman/contract/wire'
import type { Format } from './format.ts'
import { FormatError } from './format-error.ts'

export function notTranslated<Id extends FormatId>(id: Id): Format & { readonly id: Id } {
  const { name, advice = `${name} is not translated.` }: FormatRow = formatRows[id]
  const refuse = () => {
    throw new FormatError('NOT_TRANSLATED', advice)
  }
  return { id, open: refuse, read: refuse, write: refuse, rewrite: refuse }
}
