import { afterEach, describe, expect, it } from 'vitest'
import { enrolClient } from '../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from './hub.ts'

describe.each(databases)('a new site of the sandbox on %s', (database) => {
  let hub: TestHub | undefined
  afterEach(() => hub?.close())

  it('has the providers Pseudo and Manual, always in this order', async () => {
    hub = await startHub({ database })
    for (let at = 0; at < 8; at += 1) {
      const clientId = `client-${at}`
      const { secret } = await enrolClient(hub.inner, {
        clientId,
        siteId: `site-${at}`,
        scopes: ['content'],
      })
      hub.secrets.set(clientId, secret)
      const { body } = await hub.call<{ providers: { name: string }[] }>('GET', '/v2/providers', {
        as: clientId,
      })
      expect(body.providers.map(({ name }) => name)).toEqual(['Pseudo', 'Manual'])
    }
  })
})
