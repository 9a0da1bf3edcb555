/** What a form sends of what was typed, and where it shows what is wrong. */
import type { FieldKind } from '../../form-table.ts'

export type Value = string | boolean | readonly string[]
export type Draft = Readonly<Record<string, Value>>

/** The fault of a field, or the first one of something inside it. */
export const faultAt = (faults: ReadonlyMap<string, string>, name: string): string | undefined =>
  faults.get(name) ??
  [...faults].find(([path]) => path.startsWith(`${name}[`) || path.startsWith(`${name}.`))?.[1]

/** Optional fields that are empty are left out. A field with a path is inside an object. */
export function bodyOf(fields: Readonly<Record<string, string>>, values: Draft): object {
  const body: Record<string, unknown> = {}
  for (const [path, row] of Object.entries(fields)) {
    const value = values[path]
    if (value === undefined) continue
    const kind = row.replace('!', '') as FieldKind
    const sent = sentAs(kind, value)
    if (sent === '' && kind === row) continue
    const [name = '', below] = path.split('.')
    body[name] = below ? { ...(body[name] as object), [below]: sent } : sent
  }
  return body
}

function sentAs(kind: FieldKind, value: Value): unknown {
  if (typeof value !== 'string') return value
  if (kind === 'list') return value.split(/[\s,]+/).filter(Boolean)
  return kind === 'number' ? numberOr(value) : value.trim()
}

/** Text that is not a number stays text, so that the hub says what is wrong with it. */
export const numberOr = (text: string): number =>
  /^\d+$/.test(text.trim()) ? Number(text) : (text.trim() as unknown as number)
