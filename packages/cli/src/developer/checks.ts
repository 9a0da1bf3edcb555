/** The checks of `dragoman doctor`, one after the other; each says what it found and what to do. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { certificateAdvice, HubError } from '@dragoman/contract/wire'
import { mapLanguage } from '@dragoman/sdk'
import { Refusal, type Screen, UsageError } from '../command.ts'
import { type Joined, versionOf } from '../connector/hub-connection.ts'
import type { Project } from '../connector/project.ts'
import { planPush } from '../connector/push/push-plan.ts'
import { count } from '../table.ts'
import { version } from '../version.ts'
import { waitFor } from '../waiting.ts'

export type Outcome = {
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly says: string
  /** What to do; only if it failed. */
  readonly remedy?: string
}
export const passed = (says: string): Outcome => ({ result: 'passed', says })
export const skipped = (says: string): Outcome => ({ result: 'skipped', says })
const failed = (says: string, remedy: string): Outcome => ({ result: 'failed', says, remedy })

const answerMs = 5_000
const get = (url: string) => fetch(url, { signal: AbortSignal.timeout(answerMs) })

export async function checkHub(url: string): Promise<Outcome> {
  const start = `Start one with: dragoman serve; or name yours with --hub, HUB_URL or hub in dragoman.yml.`
  try {
    const answer = await get(`${url}/readyz`)
    if (answer.ok) return passed(`${url} is ready`)
    return failed(
      `${url} answers ${answer.status} at /readyz`,
      'Look at the log of the hub; dragoman findings may say more.',
    )
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
    const reason = cause?.code ?? cause?.message ?? (error as Error).message
    const advice = certificateAdvice(reason)
    return failed(`${url} is not reachable: ${reason}`, advice ? `${advice}.` : start)
  }
}

export async function checkVersions(url: string): Promise<Outcome> {
  const theirs = await versionOf(url)
  if (theirs === undefined)
    return failed('The hub does not report its version', `Is ${url} a Dragoman hub?`)
  if (theirs === version()) return passed(`hub and command line have version ${theirs}`)
  return failed(
    `The hub has version ${theirs}, this command line ${version()}`,
    `Install version ${theirs} of the package dragoman`,
  )
}

/**
 * A sandbox may have moved its clock on purpose; receivers then refuse its signatures as too old or
 * too new.
 */
export async function checkClock(url: string, now: () => number): Promise<Outcome> {
  const sentAt = now()
  const answer = await get(`${url}/healthz`)
  const date = Date.parse(answer.headers.get('date') ?? '')
  const moved = await get(`${url}/sandbox/clock`).then(
    async (said) =>
      said.ok ? Date.parse(((await said.json()) as { now: string }).now) : undefined,
    () => undefined,
  )
  const offByMs = (moved ?? date) - (sentAt + now()) / 2
  if (Number.isNaN(offByMs)) return skipped('the hub sends no Date header')
  const off = Math.round(Math.abs(offByMs) / 1_000)
  const says = `the clock of the hub is ${off} s ${offByMs < 0 ? 'behind' : 'ahead of'} this one`
  if (off <= 60) return passed(says)
  return failed(
    says,
    moved === undefined
      ? 'Set both clocks by NTP: signatures older than 5 minutes are refused.'
      : 'The clock of the sandbox was moved: receivers refuse signatures that differ by 5 minutes. POST /sandbox/reset sets it back.',
  )
}

/** One call of a connector: it needs a token and the scope content. */
export async function checkCredentials({
  hub,
  clientId,
}: Joined): Promise<Readonly<Record<'credentials' | 'scopes', Outcome>>> {
  const known = passed(`client ${clientId} gets a token`)
  try {
    await hub.listJobs({ query: { pageSize: 1 } })
    return { credentials: known, scopes: passed(`${clientId} may use the connector API`) }
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    if (error.code === 'FORBIDDEN')
      return {
        credentials: known,
        scopes: failed(
          error.message,
          'A connector needs a client with the scope content: dragoman clients add --help.',
        ),
      }
    return {
      credentials: failed(
        error.message,
        'Set HUB_CLIENT_ID and HUB_CLIENT_SECRET; dragoman clients rotate makes a new secret.',
      ),
      scopes: skipped('there is no token'),
    }
  }
}

