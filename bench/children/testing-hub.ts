/**
 * A test file's first hub, and its next: from `startHub()` to the first answered call. Also a bare
 * Fastify.
 */
import { performance } from 'node:perf_hooks'
import { answer } from '../child.ts'

type Hub = { readonly url: string; close(): Promise<void> }
type Testing = { startHub(): Promise<Hub> }

const verbs = {
  /** Seconds for the additional import of a test file. */
  load: async ({ module }: { module: string }): Promise<number> => {
    const begun = performance.now()
    await import(module)
    return (performance.now() - begun) / 1_000
  },
  /** Seconds of `startHub()` itself. */
  hub: async ({ module }: { module: string }): Promise<number> => {
    const { startHub } = (await import(module)) as Testing
    const begun = performance.now()
    const hub = await startHub()
    await mustAnswer(`${hub.url}/readyz`)
    const seconds = (performance.now() - begun) / 1_000
    await hub.close()
    return seconds
  },
  fastify: async (): Promise<number> => {
    const begun = performance.now()
    const { fastify } = await import('fastify')
    const app = fastify()
    app.get('/readyz', async () => ({ status: 'ready' }))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    await mustAnswer(`${url}/readyz`)
    const seconds = (performance.now() - begun) / 1_000
    await app.close()
    return seconds
  },
}
export type TestingHubVerbs = typeof verbs

async function mustAnswer(url: string): Promise<void> {
  const { status } = await fetch(url)
  if (status !== 200) throw new Error(`${url} answered ${status}`)
}

answer(verbs)
