/**
 * The hub that a command of a connector works with: from its flags, the project, the environment, in this order. Secrets
 * come from the environment or standard input only, never from a file or a flag that a list of processes shows.
 */
import { join } from 'node:path'
import { HubError } from '@dragoman/contract/wire'
import { type Connection, connect } from '@dragoman/sdk'
import { keptInFolder } from '@dragoman/sdk/node'
import { type Screen, UsageError } from '../command.ts'
import { version } from '../version.ts'
import { type Project, readProject } from './project.ts'

/** Every such command takes these. */
export const hubOptions = {
  hub: { type: 'string' },
  'client-id': { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const hubHelp = `  --hub URL        the hub (HUB_URL, or hub in dragoman.yml; http://127.0.0.1:8080)
  --client-id ID   who we are (HUB_CLIENT_ID); the secret is in HUB_CLIENT_SECRET
  --config FILE    another file than the nearest dragoman.yml
  --json           print JSON

A hub on this machine is called as demo-connector, with its well-known secret, where nothing else is said.`

export type HubFlags = { hub?: string; 'client-id'?: string; config?: string; json?: boolean }
export type Joined = {
  readonly hub: Connection
  readonly project: Project
  /** What outlives a command lies here. */
  readonly folder: string
  readonly url: string
  readonly clientId: string
}

const usualUrl = 'http://127.0.0.1:8080'

export async function joinHub(flags: HubFlags, screen: Screen): Promise<Joined> {
  const project = await readProject(screen.cwd, flags.config)
  const { env } = screen
  const url = flags.hub ?? env.HUB_URL ?? project.hub ?? usualUrl
  const { clientId, clientSecret } = credentialsFor(
    url,
    flags['client-id'] ?? env.HUB_CLIENT_ID ?? project.clientId,
    env,
  )
  const folder = join(project.root, '.dragoman')
  const kept = keptInFolder(join(folder, 'kept'))
  const connector = { name: 'dragoman-cli', version: version(), installation: kept }
  try {
    const hub = connect({ url, clientId, clientSecret, connector, kept, retry: retryOf(env) })
    return { hub, project, folder, url: hub.url, clientId }
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

/** A hub that is away for good is told of soon; one that is busy is waited for. */
const retryOf = (env: Screen['env']) => {
  const tries = Number(env.HUB_TRIES ?? 6)
  return { tries: Number.isInteger(tries) && tries > 0 ? tries : 6, firstMs: 200, mostMs: 10_000 }
}

function credentialsFor(url: string, clientId: string | undefined, env: Screen['env']) {
  const clientSecret = env.HUB_CLIENT_SECRET
  if (clientId && clientSecret) return { clientId, clientSecret }
  const missing = clientId ? 'HUB_CLIENT_SECRET' : clientSecret ? 'HUB_CLIENT_ID' : undefined
  if (isLoopback(url)) {
    const demo = clientId ?? 'demo-connector'
    if (demo.startsWith('demo-')) return { clientId: demo, clientSecret: clientSecret ?? `${demo}-secret` }
  }
  throw new UsageError(
    `${missing ?? 'HUB_CLIENT_ID and HUB_CLIENT_SECRET'} ${missing ? 'is' : 'are'} not set: the credentials for ${url}.`,
  )
}

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)

/**
 * Runs the work; where the hub does not know a call at all, says so with both versions: it is of another version than this
 * command line, or no hub.
 */
export async function withVersions<T>({ url }: { readonly url: string }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const strange = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'GONE', 'NOT_IMPLEMENTED']
    if (!(error instanceof HubError) || !strange.includes(error.code)) throw error
    const theirs = await versionOf(url)
    if (theirs === version()) throw error
    const who = theirs === undefined ? 'does not say its version' : `has version ${theirs}`
    throw new UsageError(
      `${error.message} The hub at ${url} ${who}, this command line ${version()}; use one that fits the hub.`,
    )
  }
}

async function versionOf(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(5_000) })
    const said = (await answer.json()) as { info?: { version?: unknown } }
    return typeof said.info?.version === 'string' ? said.info.version : undefined
  } catch {
    return undefined
  }
}
