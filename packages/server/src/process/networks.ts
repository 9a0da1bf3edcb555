/**
 * Networks such as 10.0.0.0/8, and whether an address belongs to one. Compares bytes, never
 * spellings.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Built once per list of networks: whether an address is in any of them. An invalid address is in
 * none.
 */
export function openNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return (text) => {
    const address = unmapped(text)
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    return (family === 'ipv4' || isIPv6(address)) && list.check(address, family)
  }
}

/** An IPv4-mapped IPv6 address (::ffff:0:0/96) is that IPv4 address to every system. */
export function unmapped(address: string): string {
  if (!isIPv6(address)) return address
  // The URL parser normalises every IPv6 address, with an embedded IPv4 in hex.
  const plain = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(plain) ?? []
  if (high === undefined || low === undefined) return plain
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex')
  return bytes.join('.')
}
