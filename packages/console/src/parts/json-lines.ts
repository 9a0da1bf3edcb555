/**
 * A JSON text as lines, each with the path of its value, so that a message about a path can be
 * shown beside its line.
 */
type JsonLine = {
  readonly depth: number
  readonly text: string
  /** The path of the value that begins on this line; undefined for a closing bracket. */
  readonly path: readonly string[] | undefined
}
export type Detail = { readonly path: string; readonly message: string }

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** For display; what is copied is what was sent. */
export const readable = (body: string): string =>
  isJson(body) ? JSON.stringify(JSON.parse(body), null, 2) : body

/** Undefined if it is not JSON: cut off, or another format. */
export function linesOf(text: string): JsonLine[] | undefined {
  try {
    const lines: JsonLine[] = []
    addLines(lines, JSON.parse(text), [], { before: '', after: '' })
    return lines
  } catch {
    return undefined
  }
}

type Around = { readonly before: string; readonly after: string }

function addLines(
  lines: JsonLine[],
  value: unknown,
  path: readonly string[],
  { before, after }: Around,
): void {
  const depth = path.length
  if (typeof value !== 'object' || value === null) {
    lines.push({ depth, text: before + JSON.stringify(value) + after, path })
    return
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const [open, close] = isList ? '[]' : '{}'
  if (entries.length === 0) {
    lines.push({ depth, text: `${before}${open}${close}${after}`, path })
    return
  }
  lines.push({ depth, text: `${before}${open}`, path })
  for (const [at, [name, inner]] of entries.entries())
    addLines(lines, inner, [...path, name], {
      before: isList ? '' : `${JSON.stringify(name)}: `,
      after: at < entries.length - 1 ? ',' : '',
    })
  lines.push({ depth, text: `${close}${after}`, path: undefined })
}

/** `requests[0].name` and `/requests/0/name` are the same path. */
export function stepsOf(path: string): string[] {
  if (path.startsWith('/')) return path.slice(1).split('/')
  return path
    .replaceAll('[', '.')
    .replaceAll(']', '')
    .split('.')
    .filter((step) => step !== '')
}

/**
 * The messages by line number. A message about a missing field is shown at the object that lacks
 * it.
 */
export function messagesByLine(
  lines: readonly JsonLine[],
  details: readonly Detail[],
): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const { path, message } of details) {
    const steps = stepsOf(path)
    for (let length = steps.length; length >= 0; length -= 1) {
      const at = lines.findIndex((line) => line.path && isSame(line.path, steps.slice(0, length)))
      if (at < 0) continue
      const rest = steps.slice(length).join('.')
      found.set(at, [...(found.get(at) ?? []), rest ? `${rest} ${message}` : message])
      break
    }
  }
  return found
}

/** Field names are compared ignoring case. */
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((step, at) => step.toLowerCase() === b[at]?.toLowerCase())
