/**
 * A server that answers as an upstream did in a recorded job: `GET /v2/jobs/{jobId}/cassette` of
 * the hub in front. Calls that change something must come as they were recorded, in that order; a
 * call that was not recorded is refused and named in `unexpected`. Readings between two changes are
 * answered in order, the last one again and again. It gives out tokens and takes listeners by
 * itself, and makes the calls of the recorded listener when everything before them has come.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { Cassette, CassetteBody, CassetteCall } from '@dragoman/contract/wire'

export type CassettePlayer = {
  /** For the config of the provider; any client id and secret do. */
  readonly url: string
  /** What was called that was not recorded, or otherwise than recorded. */
  readonly unexpected: readonly string[]
  /** The recorded calls that are still to come. */
  left(): string[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Given = {
  readonly method: string
  readonly path: string
  readonly body: Buffer
  readonly type: string
}
type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}
type Listener = {
  readonly listenerId: string
  readonly uri: string
  readonly type: string
  readonly secret: string
}

const isReading = ({ method }: { readonly method: string }): boolean =>
  method === 'GET' || method === 'HEAD'
const nameOf = ({ method, path }: CassetteCall): string => `${method} ${path}`
const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})

export async function playCassette(cassette: Cassette): Promise<CassettePlayer> {
  const tape = cassette.calls.filter(({ side }) => side !== 'CONNECTOR')
  const changes = tape.flatMap((call, at) =>
    call.side === 'UPSTREAM' && !isReading(call) ? [at] : [],
  )
  const unexpected: string[] = []
  const listeners = new Map<string, Listener>()
  const heard = new Set<number>()
  let at = -1
  let changed = 0

  const nextChange = (): number => changes[changed] ?? tape.length

  /** What comes next with this name, or what came last. */
  const findReading = ({ method, path }: Given): CassetteCall | undefined => {
    const fits = (call: CassetteCall | undefined) =>
      call?.side === 'UPSTREAM' && nameOf(call) === `${method} ${path}`
    for (let next = at + 1; next < nextChange(); next += 1)
      if (fits(tape[next])) {
        at = next
        return tape[next]
      }
    return tape.slice(0, at + 1).findLast(fits)
  }

  const play = (given: Given): Answer | 'none' => {
    const own = ownAnswer(given, listeners)
    if (own) return own
    const call = isReading(given) ? findReading(given) : tape[nextChange()]
    const fault = faultIn(given, call)
    if (fault !== undefined || !call) {
      unexpected.push(fault ?? '')
      return json(400, {
        code: 'INVALID_REQUEST',
        message: `Not in the recording: ${fault}`,
        traceId: randomUUID(),
      })
    }
    if (!isReading(given)) {
      at = nextChange()
      changed += 1
    }
    return call.response ? answerOf(call.response, url) : 'none'
  }

  /** The listener's calls up to the next change, one after the other. */
  const tell = async (): Promise<void> => {
    for (let next = 0; next < nextChange(); next += 1) {
      const call = tape[next]
      if (call?.side !== 'LISTENER' || heard.has(next)) continue
      heard.add(next)
      const [listener] = listeners.values()
      if (listener) await send(listener, call.time, JSON.stringify(call.request.body?.json))
    }
  }

  const respond = async (call: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const given = await read(call)
    const answer = play(given)
    if (answer === 'none') return void reply.destroy()
    give(reply, answer)
    if (!isReading(given)) reply.once('close', () => void tell())
  }
  // A call that breaks off must not end the tests.
  const server = createServer(
    (call, reply) => void respond(call, reply).catch(() => reply.destroy()),
  )
  await new Promise<void>((ready, refuse) =>
    server.once('error', refuse).listen(0, '127.0.0.1', ready),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return {
    url,
    unexpected,
    left: () => changes.slice(changed).flatMap((one) => (tape[one] ? [nameOf(tape[one])] : [])),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function read(call: IncomingMessage): Promise<Given> {
  const { method = 'GET', url: path = '/', headers } = call
  return { method, path, body: await buffer(call), type: headers['content-type'] ?? '' }
}

function give(reply: ServerResponse, { status, headers, body }: Answer): void {
  reply.writeHead(status, {
    ...headers,
    ...(status !== 204 && { 'content-length': body?.length ?? 0 }),
  })
  reply.end(body)
}

/** Tokens, listeners and acknowledgements are no part of a job. */
function ownAnswer(
  { method, path, body }: Given,
  listeners: Map<string, Listener>,
): Answer | undefined {
  const { pathname } = new URL(path, 'http://upstream')
  if (pathname === '/connect/token')
    return json(200, { access_token: 'played', token_type: 'Bearer', expires_in: 3_600 })
  if (pathname === '/v2/statusupdates') return json(200, { statusupdates: [], pagination: {} })
  if (!pathname.startsWith('/v2/statusupdates/listeners')) return undefined
  if (method === 'GET')
    return json(200, { listeners: [...listeners.values()].map(withoutSecret), pagination: {} })
  const given = JSON.parse(body.toString()) as Omit<Listener, 'listenerId'>
  const known = [...listeners.values()].find(({ listenerId }) => pathname.endsWith(listenerId))
  const listener = {
    ...known,
    ...given,
    listenerId: known?.listenerId ?? `played-${listeners.size + 1}`,
  }
  listeners.set(listener.type, listener)
  return json(known ? 200 : 201, withoutSecret(listener))
}

const withoutSecret = ({ secret: _, ...shown }: Listener): object => ({ ...shown, disabled: false })

/** Set by the hub that sends a job on, so another hub sends another one. */
const ofTheHub = new Set(['hops'])

/** Why the call is not the recorded one. */
function faultIn(given: Given, call: CassetteCall | undefined): string | undefined {
  const said = `${given.method} ${given.path}`
  if (!call) return `${said} was not recorded here; nothing more is.`
  if (nameOf(call) !== said) return `${said} came, but ${nameOf(call)} was recorded.`
  const { body } = call.request
  if (body?.json !== undefined) {
    const sent = parsed(given.body)
    const field = differing(sent, body.json)
    if (field !== undefined) return `${said} was sent with another ${field}.`
  }
  if (call.response?.body?.cut || call.response?.body?.bytes !== undefined)
    return `${said} cannot be answered: its answer was not recorded whole.`
  return undefined
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The first member that differs. */
function differing(sent: unknown, recorded: unknown): string | undefined {
  if (isDeepStrictEqual(sent, recorded)) return undefined
  if (!isObject(sent) || !isObject(recorded)) return 'body'
  const names = new Set([...Object.keys(sent), ...Object.keys(recorded)])
  return [...names].find(
    (name) => !ofTheHub.has(name) && !isDeepStrictEqual(sent[name], recorded[name]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function answerOf(
  { status, headers = {}, body }: NonNullable<CassetteCall['response']>,
  url: string,
): Answer {
  const place = (text: string) => text.replaceAll('{upstream}', url)
  const given = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, place(value)]),
  )
  const bytes = body && bytesOf(body, place)
  return { status, headers: given, ...(bytes && { body: bytes }) }
}

function bytesOf(
  { json: value, text, base64 }: CassetteBody,
  place: (text: string) => string,
): Buffer | undefined {
  if (value !== undefined) return Buffer.from(place(JSON.stringify(value)))
  if (text !== undefined) return Buffer.from(text)
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

/** Signed as listeners are. Whatever the hub answers, it looks again by itself. */
async function send({ uri, secret }: Listener, at: string, body: string): Promise<void> {
  const [id, time] = [randomUUID(), String(Math.floor(Date.parse(at) / 1_000))]
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  }
  await fetch(uri, { method: 'POST', headers, body }).catch(() => undefined)
}
