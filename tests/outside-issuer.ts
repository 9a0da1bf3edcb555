/** A token issuer outside the hub, on loopback. A hub started with its `env` trusts it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Env } from './hub.ts'

export type OutsideIssuer = {
  readonly env: Env
  /**
   * A token for this client of this site; valid for an hour from `now`, which defaults to the
   * machine's time.
   */
  sign(siteId: string, clientId: string, scope: string, now?: number): Promise<string>
  close(): Promise<void>
}

export async function startIssuer(): Promise<OutsideIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }],
  })
  const server = createServer((_, answer) =>
    answer.setHeader('content-type', 'application/json').end(keys),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      DRAGOMAN_ISSUER: url,
      DRAGOMAN_ISSUER_JWKS: `${url}/jwks`,
      DRAGOMAN_ISSUER_AUDIENCE: 'hub',
    },
    sign: (site, client_id, scope, now = Date.now()) =>
      new SignJWT({ site, client_id, scope })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(url)
        .setAudience('hub')
        .setExpirationTime(Math.floor(now / 1_000) + 3_600)
        .sign(privateKey),
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
