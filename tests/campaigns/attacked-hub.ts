/**
 * The built hub in the production profile, on either database, with two sites of five clients each,
 * one of them an operator: the target of hostile clients of one site against the hub and the other
 * site. Throttling is off, so that attacks are quick.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '@dragoman/contract'
import { inject } from 'vitest'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { closeHub, openHub } from '../../packages/server/src/hub.ts'
import type { DatabaseKind, Env } from '../hub.ts'
import { cloneMigrated } from '../migrated.ts'
import { usePostgres } from '../postgres.ts'
import { type Watch, watchHub } from './hub-watch.ts'
import { startSteadyHub } from './steady-hub.ts'

export const attackers = [
  'content',
  'provider',
  'settings',
  'admin',
  'operator',
] as const satisfies readonly Scope[]
export type Attacker = (typeof attackers)[number]

export type AttackedSite = {
  readonly siteId: string
  /** The id of the client with only this scope. */
  readonly clients: Readonly<Record<Attacker, string>>
  readonly providerIds: readonly string[]
}

export type AttackedHub = {
  readonly database: DatabaseKind
  readonly url: string
  readonly pid: number
  /** The environment of its process, for commands and further nodes. */
  readonly env: Env
  readonly sites: readonly [AttackedSite, AttackedSite]
  /** Client id to secret. */
  readonly secrets: ReadonlyMap<string, string>
  token(clientId: string): Promise<string>
  /** Forgets the tokens: an attack may have revoked them. */
  renewTokens(): void
  watch(): Watch
  /**
   * What is wrong after an attack: a dead process, errors in the log, findings of `dragoman check`.
   */
  damage(): Promise<string[]>
  close(): Promise<void>
}

export async function startAttackedHub(
  database: DatabaseKind,
  more: Env = {},
): Promise<AttackedHub> {
  const postgres = database === 'postgres' ? usePostgres(inject('postgresUrl')) : undefined
  const databaseUrl = postgres && (await cloneMigrated())
  const env: Env = {
    DRAGOMAN_PROFILE: 'production',
    DRAGOMAN_RATE_LIMIT: 'off',
    DRAGOMAN_MASTER_KEY: randomBytes(32).toString('base64'),
    // Deliveries go to a closed loopback port, and fail at once.
    DRAGOMAN_LISTENER_ALLOW: '127.0.0.0/8',
    ...(databaseUrl && { DRAGOMAN_DATABASE_URL: databaseUrl }),
    ...more,
  }
  const drop = async () => {
    if (databaseUrl) await postgres?.dropDatabase(databaseUrl)
  }
  const hub = await startSteadyHub(env).catch(async (error: unknown) => {
    await drop()
    throw error
  })
  const secrets = new Map<string, string>()
  const tokens = new Map<string, string>()
  const token = async (clientId: string): Promise<string> => {
    const known =
      tokens.get(clientId) ?? (await tokenOf(hub.url, clientId, secrets.get(clientId) ?? ''))
    tokens.set(clientId, known)
    return known
  }
  const close = async () => {
    await hub.close()
    await drop()
  }
  try {
    const tool = await openHub(readConfig({ ...hub.env, DRAGOMAN_LOG_LEVEL: 'silent' }), {
      as: 'tool',
    })
    const addSite = async (siteId: string): Promise<AttackedSite> => {
      const clients = { content: '', provider: '', settings: '', admin: '', operator: '' }
      let providerIds: string[] = []
      // The provider's client comes last: it owns what the admin has created.
      for (const scope of ['content', 'settings', 'admin', 'operator', 'provider'] as const) {
        const owned = scope === 'provider' ? { providerIds } : {}
        const of = scope === 'operator' ? '' : siteId
        const client = { siteId: of, clientId: `${siteId}-${scope}`, scopes: [scope], ...owned }
        const added = await enrolClient(tool, client)
        clients[scope] = added.clientId
        secrets.set(added.clientId, added.secret)
        if (scope === 'admin')
          providerIds = await addProviders(hub.url, await token(added.clientId), siteId)
      }
      return { siteId, clients, providerIds }
    }
    const sites = [await addSite('home'), await addSite('away')] as const
    await closeHub(tool)
    return {
      database,
      url: hub.url,
      get pid() {
        return hub.pid
      },
      env: hub.env,
      sites,
      secrets,
      token,
      renewTokens: () => tokens.clear(),
      watch: () => watchHub(hub),
      damage: async () => [
        ...(await deathOf(hub.url)),
        ...failuresIn(hub.logged()),
        ...lines(await hub.check()),
      ],
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function tokenOf(url: string, clientId: string, secret: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  })
  let answer = await fetch(`${url}/connect/token`, { method: 'POST', body })
  // Busy: it says when to come back.
  for (let tries = 0; answer.status === 503 && tries < 10; tries += 1) {
    await delay(1_000 * Number(answer.headers.get('retry-after') ?? 1))
    answer = await fetch(`${url}/connect/token`, { method: 'POST', body })
  }
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (!token) throw new Error(`no token for ${clientId}: ${answer.status}`)
  return token
}

async function addProviders(url: string, token: string, siteId: string): Promise<string[]> {
  const ids: string[] = []
  for (const typeId of ['manual', 'pseudo', 'api']) {
    const answer = await fetch(`${url}/v2/providers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `${typeId} of ${siteId}`, typeId }),
    })
    if (answer.status !== 201)
      throw new Error(`no provider: ${answer.status} ${await answer.text()}`)
    ids.push(((await answer.json()) as { providerId: string }).providerId)
  }
  return ids
}

const lines = (text: string): string[] => (text === '' ? [] : [`dragoman check: ${text}`])

async function deathOf(url: string): Promise<string[]> {
  const alive = await fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
  return alive ? [] : ['the hub no longer answers']
}

/** The errors in the log, once each. */
function failuresIn(log: string): string[] {
  const said = log.split('\n').flatMap((line) => {
    if (!line.startsWith('{'))
      return line === '' ? [] : [`on standard error: ${line.slice(0, 300)}`]
    const { level, msg, err } = JSON.parse(line) as {
      level: string
      msg: string
      err?: { stack?: string }
    }
    return level !== 'error' && level !== 'fatal'
      ? []
      : [`in the log: ${msg} ${err?.stack?.slice(0, 600) ?? ''}`]
  })
  return [...new Set(said)]
}
