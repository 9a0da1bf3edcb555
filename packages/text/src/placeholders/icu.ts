/**
 * Splits a plural, selectordinal or select of an ICU message into its structure and the texts of
 * its branches. A malformed one is not a message; one without `other` is a message, but stays
 * whole.
 */
import { type Braces, icuBounds, openBraces } from './braces.ts'

export type IcuPiece = { readonly raw: string } | { readonly leaf: string }
export type IcuMessage = {
  readonly pieces: readonly IcuPiece[]
  readonly end: number
  readonly counts: boolean
}

const head =
  /\{\s{0,8}[\w.$-]{1,64}\s{0,8},\s{0,8}(plural|selectordinal|select)\s{0,8},(?:\s{0,64}offset:\s{0,4}\d{1,4}(?=\s))?/y
const branch = /\s{0,256}(=\d{1,9}|[\w-]{1,64})\s{0,64}\{/y
const ending = /\s{0,256}\}/y

/**
 * Returns the message that starts at a position, if there is one. Call it with ascending positions.
 */
export function openIcu(text: string): (at: number) => IcuMessage | undefined {
  // Apostrophes quote braces in ICU. A text that does not follow this ("l'{name}") is read again
  // without quoting.
  const [quoting, plain] = [openBraces(text, true), openBraces(text, false)]
  return (at) => readMessage(text, at, quoting) ?? readMessage(text, at, plain)
}

function readMessage(text: string, at: number, braces: Braces): IcuMessage | undefined {
  const opening = matchAt(head, text, at)
  if (!opening) return undefined
  const pieces: IcuPiece[] = []
  const keys = new Set<string>()
  let structureFrom = at
  let position = at + opening[0].length
  for (let next = matchAt(branch, text, position); next; next = matchAt(branch, text, position)) {
    const leafFrom = position + next[0].length
    const leafTo = braces.closing(leafFrom, at + icuBounds.length)
    if (leafTo === undefined) return undefined
    keys.add(next[1] ?? '')
    pieces.push(
      { raw: text.slice(structureFrom, leafFrom) },
      { leaf: text.slice(leafFrom, leafTo) },
    )
    structureFrom = leafTo
    position = leafTo + 1
  }
  const last = matchAt(ending, text, position)
  if (!last || keys.size === 0) return undefined
  const end = position + last[0].length
  pieces.push({ raw: text.slice(structureFrom, end) })
  const counts = opening[1] !== 'select'
  return keys.has('other')
    ? { pieces, end, counts }
    : { pieces: [{ raw: text.slice(at, end) }], end, counts }
}

/** All calls share the patterns, also nested ones, so each sets lastIndex. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
