/** What a check of a body or a query found, each with its place; no more are gathered than will be told. */
export type Finding = {
  path: string
  readonly message: string
  /** The text that is no language code, or a null in its place. */
  readonly language?: string | null
  /** The bytes that are allowed where there are more. */
  readonly mostBytes?: number
}
export type Findings = { readonly list: Finding[]; readonly most: number }

export const openFindings = (most: number): Findings => ({ list: [], most })

export const isFull = ({ list, most }: Findings): boolean => list.length >= most

export function tell(findings: Findings, message: string, more: Partial<Omit<Finding, 'message'>> = {}): void {
  if (!isFull(findings)) findings.list.push({ path: '', message, ...more })
}

/** What was found since there were `before` stands inside `step`: a path is put together only where something is wrong. */
export function placeInside(findings: Findings, before: number, step: string): void {
  for (const finding of findings.list.slice(before)) finding.path = join(step.slice(0, longestStep), finding.path)
}
/** Names of the caller's own may be of any length. */
const longestStep = 250

const join = (path: string, inner: string): string =>
  inner === '' || inner.startsWith('[') ? path + inner : `${path}.${inner}`
