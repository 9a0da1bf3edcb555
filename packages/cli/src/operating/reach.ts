/**
 * The hub of an operating command: a running one over HTTP, with a token, if --hub, HUB_URL or a
 * login names it; else the database of the hub whose settings or folder are here, as its operator.
 * --local means the database in any case. A command makes the same calls either way.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, callTable, type EndpointName, type Endpoints } from '@dragoman/contract/wire'
import type { CallName, ItemOf, PagedName } from '@dragoman/sdk'
import type { Screen } from '../command.ts'
import { readCredentials } from '../connector/credentials.ts'
import {
  type HubFlags,
  hubOptions,
  hubUrl,
  joinHub,
  withVersions,
} from '../connector/hub-connection.ts'

type ReachInput = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}
export type Reach = {
  readonly call: <N extends CallName>(name: N, input?: ReachInput) => Promise<Answer<Endpoints[N]>>
  /** The items of all pages. */
  readonly each: <N extends PagedName>(name: N, input?: ReachInput) => AsyncIterable<ItemOf<N>>
}

/** Options of every such command. */
export const reachOptions = { ...hubOptions, local: { type: 'boolean' } } as const
export type ReachFlags = HubFlags & { local?: boolean }

export const reachHelp = `  --local          use the database of the hub that the environment configures (DRAGOMAN_DATA, …), as its operator;
                   by itself if such settings are there and neither --hub, HUB_URL nor a login names a hub
  --hub URL        the hub (HUB_URL, or hub in dragoman.yml; http://127.0.0.1:8080)
  --client-id ID   the client id (HUB_CLIENT_ID), an admin of a site or an operator; set the secret in HUB_CLIENT_SECRET
  --allow-http     send the secret without encryption to a hub that is not on this machine
  --json           print JSON

For a hub on this machine, the default client is demo-operator with its well-known secret.`

/** `usual` is the default client for a hub on this machine. */
export async function reach<T>(
  flags: ReachFlags,
  screen: Screen,
  work: (hub: Reach) => Promise<T>,
  usual = 'demo-operator',
): Promise<T> {
  if (flags.local || (await isHere(flags, screen))) {
    const { callLocally, withHub } = await import('@dragoman/server/local-calls')
    return withHub(screen.env, (hub) => {
      const call = <N extends EndpointName>(name: N, input?: ReachInput) =>
        callLocally(hub, name, input)
      return work({ call, each: (name, input) => everyItem(call, name, input) })
    })
  }
  const joined = await joinHub(flags, screen, usual)
  const call: Reach['call'] = (name, input) =>
    (joined.hub[name] as (input?: ReachInput) => never)(input)
  return withVersions(joined, () =>
    work({ call, each: (name, input) => everyItem(call, name, input) }),
  )
}

const settings = ['DRAGOMAN_CONFIG', 'DRAGOMAN_DATA', 'DRAGOMAN_DATABASE_URL'] as const

/** Whether the settings or the folder of a hub are here, and nothing names one on the network. */
async function isHere(flags: ReachFlags, screen: Screen): Promise<boolean> {
  const { env, cwd } = screen
  if (hubUrl(flags, screen) !== undefined || flags['client-id'] || env.HUB_CLIENT_ID) return false
  const set = settings.find((name) => env[name])
  if (!set && !existsSync(join(cwd, 'data', 'dragoman.db'))) return false
  if ((await readCredentials(screen)).current !== undefined) return false
  const where = set ? `that ${set} names` : 'in the folder data'
  screen.err(`On the database of the hub ${where}; --hub URL asks a running hub.`)
  return true
}

async function* everyItem<N extends PagedName>(
  call: Reach['call'],
  name: N,
  input: ReachInput = {},
) {
  const { collection = '' } = callTable[name] ?? {}
  let cursor: string | undefined
  do {
    const query = { ...input.query, ...(cursor !== undefined && { navNext: cursor }) }
    const page = (await call(name, { ...input, query })) as Record<string, ItemOf<N>[]> & {
      pagination: { navNext?: string }
    }
    yield* page[collection] ?? []
    cursor = page.pagination.navNext
  } while (cursor !== undefined)
}
