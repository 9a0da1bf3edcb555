/** Reads a list of terms that somebody sends. Pure, and run in a worker because it is untrusted. */
import { HubError, type TermImportQuery } from '@dragoman/contract/wire'
import { decode, FormatError, xmlCharset } from '@dragoman/text/formats'
import {
  columnsOf,
  faultOf,
  type ListedTerm,
  normalTerm,
  readTbx,
  readTermCsv,
  refuseList,
} from '@dragoman/text/terms'
import { openPager, type Pages } from '../worker/pages.ts'

/** A term of the list: the columns that it will have. */
export type ReadTerm = {
  readonly termId?: string
  readonly columns: ReturnType<typeof columnsOf>
}
/** What an import compares, of every term: pages of these stand beside the terms. */
export type ReadKeys = Pick<ReadTerm, 'termId'> &
  Pick<ReadTerm['columns'], 'same_key' | 'content_key' | 'bytes'>

/** Reading stops where the list has more than the site may have. */
export type ListQuotas = { readonly terms: number; readonly bytes: number }
export type ReadList =
  | { readonly terms: Pages; readonly keys: Pages; readonly count: number; readonly bytes: number }
  | { readonly over: Readonly<Record<keyof ListQuotas, number>> }
  | { readonly refused: { readonly because: string; readonly line?: string } }

export async function readList(
  bytes: Uint8Array,
  query: TermImportQuery,
  quotas: ListQuotas,
): Promise<ReadList> {
  const [terms, keys] = [openPager<ReadTerm>(), openPager<ReadKeys>()]
  const sums = { terms: 0, bytes: 0 }
  try {
    for await (const { line, termId, ...given } of termsIn(query, bytes)) {
      const content = normalTerm(given)
      const fault = faultOf(content)
      if (fault) refuseList(`the term is not valid: ${fault}`, line)
      const columns = columnsOf(content)
      sums.terms += 1
      sums.bytes += columns.bytes
      // Before the rest is read: the list may have a million rows.
      if (sums.terms > quotas.terms || sums.bytes > quotas.bytes) return { over: sums }
      const id = termId === undefined ? {} : { termId }
      const { same_key, content_key, bytes: size } = columns
      terms.add({ ...id, columns })
      keys.add({ ...id, same_key, content_key, bytes: size })
    }
    if (sums.terms === 0) return { refused: { because: 'it has no terms.' } }
  } catch (error) {
    if (error instanceof FormatError) return { refused: { because: error.message } }
    if (!(error instanceof HubError)) throw error
    // Errors of the hub do not pass between threads.
    const [detail] = error.details ?? []
    const because = detail?.message ?? error.message
    return { refused: { because, ...(detail && { line: detail.path }) } }
  }
  return { terms: terms.finish(), keys: keys.finish(), count: sums.terms, bytes: sums.bytes }
}

function termsIn(query: TermImportQuery, bytes: Uint8Array): AsyncGenerator<ListedTerm> {
  const { format, sourceNativeLanguageCode: source, targetNativeLanguageCode: target } = query
  const { text } = decode(
    bytes,
    format === 'tbx' ? { declared: xmlCharset, fallsBack: false } : { fallsBack: false },
  )
  return format === 'tbx' ? readTbx(text) : readTermCsv(text, { source, target })
}
