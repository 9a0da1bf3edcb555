/**
 * Responses as they are sent: with the aliases of their schema, and as ready-made bytes if they are
 * sent often.
 */
import type { TSchema } from 'typebox'

/** An item as the JSON bytes on the wire. */
export class JsonBytes {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/**
 * Makes a function that adds the aliases of the schema to a response (contract, section 3, Names).
 */
export function aliasesFor(schema: TSchema): <T>(item: T) => T {
  const aliases = Object.entries((schema as { aliases?: Record<string, string> }).aliases ?? {})
  return (item) => {
    const fields = item as Record<string, unknown>
    for (const [other, ours] of aliases)
      if (fields[ours] !== undefined) fields[other] = fields[ours]
    return item
  }
}
