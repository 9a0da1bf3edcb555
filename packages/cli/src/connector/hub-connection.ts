/**
 * The hub for a connector command: from its flags, the environment, the project and the last login,
 * in this order. Secrets come from the environment or from a login, never from the project or a
 * flag that process lists show; and a project, which may be somebody else's proposal, never says
 * where the secret of the environment goes.
 */
import { join } from 'node:path'
import { HubError } from '@dragoman/contract/wire'
import { type Connection, type ConnectOptions, connect } from '@dragoman/sdk'
import { dailyLog, keptInFolder } from '@dragoman/sdk/node'
import { Refusal, type Screen, UsageError } from '../command.ts'
import { version } from '../version.ts'
import { type Credentials, hubKey, readCredentials, type StoredClient } from './credentials.ts'
import { type Project, readProject } from './project.ts'

/** Options of every such command. */
export const hubOptions = {
  hub: { type: 'string' },
  url: { type: 'string' },
  'client-id': { type: 'string' },
  config: { type: 'string' },
  'allow-http': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export const hubHelp = `  --hub URL        the hub (HUB_URL, or hub in dragoman.yml; http://127.0.0.1:8080)
  --client-id ID   the client id (HUB_CLIENT_ID, with HUB_CLIENT_SECRET; otherwise from dragoman login)
  --config FILE    configuration file (default: the nearest dragoman.yml)
  --allow-http     send the secret without encryption to a hub that is not on this machine
  --json           print JSON

For a hub on this machine, the default client is demo-connector with its well-known secret.`

export type HubFlags = {
  hub?: string
  url?: string
  'client-id'?: string
  config?: string
  'allow-http'?: boolean
  json?: boolean
}
export type Joined<H = Connection> = {
  readonly hub: H
  readonly project: Project
  /** Files that outlive a command. */
  readonly folder: string
  readonly url: string
  readonly clientId: string
}

export const usualUrl = 'http://127.0.0.1:8080'

/** `usual` is the default client for a hub on this machine. */
export const joinHub = (
  flags: HubFlags,
  screen: Screen,
  usual = 'demo-connector',
): Promise<Joined> => joinAs(connect, flags, screen, usual)

export async function withHub<T>(
  flags: HubFlags,
  screen: Screen,
  usual: string,
  work: (hub: Connection) => Promise<T>,
): Promise<T> {
  const joined = await joinHub(flags, screen, usual)
  return withVersions(joined, () => work(joined.hub))
}

/** `open` is `connect`, or `connectProvider` for a provider. */
export async function joinAs<H extends { readonly url: string }>(
  open: (options: ConnectOptions) => H,
  flags: HubFlags,
  screen: Screen,
  usual: string,
): Promise<Joined<H>> {
  const project = await readProject(screen.cwd, flags.config)
  const { env } = screen
  const named = hubUrl(flags, screen)
  const isProjects = named === undefined && project.hub !== undefined
  const kept = await credentialsIn(screen, isProjects)
  const url = named ?? project.hub ?? kept.current ?? usualUrl
  const client = flags['client-id'] ?? env.HUB_CLIENT_ID ?? project.clientId
  const login = kept.hubs[hubKey(url)]
  if (isProjects && env.HUB_CLIENT_SECRET && !login) mustBeNamed(url)
  const { clientId, clientSecret } = credentialsFor(url, client, { env, usual, login })
  mustBePrivate(url, flags['allow-http'] ?? login?.allowsHttp)
  const folder = join(project.root, '.dragoman')
  const texts = keptInFolder(join(folder, 'kept'))
  const connector = { name: 'dragoman-cli', version: version(), installation: texts }
  try {
    const log = dailyLog(join(folder, 'log'), { keepDays: 90 })
    const { languages = {} } = project
    const hub = open({
      url,
      clientId,
      clientSecret,
      connector,
      kept: texts,
      log,
      languages,
      retry: retryOf(env),
    })
    return { hub, project, folder, url: hub.url, clientId }
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

/** From a flag or the environment; the older name of each is accepted, too. */
export const hubUrl = (
  flags: Pick<HubFlags, 'hub' | 'url'>,
  { env }: Pick<Screen, 'env'>,
): string | undefined => flags.hub ?? flags.url ?? (env.HUB_URL || env.DRAGOMAN_URL || undefined)

/** Reports a missing hub within a second; waits for one that has answered before and is busy. */
export const retryOf = (env: Screen['env']) => {
  const tries = Number(env.HUB_TRIES ?? 6)
  const waits = { firstMs: 200, mostMs: 10_000 }
  if (env.HUB_TRIES !== undefined && Number.isInteger(tries) && tries > 0)
    return { tries, ...waits }
  return { tries: 6, firstTries: 2, ...waits }
}

/** If both are in the environment, the file of logins is read only to know the hub of a project. */
const credentialsIn = async (screen: Screen, isProjects: boolean): Promise<Credentials> =>
  screen.env.HUB_CLIENT_ID && screen.env.HUB_CLIENT_SECRET && !isProjects
    ? { version: 1, hubs: {} }
    : readCredentials(screen)

/**
 * A dragoman.yml that names a hub may come with a pull request: it must not receive the secret of
 * the machine that builds it.
 */
export function mustBeNamed(url: string): void {
  if (hubKey(url) === usualUrl) return
  throw new Refusal(
    `HUB_CLIENT_SECRET is not sent to ${hubKey(url)}, which only dragoman.yml names. Set HUB_URL or give --hub, if this is your hub; or run dragoman login ${hubKey(url)} once.`,
  )
}

type Known = {
  readonly env: Screen['env']
  readonly usual: string
  readonly login: StoredClient | undefined
}

function credentialsFor(
  url: string,
  clientId: string | undefined,
  { env, usual, login }: Known,
): StoredClient {
  const clientSecret = env.HUB_CLIENT_SECRET
  if (clientId && clientSecret) return { clientId, clientSecret }
  if (login && !clientSecret && (clientId === undefined || clientId === login.clientId))
    return login
  const missing = clientId ? 'HUB_CLIENT_SECRET' : clientSecret ? 'HUB_CLIENT_ID' : undefined
  if (isLoopback(url)) {
    const demo = clientId ?? usual
    if (demo.startsWith('demo-'))
      return { clientId: demo, clientSecret: clientSecret ?? `${demo}-secret` }
  }
  throw new UsageError(
    `${missing ?? 'HUB_CLIENT_ID and HUB_CLIENT_SECRET'} ${missing ? 'is' : 'are'} not set: the credentials for ${url}. Run dragoman login ${url} once, or set them.`,
  )
}

/** Checked before anything is sent: a secret sent unencrypted cannot be taken back. */
export function mustBePrivate(named: string, isAllowed = false): void {
  const url = hubKey(named)
  if (isAllowed || !/^http:/i.test(url) || isLoopback(url)) return
  throw new Refusal(
    `${url} is not encrypted: others on the network could read the secret. Use https, or --allow-http if you accept that.`,
  )
}

export const isLoopback = (url: string): boolean =>
  URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)

/**
 * Runs the work; if the hub does not know a call, reports both versions: the hub has another
 * version than this command line, or is not a hub.
 */
const otherWays =
  'Name another with --hub and --client-id; commands of an operator use the database with --local.'

export async function withVersions<T>(
  { url, clientId }: { readonly url: string; readonly clientId?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HubError && error.code === 'UNAUTHORIZED' && clientId !== undefined)
      error.message += ` It was ${clientId} at ${url}. ${otherWays}`
    const strange = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'GONE', 'NOT_IMPLEMENTED']
    if (!(error instanceof HubError) || !strange.includes(error.code)) throw error
    const theirs = await versionOf(url)
    if (theirs === version()) throw error
    const who = theirs === undefined ? 'does not report its version' : `has version ${theirs}`
    throw new UsageError(
      `${error.message} The hub at ${url} ${who}, this command line ${version()}; use the version of the hub.`,
    )
  }
}

/** The version of the program, not of the API in /openapi.json. */
export async function versionOf(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
    const said = (await answer.json()) as { version?: unknown }
    return typeof said.version === 'string' ? said.version : undefined
  } catch {
    return undefined
  }
}
