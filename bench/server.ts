/**
 * Our side: the real command line in its own process, as an operator runs it (production profile,
 * throttling off, log lines to a file), or in the sandbox profile if the figure says so.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { repository } from './built.ts'
import type { Bench } from './figure.ts'

/** What outlives a hub's process: restarted with it, the hub finds the same data. */
export type HubFolder = {
  readonly data: string
  readonly databaseUrl: string
  readonly masterKey: string
}

export async function newPlace(bench: Bench, databaseUrl?: string): Promise<HubFolder> {
  const data = await bench.folder()
  return {
    data,
    databaseUrl: databaseUrl ?? `sqlite:${join(data, 'dragoman.db')}`,
    masterKey: randomBytes(32).toString('base64'),
  }
}

export const client = {
  id: 'bench',
  secret: createHash('sha256').update(randomBytes(32)).digest('hex'),
}

export const productionEnv = ({
  data,
  databaseUrl,
  masterKey,
}: HubFolder): Record<string, string> => ({
  DRAGOMAN_PROFILE: 'production',
  DRAGOMAN_PORT: '0',
  DRAGOMAN_DATA: data,
  DRAGOMAN_DATABASE_URL: databaseUrl,
  DRAGOMAN_MASTER_KEY: masterKey,
  DRAGOMAN_RATE_LIMIT: 'off',
  DRAGOMAN_DRAIN_DELAY: '0s',
  DRAGOMAN_BOOTSTRAP_CLIENT_ID: client.id,
  DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: client.secret,
})

export type Server = {
  readonly pid: number
  readonly port: number
  /** From `node` to the ready line. */
  readonly readySeconds: number
  stop(): Promise<void>
}

export const profiles = fileURLToPath(new URL('.build/profiles/', repository))

/** Without a name it is not profiled. */
export async function startServer(
  bench: Bench,
  env: Record<string, string>,
  name?: string,
): Promise<Server> {
  const command = fileURLToPath(new URL('packages/cli/bin/dragoman.js', repository))
  const folder = await bench.folder()
  const log = join(folder, 'log')
  mkdirSync(profiles, { recursive: true })
  const profiling = [
    '--cpu-prof',
    '--cpu-prof-dir',
    profiles,
    '--cpu-prof-name',
    `${name}-${Date.now()}.cpuprofile`,
  ]
  const args = [...(bench.options.profile && name ? profiling : []), command, 'serve']
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...outerEnv(), ...env },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await gone
  }
  bench.atEnd(stop)
  const port = await new Promise<number>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (text: Buffer) => {
      said += text.toString()
      const found = /https?:\/\/[^\s"/]+:(\d+)/.exec(said)?.[1]
      if (found) resolve(Number(found))
    })
    gone.then(() =>
      reject(
        new Error(`The server did not start: ${said}${readFileSync(log, 'utf8').slice(0, 2_000)}`),
      ),
    )
  })
  return { pid: child.pid ?? 0, port, readySeconds: (performance.now() - begun) / 1_000, stop }
}

/** The environment of the bench without the hub's keys. */
const outerEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DRAGOMAN_')))

export type Caller = Server & { readonly headers: Readonly<Record<string, string>> }

/** Starts a server in the production profile and gets a token for it. */
export async function startCaller(
  bench: Bench,
  place: HubFolder,
  name?: string,
  more: Record<string, string> = {},
): Promise<Caller> {
  const server = await startServer(bench, { ...productionEnv(place), ...more }, name)
  return { ...server, headers: await tokenFor(server.port, client) }
}

/** As a header. */
export async function tokenFor(
  port: number,
  { id, secret }: typeof client,
): Promise<Record<string, string>> {
  const answer = await fetch(`http://127.0.0.1:${port}/connect/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }).toString(),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (!token) throw new Error(`No token: ${answer.status}`)
  return { authorization: `Bearer ${token}` }
}

/** The job that the bench creates, of a realistic size. */
export const newJob = {
  jobName: 'Spring catalogue, product pages 12 to 48',
  description:
    'Product pages of the spring catalogue for the shops in the north, to go live in March.',
  poReference: 'PO-2026-004711',
  dueDate: '2027-03-01T12:00:00Z',
  customData: '{"space":"catalogue","batch":"7f3c2a"}',
  connectorName: 'bench-connector',
  connectorVersion: '1.4.2',
  serviceType: 'Translation and review',
  sourceNativeLanguageCode: 'en-US',
  targetNativeLanguageCodes: ['de-DE', 'fr-FR', 'ja-JP'],
}

export const createJob = (caller: Caller): Promise<{ jobId: string; siteId: string }> =>
  callHub(caller, 'POST', '/v2/jobs', newJob)

export type Callable = Pick<Caller, 'port' | 'headers'>

/** A call with a successful JSON response. A text body is sent as it is. */
export async function callHub<T>(
  { port, headers }: Callable,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
    ...(text !== undefined && { body: text }),
  })
  if (!answer.ok)
    throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/**
 * Asks until the call succeeds: a task reaches its provider a moment after the job was submitted.
 */
export async function untilThere(caller: Callable, path: string): Promise<void> {
  const isThere = () =>
    callHub(caller, 'GET', path).then(
      () => true,
      () => false,
    )
  while (!(await isThere())) await delay(50)
}
