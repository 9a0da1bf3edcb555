/**
 * What may be bound to a statement: text, numbers, bytes and null, which both databases handle alike.
 * A boolean, Date or object is a mistake of the caller: SQLite would treat some as named parameters
 * and bind null.
 */
export type Bindable = string | number | bigint | null | Uint8Array

export function mustBind(
  parameters: readonly unknown[],
  sql: string,
): asserts parameters is readonly Bindable[] {
  for (let index = 0; index < parameters.length; index++) {
    const value = parameters[index]
    const kind = typeof value
    // PostgreSQL refuses U+0000; SQLite's drivers truncate the text there.
    if (kind === 'string' && !(value as string).includes('\0')) continue
    if (value === null || kind === 'bigint' || value instanceof Uint8Array) continue
    if (kind === 'number' && Number.isFinite(value)) continue
    throw new TypeError(
      `Parameter ${index + 1} (${kind === 'string' ? 'text with U+0000' : kind}) cannot be bound to: ${sql.slice(0, 200)}`,
    )
  }
}
