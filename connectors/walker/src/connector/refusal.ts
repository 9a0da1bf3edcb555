/** Why a call is refused, as a sentence for an editor, with the status of HTTP. */

export type Refusal = Error & { readonly status: number }

export const refusal = (status: number, sentence: string): Refusal =>
  Object.assign(new Error(sentence), { name: 'Refusal', status })

export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && error.name === 'Refusal'

const statusOf = (error: unknown): number =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : -1

/** Whether the same call may succeed later: no answer, too many calls, a fault of the server. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return status === 0 || status === 429 || status >= 500 || code === 'QUOTA_EXCEEDED'
}

/** What an editor is told about a failure of the hub or of the system. */
export function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  const status = statusOf(error)
  if (status === 401)
    return 'The hub refuses the credentials of this system. Ask an administrator to check them.'
  if (status === 0) return `The hub cannot be reached at the moment. ${said}`
  return /[.!?]$/.test(said) ? said : `${said}.`
}
