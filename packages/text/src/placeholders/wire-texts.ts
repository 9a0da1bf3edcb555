/**
 * Parts of a format as texts of the desk, and back. Every code of a source gets a number, in the
 * order in which it stands there; a target names codes by these numbers.
 */
import type { TextParts, TextTag } from '@dragoman/contract'
import type { CodePart, Part } from './part.ts'
import { buildParts } from './parts.ts'

export type WireText = { readonly text: TextParts; readonly tags: readonly TextTag[] }

const kinds = { 'tag-open': 'OPEN', 'tag-close': 'CLOSE', 'tag-empty': 'SINGLE' } as const

export const tagKindOf = (kind: string): TextTag['kind'] =>
  kinds[kind as keyof typeof kinds] ?? 'PLACEHOLDER'

function kindOf({ kind, pair }: CodePart): TextTag['kind'] {
  if (pair) return pair === 'open' ? 'OPEN' : 'CLOSE'
  return tagKindOf(kind)
}

export const codesOf = (parts: readonly Part[]): CodePart[] =>
  parts.filter((part) => part.type === 'code')

export function toWire(source: readonly Part[]): WireText {
  const codes = codesOf(source)
  const tags = codes.map((code, at): TextTag => {
    const other = code.pair
      ? codes.findIndex((one, index) => index !== at && one.id === code.id)
      : -1
    return {
      tag: at + 1,
      kind: kindOf(code),
      ...(other >= 0 && { pair: other + 1 }),
      shows: code.raw,
    }
  })
  let tag = 0
  return { text: source.map((part) => (part.type === 'text' ? part.text : { tag: ++tag })), tags }
}

/** Without their tags, all that is known of the tags in a text is their number. */
export const placeholdersIn = (text: TextParts): TextTag[] =>
  [...new Set(text.flatMap((part) => (typeof part === 'string' ? [] : [part.tag])))].map((tag) => ({
    tag,
    kind: 'PLACEHOLDER',
    shows: `{${tag}}`,
  }))

/** A text as it is written in a file: its parts, and what its codes are. */
export const wireOf = (written: string): WireText =>
  toWire(buildParts([{ text: written }], (text) => text))

/** A target that has the codes of its source, and perhaps others, which it spells as text. */
export function targetToWire(source: readonly Part[], target: readonly Part[]): TextParts {
  const free = codesOf(source).map(({ raw }, at) => ({ raw, tag: at + 1 }))
  return joined(
    target.map((part) => {
      if (part.type === 'text') return part.text
      const at = free.findIndex(({ raw }) => raw === part.raw)
      const [used] = at < 0 ? [] : free.splice(at, 1)
      return used ? { tag: used.tag } : part.raw
    }),
  )
}

/**
 * The parts of a text with these tags; how codes are numbered and what kind they are does not
 * matter for writing them.
 */
export function fromWire(tags: readonly TextTag[], text: TextParts): Part[] {
  return joined(text).map((piece) => {
    if (typeof piece === 'string') return { type: 'text', text: piece }
    return {
      type: 'code',
      kind: 'placeholder',
      raw: tags[piece.tag - 1]?.shows ?? '',
      id: piece.tag,
    }
  })
}

/** Removes empty strings and joins neighbouring strings. */
export function joined(text: TextParts): TextParts {
  const out: TextParts = []
  for (const piece of text) {
    const last = out.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') out[out.length - 1] = last + piece
    else if (piece !== '') out.push(piece)
  }
  return out
}
