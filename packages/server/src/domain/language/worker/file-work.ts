/** Runs in a worker: files read, written and cut into parts. Long lists come and go in pages. */
import {
  cutTexts,
  type Named,
  type Part,
  readFile,
  type Target,
  writeFile,
} from '@dragoman/text/formats'
import { itemsIn, type Pages, pagesOf } from './pages.ts'

export type ReadFile = {
  readonly formatId: string
  /** Its segments. */
  readonly segments: Pages
  readonly remarks: readonly string[]
}

export function readPaged(named: Named | string, bytes: Uint8Array): ReadFile | undefined {
  const read = readFile(named, bytes)
  return read && { ...read, segments: pagesOf(read.segments) }
}

/** `translations`: ids with their parts. */
export const writePaged = (
  named: Named | string,
  bytes: Uint8Array,
  { translations, ...target }: Target & { readonly translations: Pages },
): Uint8Array =>
  writeFile(named, bytes, {
    ...target,
    translations: new Map(itemsIn<[string, Part[]]>(translations)),
  })

export const cutPaged = (texts: Pages): Pages => pagesOf(cutTexts([...itemsIn<string>(texts)]))
