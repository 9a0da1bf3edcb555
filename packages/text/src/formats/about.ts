/**
 * What a file says about a text besides the text: notes for the translator, and how long a
 * translation may be.
 */
import type { MaxLength } from '@dragoman/contract/wire'

export type About = { readonly notes?: readonly string[]; readonly maxLength?: MaxLength }

/** One text may have this many notes and characters. */
const most = { notes: 20, characters: 2_000 } as const

export function aboutOf(notes: readonly (string | undefined)[], maxLength?: MaxLength): About {
  const said = notes.flatMap((note) =>
    note === undefined || note.trim() === '' ? [] : [bounded(note.trim())],
  )
  return {
    ...(said.length > 0 && { notes: said.slice(0, most.notes) }),
    ...(maxLength && { maxLength }),
  }
}

const bounded = (note: string): string =>
  note.length > most.characters ? `${note.slice(0, most.characters - 1)}…`.toWellFormed() : note

/** Undefined unless it is a whole number that a text can have. */
export function lengthOf(
  said: string | undefined,
  unit: MaxLength['unit'] = 'CHARACTERS',
): MaxLength | undefined {
  return said !== undefined && /^[1-9]\d{0,6}$/.test(said.trim())
    ? { count: Number(said), unit }
    : undefined
}

/**
 * The limit that the metadata of a request sets (`maxLength`): a number of characters or `{count,
 * unit}`, for all its texts or, as an object, for the texts of single keys.
 */
export function limitFor(said: unknown, key: string): MaxLength | undefined {
  if (typeof said === 'number') return lengthOf(String(said))
  if (typeof said !== 'object' || said === null) return undefined
  const { count, unit } = said as { readonly count?: unknown; readonly unit?: unknown }
  if (typeof count === 'number')
    return lengthOf(String(count), unit === 'BYTES' ? 'BYTES' : 'CHARACTERS')
  const own = Object.hasOwn(said, key)
    ? (said as Readonly<Record<string, unknown>>)[key]
    : undefined
  return typeof own === 'object' && own !== null && !('count' in own)
    ? undefined
    : limitFor(own, '')
}

/** `maxLength` of metadata, as its row has it. */
export const limitIn = (metadata: string | null): unknown =>
  metadata?.includes('"maxLength"')
    ? (JSON.parse(metadata) as { readonly maxLength?: unknown }).maxLength
    : undefined
