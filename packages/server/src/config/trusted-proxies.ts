/**
 * Whether DRAGOMAN_TRUST_PROXY covers an address. The framework reads the same value for the
 * forwarded headers.
 */

import { openNetworks } from '../process/networks.ts'
import { network } from './config-values.ts'

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

export function trustedProxies(trusted: boolean | string): (address: string) => boolean {
  if (typeof trusted === 'boolean') return () => trusted
  return openNetworks(trusted.split(',').flatMap((part) => named[part] ?? network(part) ?? []))
}
