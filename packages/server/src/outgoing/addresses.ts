/**
 * Which addresses the hub may call (contract, section 7): public ones, and networks the operator
 * allows. It judges parsed addresses only; the URL parser or the resolver must have normalized them
 * first.
 */
import { isIP } from 'node:net'
import { openNetworks, unmapped } from '../process/networks.ts'

/** Returns why an address must not be called, or undefined if it may. */
export type Judge = (address: string) => string | undefined

const closedIPv4 = [
  ['0.0.0.0/8', 'means this machine'],
  ['10.0.0.0/8', 'is private'],
  ['100.64.0.0/10', 'is private to a carrier network'],
  ['127.0.0.0/8', 'is loopback'],
  ['169.254.0.0/16', 'is link-local, which includes cloud metadata services'],
  ['172.16.0.0/12', 'is private'],
  ['192.0.0.0/24', 'is reserved'],
  ['192.88.99.0/24', 'leads into a tunnel'],
  ['192.168.0.0/16', 'is private'],
  ['198.18.0.0/15', 'is reserved for network tests'],
  ['224.0.0.0/4', 'is multicast'],
  ['240.0.0.0/4', 'is reserved'],
  ['168.63.129.16/32', "is a cloud's metadata address"],
] as const

/**
 * Of IPv6, only global unicast is allowed; the rest is loopback, private, link-local, multicast,
 * mapped, translated or unassigned.
 */
const openIPv6 = '2000::/3'
const closedIPv6 = [
  ['2001::/23', 'is reserved and includes a tunnel'],
  ['2002::/16', 'leads into a tunnel'],
] as const

const isOpen = openNetworks([openIPv6])
const closed = [...closedIPv4, ...closedIPv6].map(([network, why]) => ({
  isIn: openNetworks([network]),
  why,
}))

export function openJudge(allowed: readonly string[]): Judge {
  const isAllowed = openNetworks(allowed)
  return (text) => {
    const address = unmapped(text)
    if (isIP(address) === 0) return 'is not an address'
    if (isAllowed(address)) return undefined
    const found = closed.find(({ isIn }) => isIn(address))
    if (found) return found.why
    return isIP(address) === 4 || isOpen(address) ? undefined : 'is not a public address'
  }
}
