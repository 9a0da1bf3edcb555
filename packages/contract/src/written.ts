/** Answers as they are sent: with the second spellings that their schema names, written out once where they are sent often. */
import type { TSchema } from 'typebox'

/** An item that is JSON already, in the bytes that are sent. */
export class Written {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** Adds the second spellings that the answer's schema names (contract, section 3, Names). */
export function speller(schema: TSchema): <T>(item: T) => T {
  const aliases = Object.entries((schema as { aliases?: Record<string, string> }).aliases ?? {})
  return (item) => {
    const fields = item as Record<string, unknown>
    for (const [other, ours] of aliases) if (fields[ours] !== undefined) fields[other] = fields[ours]
    return item
  }
}
