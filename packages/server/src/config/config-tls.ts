/** The keys of the hub's own TLS: files that must match. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ConfigKey, configKeys } from './config-keys.ts'
import { ConfigError } from './config-sources.ts'

export type Tls = {
  /** Both texts are PEM. */
  readonly cert: string
  readonly key: string
  /** Whether the hub requests client certificates. */
  readonly clientCerts: boolean
}

/** Both or neither. */
export function together<A, B>(
  ...pair: [[ConfigKey, A | undefined], [ConfigKey, B | undefined]]
): [A, B] | [] {
  const [[first, a], [second, b]] = pair
  if (a !== undefined && b !== undefined) return [a, b]
  if (a === undefined && b === undefined) return []
  const [missing, there] = a === undefined ? [first, second] : [second, first]
  throw new ConfigError(`${missing} is missing: ${there} requires it.`)
}

export function readTls(given: ReadonlyMap<string, string>): Tls | undefined {
  const [certPath, keyPath] = together(
    ['DRAGOMAN_TLS_CERT', given.get('DRAGOMAN_TLS_CERT')],
    ['DRAGOMAN_TLS_KEY', given.get('DRAGOMAN_TLS_KEY')],
  )
  const asks = given.get('DRAGOMAN_TLS_CLIENT_CERTS')
  if (asks !== undefined && asks !== 'on' && asks !== 'off')
    throw new ConfigError(
      `DRAGOMAN_TLS_CLIENT_CERTS is ${JSON.stringify(asks.slice(0, 200))}; it must be on or off.`,
    )
  if (certPath === undefined || keyPath === undefined) {
    if (asks === 'on')
      throw new ConfigError('DRAGOMAN_TLS_CERT is missing: DRAGOMAN_TLS_CLIENT_CERTS requires it.')
    return undefined
  }
  const read = <T>(key: ConfigKey, path: string, reads: (pem: string) => T): [string, T] => {
    try {
      const pem = readFileSync(path, 'utf8')
      return [pem, reads(pem)]
    } catch {
      throw new ConfigError(
        `${key} is ${JSON.stringify(path)}; it must be ${configKeys[key].wants}.`,
      )
    }
  }
  const [cert, certificate] = read('DRAGOMAN_TLS_CERT', certPath, (pem) => new X509Certificate(pem))
  const [key, privateKey] = read('DRAGOMAN_TLS_KEY', keyPath, (pem) => createPrivateKey(pem))
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(
      'DRAGOMAN_TLS_KEY is not the private key of the certificate in DRAGOMAN_TLS_CERT.',
    )
  return { cert, key, clientCerts: asks === 'on' }
}
