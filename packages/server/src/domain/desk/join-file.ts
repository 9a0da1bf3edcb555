/** Joins the targets of a desk with their file. Pure, and run in a worker (join-desk.ts). */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import { type Named, type Part, writeFile } from '@dragoman/text/formats'
import { fromWire } from '@dragoman/text/placeholders'
import { itemsIn, type Pages } from '../language/worker/pages.ts'

/** The target of a segment. */
export type Joining = {
  readonly unit: string
  readonly tags: readonly TextTag[]
  readonly target: TextParts
}

/** `targets`: pages of `Joining`. */
export function joinFile(
  named: Named,
  bytes: Uint8Array,
  targets: Pages,
  targetLanguage: string,
): Uint8Array {
  const translations = new Map<string, readonly Part[]>()
  for (const { unit, tags, target } of itemsIn<Joining>(targets))
    translations.set(unit, fromWire(tags, target))
  return writeFile(named, bytes, { translations, targetLanguage })
}
