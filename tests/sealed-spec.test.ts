/** What the specification says of files and of the round holds for a hub that seals, on disk and in object storage. */
import { afterAll } from 'vitest'
import { startObjectStore } from './object-store.ts'

process.env.DRAGOMAN_TEST_SEALED = 'on'
process.env.ENGINES = 'sqlite'
await import('./spec/round.test.ts')
const store = await startObjectStore()
if (store) {
  Object.assign(process.env, store.env, { DRAGOMAN_TEST_BLOBS: store.url() })
  afterAll(() => store.stop())
}
await import('./spec/files.test.ts')
