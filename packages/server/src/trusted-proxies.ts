/** Which addresses DRAGOMAN_TRUST_PROXY names. The framework reads the same value for the forwarded headers. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

export function trustedProxies(trusted: boolean | string): (address: string) => boolean {
  if (typeof trusted === 'boolean') return () => trusted
  const list = new BlockList()
  for (const part of trusted.split(','))
    for (const network of named[part] ?? [part]) {
      const [address = '', bits] = network.split('/')
      const family = isIPv4(address) ? 'ipv4' : 'ipv6'
      list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
    }
  return (text) => {
    const address = text.replace(/^::ffff:(?=\d{1,3}\.)/i, '').split('%', 1)[0] ?? ''
    if (isIPv4(address)) return list.check(address, 'ipv4')
    return isIPv6(address) && list.check(address, 'ipv6')
  }
}
