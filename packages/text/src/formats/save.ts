/**
 * Writes the edits of a file into its text, in its charset or, if that lacks a character, in UTF-8.
 */
import { type Charset, type Decoded, encode, utf8 } from './charset.ts'
import type { Target } from './format.ts'
import { FormatError } from './format-error.ts'
import type { Edit } from './place.ts'

/** A file as it came, and its text. */
export type SourceFile = Decoded & { readonly bytes: Uint8Array }

type WriteRules = {
  readonly refer?: ((character: string) => string) | undefined
  readonly retarget?:
    | ((text: string, target: Target, isUtf8Now: boolean) => readonly Edit[])
    | undefined
}

/** The file with the edits; the same bytes if there are none. */
export function save(
  rules: WriteRules,
  file: SourceFile,
  edits: readonly Edit[],
  target: Target,
): Uint8Array {
  if (edits.length === 0) return file.bytes
  const { charset, text, bom } = file
  const isUtf8Now = !rules.refer && edits.some((edit) => !canWrite(charset, edit.text))
  const all = [...edits, ...notYet(edits, rules.retarget?.(text, target, isUtf8Now) ?? [])]
  if (isUtf8Now || !charset.has)
    return encode(splice(text, all), { charset: isUtf8Now ? utf8 : charset, bom })
  return encode(
    splice(
      text,
      all.map((edit) => ({ ...edit, text: fit(charset, edit, rules.refer) })),
    ),
    file,
  )
}

/** What was translated is written as it was translated. */
function notYet(edits: readonly Edit[], more: readonly Edit[]): readonly Edit[] {
  if (more.length === 0) return more
  const written = new Set(edits.map(({ start, end }) => (end > start ? `${start} ${end}` : '')))
  return more.filter(({ start, end }) => !written.has(`${start} ${end}`))
}

const canWrite = ({ has }: Charset, text: string): boolean => !has || [...text].every(has)

function fit({ has, name }: Charset, edit: Edit, refer?: (character: string) => string): string {
  if (!has || !refer) return edit.text
  return Array.from(edit.text, (character) => {
    if (has(character)) return character
    if (!edit.verbatim) return refer(character)
    throw new FormatError(
      'UNREPRESENTABLE',
      `"${character}" cannot be written inside CDATA in ${name}; use UTF-8.`,
    )
  }).join('')
}

/** Applies the edits. Insertions at a position come before a replacement there, in their order. */
function splice(text: string, edits: readonly Edit[]): string {
  const inOrder = (one: Edit, other: Edit): number => one.start - other.start || one.end - other.end
  const isSorted = edits.every((edit, at) => {
    const before = edits[at - 1]
    return !before || inOrder(before, edit) <= 0
  })
  const out: string[] = []
  let from = 0
  for (const edit of isSorted ? edits : [...edits].sort(inOrder)) {
    out.push(text.slice(from, edit.start), edit.text)
    from = edit.end
  }
  out.push(text.slice(from))
  return out.join('')
}
