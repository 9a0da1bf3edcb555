/**
 * Which addresses the hub may call (contract, section 7): public ones, and the networks that the operator allows. Judges
 * bytes, never spellings: whoever has a text gives it to the URL parser or to the resolver first.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Says why an address must not be called; undefined where it may. */
export type Judge = (address: string) => string | undefined

const closedIPv4 = [
  ['0.0.0.0/8', 'stands for this machine'],
  ['10.0.0.0/8', 'is private'],
  ['100.64.0.0/10', 'is private to a carrier'],
  ['127.0.0.0/8', 'is loopback'],
  ['169.254.0.0/16', 'is link-local, where clouds keep their metadata'],
  ['172.16.0.0/12', 'is private'],
  ['192.0.0.0/24', 'is reserved'],
  ['192.88.99.0/24', 'leads into a tunnel'],
  ['192.168.0.0/16', 'is private'],
  ['198.18.0.0/15', 'is reserved for tests of networks'],
  ['224.0.0.0/4', 'is multicast'],
  ['240.0.0.0/4', 'is reserved'],
  ['168.63.129.16/32', "is a cloud's metadata address"],
] as const

/** Of IPv6 only global unicast is open; the rest is loopback, private, link-local, multicast, mapped, translated or free. */
const openIPv6 = '2000::/3'
const closedIPv6 = [
  ['2001::/23', 'is reserved, with a tunnel among it'],
  ['2002::/16', 'leads into a tunnel'],
] as const

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

const openList = listOf([openIPv6])
const closed = [...closedIPv4, ...closedIPv6].map(([network, why]) => ({ list: listOf([network]), why }))

export function openJudge(allowed: readonly string[]): Judge {
  const allow = listOf(allowed)
  return (text) => {
    const address = unmapped(text)
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (family === 'ipv6' && !isIPv6(address)) return 'is not an address'
    if (allow.check(address, family)) return undefined
    const found = closed.find(({ list }) => list.check(address, family))
    if (found) return found.why
    return family === 'ipv4' || openList.check(address, family) ? undefined : 'is not a public address'
  }
}

/** An IPv4 address in the clothes of IPv6 (::ffff:0:0/96) is that IPv4 address to every system. */
function unmapped(address: string): string {
  if (!isIPv6(address)) return address
  // The URL parser writes every IPv6 address in one way, an embedded IPv4 in hex.
  const plain = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(plain) ?? []
  if (high === undefined || low === undefined) return plain
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex')
  return bytes.join('.')
}
