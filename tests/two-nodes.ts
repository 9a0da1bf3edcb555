/**
 * One node on SQLite and two on PostgreSQL, for what must hold on whichever node a call arrives.
 */
import { type Server, startServer } from '@dragoman/server'
import { openLog } from '../packages/server/src/process/log.ts'
import { type Answer, type CallOptions, type DatabaseKind, startHub, type TestHub } from './hub.ts'

export type Nodes = {
  readonly hub: TestHub
  readonly urls: readonly string[]
  /** The same call as `hub.call`, alternating between the nodes. */
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<Answer<T>>
  /** Advances the clock of every node. */
  advance(by: string): Promise<void>
  close(): Promise<void>
}

export async function startNodes(database: DatabaseKind): Promise<Nodes> {
  const hub = await startHub({ database })
  let second: Server | undefined
  try {
    if (database === 'postgres')
      second = await startServer({ ...hub.inner.config, port: 0 }, { log: openLog('silent') })
  } catch (error) {
    await hub.close()
    throw error
  }
  const urlsNow = () => [hub.url, ...(second ? [second.url] : [])]
  let turn = 0
  return {
    hub,
    get urls() {
      return urlsNow()
    },
    call: (method, path, options) => {
      turn += 1
      const urls = urlsNow()
      return hub.call(method, new URL(path, urls[turn % urls.length]).href, options)
    },
    advance: async (by) => {
      await hub.advance(by)
      const { offsetMs } = (await hub.call<{ offsetMs: number }>('GET', '/sandbox/clock')).body
      for (const url of urlsNow().slice(1)) {
        const at = (await hub.call<{ offsetMs: number }>('GET', `${url}/sandbox/clock`)).body
          .offsetMs
        const body = { by: `${Math.max(0, Math.round((offsetMs - at) / 1000))}s` }
        await hub.call('POST', `${url}/sandbox/clock/advance`, { body })
      }
    },
    close: async () => {
      await second?.close()
      await hub.close()
    },
  }
}
