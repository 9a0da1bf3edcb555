/** Answers as they are sent: with the aliases that their schema names, and as ready bytes where they are sent often. */
import type { TSchema } from 'typebox'

/** An item as the JSON bytes that are sent. */
export class JsonBytes {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** Makes a function that adds to an answer the aliases its schema names (contract, section 3, Names). */
export function aliasesFor(schema: TSchema): <T>(item: T) => T {
  const aliases = Object.entries((schema as { aliases?: Record<string, string> }).aliases ?? {})
  return (item) => {
    const fields = item as Record<string, unknown>
    for (const [other, ours] of aliases) if (fields[ours] !== undefined) fields[other] = fields[ours]
    return item
  }
}
