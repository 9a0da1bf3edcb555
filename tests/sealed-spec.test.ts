/**
 * What the specification says of files, packages and the round, for a hub that seals: the round on
 * the disk, the others in object storage. For all of the specification: `DRAGOMAN_TEST_SEALED=on
 * npx vitest run tests/spec`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startObjectStore } from './object-store.ts'

// Read when a hub is started, and before the specification is loaded.
process.env.DRAGOMAN_TEST_SEALED = 'on'

describe('sealed on the disk', async () => {
  await import('./spec/round.test.ts')
})

const store = await startObjectStore()
if (!store)
  it('sealed in object storage', ({ skip }) =>
    skip('the programs of the object store are not installed'))
else
  describe('sealed in object storage', async () => {
    beforeAll(() => {
      Object.assign(process.env, store.env, { DRAGOMAN_TEST_BLOBS: store.url() })
    })
    afterAll(() => store.stop())
    await import('./spec/files.test.ts')
    await import('./spec/packages.test.ts')

    it('a download leads to the hub, for the store has only sealed bytes; of what is open it leads to the store', async () => {
      const { startHub } = await import('./hub.ts')
      const { openConnector } = await import('./sealed-place.ts')
      const hub = await startHub()
      try {
        const leadsTo = async () => {
          const connector = await openConnector(hub)
          const fileId = await connector.sendWhole('a.bin', Buffer.from('some bytes'))
          const link = await connector.link(connector.jobId, fileId)
          expect((await connector.read(link)).bytes.toString()).toBe('some bytes')
          return new URL(link).origin
        }
        expect(await leadsTo()).toBe(hub.url)
        await hub.restart({ DRAGOMAN_SEAL_CONTENT: 'off' })
        expect(await leadsTo()).toBe(store.endpoint)
      } finally {
        await hub.close()
      }
    })
  })
