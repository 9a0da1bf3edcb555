/**
 * Real certificates for tests, made by openssl: for a server on loopback, or for a client. Without
 * it, those tests are skipped.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Certificate = {
  readonly certPath: string
  readonly keyPath: string
  readonly cert: string
  readonly key: string
}

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0
export const noOpenssl = 'openssl is not installed'

const kinds = { ec: 'ec -pkeyopt ec_paramgen_curve:prime256v1', rsa: 'rsa:2048' }

export function makeCertificate(
  folder: string,
  name: string,
  kind: keyof typeof kinds = 'ec',
  days = 2,
): Certificate {
  const [certPath, keyPath] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  const make = `req -x509 -newkey ${kinds[kind]} -nodes -days ${days} -subj /CN=${name}`
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  execFileSync('openssl', [...make.split(' '), ...names, '-keyout', keyPath, '-out', certPath], {
    stdio: 'ignore',
  })
  return {
    certPath,
    keyPath,
    cert: readFileSync(certPath, 'utf8'),
    key: readFileSync(keyPath, 'utf8'),
  }
}
