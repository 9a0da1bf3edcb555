/** Addresses at the upstream, without what is secret in them. Pure. */
import { createHash } from 'node:crypto'
import { isSecretName, removed } from '../../process/secret-names.ts'

export type Address = {
  /** Below the address of the upstream, without a query. */
  readonly path: string
  readonly query: string
  /** A short name for the signed address of a file, in place of path and query. */
  readonly transfer?: string
}

/** Long enough to tell two addresses apart; nobody finds the address from it. */
export const nameOfTransfer = ({ pathname, search }: URL): string =>
  createHash('sha256')
    .update(pathname + search)
    .digest('base64url')
    .slice(0, 16)

export function pathAt(base: string, address: string): Address {
  const [at, to] = [new URL(base), new URL(address)]
  const prefix = at.pathname.replace(/\/$/, '')
  const path = to.pathname.startsWith(prefix) ? to.pathname.slice(prefix.length) : to.pathname
  const isApi = at.origin === to.origin && /^\/(v2|connect)\//.test(path)
  return isApi
    ? { path, query: plainQuery(to.searchParams) }
    : { path, query: '', transfer: nameOfTransfer(to) }
}

/** Whether a call is about the job. Tokens, listeners and acknowledgements are the provider's. */
export function isJobCall(base: string, address: string): boolean {
  const { path, transfer } = pathAt(base, address)
  return transfer !== undefined || /^\/v2\/jobs(\/|$)/.test(path)
}

function plainQuery(given: URLSearchParams): string {
  const kept = [...given].map(
    ([name, value]) => [name, isSecretName(name) ? removed : value] as [string, string],
  )
  const text = new URLSearchParams(kept).toString()
  return text === '' ? '' : `?${text}`
}
