/**
 * Checks content before it is walked, and copies it: at most 256 levels and 64 MiB, no cycles, no
 * member named `__proto__`. A value that two places share counts twice.
 */
import { isPlainObject, walkerError } from './schema.ts'

export const bounds = { levels: 256, texts: 100_000, bytes: 64 * 1024 ** 2 } as const

/** A copy of plain objects and lists; other values, such as dates, are the same ones. */
export function copyOf(value: unknown): unknown {
  const open = new Set<object>()
  let bytes = 0
  const count = (more: number) => {
    bytes += more
    if (bytes > bounds.bytes)
      throw walkerError('TOO_LARGE', 'The content is larger than 64 MiB; send it in parts.')
  }
  const copy = (one: unknown, level: number): unknown => {
    if (typeof one === 'string') {
      count(Buffer.byteLength(one) + 2)
      return one
    }
    count(4)
    const isList = Array.isArray(one)
    if (!isList && !isPlainObject(one)) return one
    if (level >= bounds.levels)
      throw walkerError('TOO_DEEP', `The content has more than ${bounds.levels} levels.`)
    if (open.has(one))
      throw walkerError('CYCLE', 'The content contains itself; read it without its relations.')
    open.add(one)
    const made = isList
      ? one.map((inner) => copy(inner, level + 1))
      : copyMembers(one, (inner) => copy(inner, level + 1), count)
    open.delete(one)
    return made
  }
  return copy(value, 0)
}

function copyMembers(
  value: Readonly<Record<string, unknown>>,
  copy: (inner: unknown) => unknown,
  count: (bytes: number) => void,
): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__')
      throw walkerError('PROTO', 'The content has a member named __proto__, which is not allowed.')
    count(Buffer.byteLength(name) + 3)
    made[name] = copy(inner)
  }
  return made
}