export function checkLanguages({ source, targets, languages }: Project): Outcome {
  const codes = [...(source === undefined ? [] : [source]), ...(targets ?? [])]
  if (codes.length === 0) return skipped('dragoman.yml names no languages')
  for (const code of codes)
    try {
      mapLanguage(code, languages)
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      return failed(error.message, 'Correct the code, or map it with languages in dragoman.yml.')
    }
  return passed(`${codes.join(', ')} ${codes.length === 1 ? 'is' : 'are'} accepted`)
}

/** What push would send. */
export async function checkFormats(joined: Joined, screen: Screen): Promise<Outcome> {
  const { files, source, targets } = joined.project
  if (!files?.length) return skipped('dragoman.yml names no files')
  if (source === undefined || !targets?.length) return skipped('dragoman.yml names no languages')
  const plan = await planPush(joined, {}, [], { ...screen, err: () => {} }).catch(
    (error: unknown) => {
      if (error instanceof UsageError || error instanceof Refusal) return error
      throw error
    },
  )
  if (plan instanceof Error) return failed(plan.message, 'Correct files in dragoman.yml.')
  const none = plan.files.filter((file) => file.format === undefined).map(({ path }) => path)
  if (none.length > 0)
    return failed(
      `No format fits ${none.slice(0, 3).join(', ')}${none.length > 3 ? ` and ${none.length - 3} more` : ''}`,
      'dragoman formats lists them; ignore these files, or set format in dragoman.yml.',
    )
  const used = [...new Set(plan.files.map(({ format }) => format))]
  return passed(`${count(plan.files.length, 'file')}: ${used.join(', ')}`)
}

/**
 * Creates a listener, sends it a sample delivery, and removes it. The client may already have a
 * listener of each type.
 */
export async function checkListener(
  { hub }: Joined,
  screen: Screen,
  address: string | undefined,
): Promise<Outcome> {
  let heard = false
  const server = createServer((call, reply) => {
    call.resume().on('end', () => {
      heard = true
      reply.writeHead(204).end()
    })
  })
  await new Promise<void>((ready, refuse) =>
    server.once('error', refuse).listen(0, '127.0.0.1', ready),
  )
  const uri = address ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  let listenerId: string | undefined
  try {
    ;({ listenerId } = await hub.createListener({
      body: { uri, type: 'JOB_STATUS_UPDATED', disabled: false },
    }))
    const params = { listenerId }
    await hub.testListener({ params })
    const arrived = await waitFor(
      screen,
      { what: `a test delivery at ${uri}`, forMs: 10_000, everyMs: 100 },
      async () => {
        if (heard) return true
        const [sent] = (await hub.listDeliveries({ params })).deliveries
        return sent?.state === 'DELIVERED' ? true : undefined
      },
    )
    if (arrived) return passed(`a test delivery arrived at ${uri}`)
    const [sent] = (await hub.listDeliveries({ params })).deliveries
    const last = sent?.attempts.at(-1)
    return failed(
      `A test delivery did not arrive at ${uri}: ${last?.error ?? last?.responseCode ?? 'no attempt in 10 s'}`,
      'The hub must reach that address: check the network, or use a tunnel and --address URL.',
    )
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    if (error.code === 'LISTENER_EXISTS')
      return skipped('the client has a listener already; the console shows its deliveries')
    return failed(error.message, 'Use --address URL with an address that the hub may call.')
  } finally {
    if (listenerId !== undefined)
      await hub.deleteListener({ params: { listenerId } }).catch(() => {})
    server.closeAllConnections()
    server.close()
  }
}
