/**
 * Parses pasted keys and values: a JSON object, or one pair per line, separated by a tab, "=" or
 * ":".
 */
export type KeyedField = { readonly key: string; readonly value: string }
export type Pairs = {
  readonly pairs: readonly KeyedField[]
  readonly fault?: { readonly line: number; readonly why: Fault }
}
export type Fault = 'json' | 'separator' | 'key' | 'twice'

export function readPairs(text: string): Pairs {
  const trimmed = text.trim()
  if (!trimmed) return { pairs: [] }
  return trimmed.startsWith('{') ? readJson(trimmed) : readLines(text)
}

function readJson(text: string): Pairs {
  try {
    const pairs: KeyedField[] = []
    collect(JSON.parse(text), '', pairs)
    return { pairs }
  } catch {
    return { pairs: [], fault: { line: 1, why: 'json' } }
  }
}

/** Nested names are joined with dots. */
function collect(value: unknown, key: string, pairs: KeyedField[]): void {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      collect(inner, key ? `${key}.${name}` : name, pairs)
  else if (key) pairs.push({ key, value: value === null ? '' : String(value) })
}

function readLines(text: string): Pairs {
  const pairs: KeyedField[] = []
  const seen = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    const whole = line.trim()
    if (!whole || whole.startsWith('#')) continue
    const at = separatorIn(whole)
    if (at < 0) return { pairs, fault: { line: index + 1, why: 'separator' } }
    const key = whole.slice(0, at).trim()
    if (!key) return { pairs, fault: { line: index + 1, why: 'key' } }
    if (seen.has(key)) return { pairs, fault: { line: index + 1, why: 'twice' } }
    seen.add(key)
    pairs.push({ key, value: whole.slice(at + 1).trim() })
  }
  return { pairs }
}

/** A tab takes precedence; otherwise the first "=" or ":" separates. */
function separatorIn(line: string): number {
  const tab = line.indexOf('\t')
  if (tab >= 0) return tab
  const signs = [line.indexOf('='), line.indexOf(':')].filter((at) => at >= 0)
  return signs.length === 0 ? -1 : Math.min(...signs)
}
