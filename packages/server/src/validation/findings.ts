/**
 * What a check of a body or query found, each with its path; no more are collected than are
 * reported.
 */
export type Finding = {
  path: string
  readonly message: string
  /** The text that is not a language code, or null. */
  readonly language?: string | null
  /** The allowed bytes, if there are more. */
  readonly maxBytes?: number
}
export type Findings = { readonly list: Finding[]; readonly most: number }

export const openFindings = (most: number): Findings => ({ list: [], most })

export const isFull = ({ list, most }: Findings): boolean => list.length >= most

export function tell(
  findings: Findings,
  message: string,
  more: Partial<Omit<Finding, 'message'>> = {},
): void {
  if (!isFull(findings)) findings.list.push({ path: '', message, ...more })
}

/**
 * Prefixes the findings after the first `before` with `step`: a path is built only if something is
 * wrong.
 */
export function placeInside(findings: Findings, before: number, step: string): void {
  for (const finding of findings.list.slice(before))
    finding.path = join(step.slice(0, longestStep), finding.path)
}
/** A caller's own names may have any length. */
const longestStep = 250

const join = (path: string, inner: string): string =>
  inner === '' || inner.startsWith('[') ? path + inner : `${path}.${inner}`
