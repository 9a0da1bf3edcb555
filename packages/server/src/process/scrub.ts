/**
 * Removes what nobody may read later: passwords, tokens, signatures, keys. Used for every log line
 * and every stored body. It looks at member names and at the shape of texts, and removes too much
 * rather than too little.
 */
import { isSecretName, removed } from './secret-names.ts'
import { sourceLines } from './source-lines.ts'

// Every repetition is bounded or cannot overlap with what follows it: the time stays linear.
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [
    /((?:^|[?&;,\s"'])(?:[\w-]{0,40}(?:secret|token|signature|password|credential)|sig)=)[^&\s"'#]*/gi,
    `$1${removed}`,
  ],
  [
    /("[\w-]{0,40}(?:secret|token|signature|password|credential)"\s{0,5}:\s{0,5}")(?:[^"\\]|\\.)*/gi,
    `$1${removed}`,
  ],
  [/\b(Bearer|Basic)\s{1,5}[\w.~+/=-]+/gi, `$1 ${removed}`],
  [/(?<![\w.-])eyJ[\w.-]{17,}/g, removed],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/[^/\s:@"']{0,200}:)[^@/\s"']{1,500}@/gi, `$1${removed}@`],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    removed,
  ],
]

/** Every pattern above needs one of these: most texts of a log line have none. */
const mayHide = /[="]|:\/\/|eyJ|-----BEGIN|bearer|basic/i

export function scrubText(text: string): string {
  if (!mayHide.test(text)) return text
  let clean = text
  for (const [pattern, instead] of secretTexts) clean = clean.replace(pattern, instead)
  return clean
}

/** A copy of a value that is safe to keep; errors become records, deep nesting is cut. */
export function scrub(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 8) return '[too deep]'
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Error) return scrubError(value, depth)
  if (Array.isArray(value)) return value.map((part) => scrub(part, depth + 1))
  if (value instanceof Date || value instanceof URL) return scrubText(String(value))
  const clean: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    const isSecret = part !== undefined && part !== null && isSecretName(name)
    const safe = isSecret ? removed : scrub(part, depth + 1)
    if (name === '__proto__')
      Object.defineProperty(clean, name, {
        value: safe,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else clean[name] = safe
  }
  return clean
}

function scrubError(error: Error, depth: number): Record<string, unknown> {
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: error.name,
    message: scrubText(error.message),
    stack: scrubText(sourceLines(error.stack ?? '')),
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && { cause: scrub(cause, depth + 1) }),
  }
}
