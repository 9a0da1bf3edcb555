/**
 * For the top of a test file: an object store with its credentials in the environment, and
 * `inBucket`, which defines the tests that need it: not in the gate, which installs none. Without a
 * store they are skipped, except under CI.
 */
import { afterAll, it } from 'vitest'
import { isGate } from './draws.ts'
import { type ObjectStore, objectStorePackages, startObjectStore } from './object-store.ts'

export async function withBucket(): Promise<{
  inBucket: (tests: (store: ObjectStore) => void) => void
}> {
  if (isGate) return { inBucket: () => {} }
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'
  const store = await startObjectStore()
  const why = `no object store was found (Debian: ${objectStorePackages})`
  if (!store && process.env.CI === 'true')
    throw new Error(`Under CI the tests of object storage must run: ${why}`)
  Object.assign(process.env, store?.env)
  afterAll(() => store?.stop())
  return {
    inBucket: (tests) => {
      if (store) tests(store)
      else it('is tried on a real one', ({ skip }) => skip(why))
    },
  }
}
