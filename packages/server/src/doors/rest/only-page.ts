/** Lists that are always one page: they give no cursor, so that any is wrong. */
import { HubError } from '@dragoman/contract'

export function onlyPage<T>({ navNext }: { readonly navNext?: string | undefined }, found: T): T {
  if (navNext) throw new HubError('INVALID_CURSOR', { because: 'this list is always one page.' })
  return found
}
