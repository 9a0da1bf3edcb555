/** Remembers across restarts what was sent, and above all the id of this installation. */
import { join } from 'node:path'
import { type Connection, connect } from '@dragoman/sdk'
import { dailyLog, keptInFolder } from '@dragoman/sdk/node'

export type Settings = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where the connector keeps its files. */
  readonly home: string
}

export function openHub({ url, clientId, clientSecret, home }: Settings): {
  hub: Connection
  flush: () => Promise<void>
} {
  const kept = keptInFolder(join(home, 'kept'))
  const log = dailyLog(join(home, 'log'))
  const connector = { name: '{{name}}', version: '0.1.0', installation: kept }
  // A hub that has never answered is reported after a few seconds; one that has is given more time.
  const retry = { firstTries: 4 }
  return {
    hub: connect({ url, clientId, clientSecret, connector, kept, log, retry }),
    flush: () => log.flush(),
  }
}
