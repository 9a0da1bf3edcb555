/** A term as a reader of lists finds it, and why a list is refused. */
import { HubError, limits, type NewTerm, type TermStatus } from '@dragoman/contract/wire'

/**
 * Called between entries of a long list: a promise to wait for, so that a caller can let others in.
 */
export type Pause = () => Promise<void> | undefined
export const noPause: Pause = () => undefined

export type ListedTerm = NewTerm & {
  /** The line where it begins. */
  readonly line: number
  /** The id of a term of the site, if the list comes from there. */
  readonly termId?: string
}

export function refuseList(sentence: string, line?: number): never {
  if (line === undefined) throw new HubError('TERM_LIST_INVALID', { because: sentence })
  const path = `line ${line}`
  throw new HubError(
    'TERM_LIST_INVALID',
    { because: `${path}: ${sentence}` },
    { details: [{ path, message: sentence }] },
  )
}

/** Before the rest of a term is read: it may have half a million entries. */
export function mustFitEntries(count: number, line: number): void {
  if (count > limits.termEntries)
    refuseList(
      `the term is not valid: it has more than ${limits.termEntries} entries, which is the most that is allowed.`,
      line,
    )
}

const statuses: Readonly<Record<string, TermStatus>> = {
  '': 'PREFERRED',
  preferred: 'PREFERRED',
  standardized: 'PREFERRED',
  legal: 'PREFERRED',
  regulated: 'PREFERRED',
  allowed: 'ALLOWED',
  admitted: 'ALLOWED',
  forbidden: 'FORBIDDEN',
  deprecated: 'FORBIDDEN',
  superseded: 'FORBIDDEN',
  obsolete: 'FORBIDDEN',
  notrecommended: 'FORBIDDEN',
}

/** Ours, or that of TBX, such as `preferredTerm-admn-sts`. */
export function statusIn(given: string, line: number): TermStatus {
  const word = given
    .trim()
    .toLowerCase()
    .replace(/-admn-sts$/, '')
    .replace(/term$/, '')
    .replace(/[\s_-]+/g, '')
  const status = Object.hasOwn(statuses, word) ? statuses[word] : undefined
  return (
    status ??
    refuseList(`"${given.slice(0, 50)}" is no status; use PREFERRED, ALLOWED or FORBIDDEN.`, line)
  )
}
