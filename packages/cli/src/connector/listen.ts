/**
 * `dragoman listen`: prints deliveries as they arrive, and forwards them unchanged, with their
 * signature, to a local URL. Creates its listeners at the start and deletes them at the end.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { HubError } from '@dragoman/contract/wire'
import { type Delivery, verifyDelivery } from '@dragoman/sdk'
import {
  type Command,
  exitCodes,
  Interrupted,
  Refusal,
  readArgs,
  type Screen,
  text,
  UsageError,
} from '../command.ts'
import { interruptible } from '../interrupt.ts'
import { green, red } from '../table.ts'
import { hubHelp, hubOptions, type Joined, joinHub, withVersions } from './hub-connection.ts'

const types = ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED'] as const

export const listen: Command = {
  says: 'print deliveries, and forward them to a local URL',
  help: `Usage: dragoman listen [OPTION]…

Registers listeners of both types for every event, prints each delivery on a line, and deletes the listeners when it ends
(Ctrl-C). The signing secret is printed at the start, so that a receiver can verify signatures; HUB_LISTENER_SECRET sets it,
so that it is the same each time. dragoman trigger causes events in a sandbox.

  --forward URL   forward each delivery, with its headers, and return the response to the hub
  --port N        listen on this port (default: a free one)
  --address URL   URL for the hub to call, if it runs elsewhere: the URL of a tunnel
  --count N       end after N deliveries
${hubHelp}

With --json, one JSON object a line: first the address and the secret, then each delivery with the response of --forward.
Exit code: 0 after --count or Ctrl-C; 1, 2, 3 and 4 as in dragoman --help.`,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: { ...hubOptions, forward: text, port: text, address: text, count: text },
    })
    const { forward, address } = values
    for (const url of [forward, address])
      if (url !== undefined && !/^https?:\/\//.test(url))
        throw new UsageError(`"${url}" is not an http or https URL.`)
    const port = readNumber('--port', values.port ?? '0', 65_535)
    const most =
      values.count === undefined ? undefined : readNumber('--count', values.count, 1_000_000)
    const joined = await joinHub(values, screen)
    const asJson = values.json ?? false
    const how = { forward, address, port, most, asJson }
    return withVersions(joined, () => receive(joined, screen, how))
  },
}

type How = {
  readonly forward: string | undefined
  readonly address: string | undefined
  readonly port: number
  readonly most: number | undefined
  readonly asJson: boolean
}

async function receive(
  joined: Joined,
  screen: Screen,
  { forward, address, port, most, asJson }: How,
): Promise<number> {
  const secrets: string[] = []
  let seen = 0
  let enough = () => {}
  const done = new Promise<void>((resolve) => {
    enough = resolve
  })
  const server = createServer(async (call, reply) => {
    const body = (await buffer(call)).toString()
    const verified = await verifyDelivery(call.headers, body, {
      secret: secrets,
      toleranceMs: Number.POSITIVE_INFINITY,
    }).then(
      ({ delivery }) => delivery,
      () => undefined,
    )
    const handed = verified && forward !== undefined ? await handOn(forward, call, body) : undefined
    const status = verified ? (handed?.status ?? 204) : 401
    screen.out(
      asJson
        ? JSON.stringify({
            verified: verified !== undefined,
            delivery: parse(body),
            ...(handed && { forwarded: handed }),
          })
        : line(screen, verified, body, handed),
    )
    reply.writeHead(status).end(() => {
      seen += 1
      if (seen === most) enough()
    })
  })
  await new Promise<void>((ready, refuse) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      refuse(new Refusal(`Cannot listen on port ${port}: ${error.code}.`)),
    )
    server.listen(port, '127.0.0.1', ready)
  })
  const uri = address ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const made: string[] = []
  try {
    return await interruptible('', async (signal) => {
      for (const type of types) {
        // Both use the same secret, so that the forwarded receiver needs only one.
        const secret = secrets[0] ?? screen.env.HUB_LISTENER_SECRET
        const assets =
          type === 'JOB_STATUS_UPDATED'
            ? { onSupportAssetCreate: true, onTmUpdateCreate: true, onComment: true }
            : {}
        const body = { uri, type, ...assets, ...(secret && { secret }) }
        const listener = await joined.hub.createListener({ body }, { signal })
        made.push(listener.listenerId)
        const used = listener.secret ?? secret
        if (used) secrets.push(used)
      }
      if (asJson) screen.out(JSON.stringify({ listening: uri, secret: secrets[0] ?? null }))
      screen.err(
        `Listening at ${uri}${forward === undefined ? '' : `, forwarding to ${forward}`}; press Ctrl-C to stop.`,
      )
      screen.err(`Signing secret: ${secrets[0]}`)
      const stopped = new Promise<never>((_, refuse) =>
        signal.addEventListener('abort', () => refuse(signal.reason)),
      )
      await Promise.race([done, stopped])
      return exitCodes.done
    })
  } catch (error) {
    if (error instanceof Interrupted) return exitCodes.done
    if (error instanceof HubError && error.code === 'LISTENER_EXISTS')
      throw new Refusal(`${error.message} A client has one listener of each type.`)
    throw error
  } finally {
    for (const listenerId of made)
      await joined.hub.deleteListener({ params: { listenerId } }).catch(() => {})
    server.closeAllConnections()
    server.close()
  }
}

/** `2026-11-16 08:00:03  JOB_UPDATE  7Qm2xT9aLk  SENT_TO_PROVIDER  -> 200 (12 ms)` */
function line(
  screen: Screen,
  delivery: Delivery | undefined,
  body: string,
  handed: Handed | undefined,
): string {
  if (!delivery) return red(screen, `a call with a wrong signature: ${body.slice(0, 200)}`)
  const { updateTime, eventType, jobId = '', isError, message } = delivery
  const facts = [updateTime.slice(0, 19).replace('T', ' '), eventType, jobId, whatOf(delivery)]
    .filter(Boolean)
    .join('  ')
  const told = isError ? red(screen, `${facts}  error: ${message ?? ''}`) : facts
  if (!handed) return told
  const { status, ms, error } = handed
  const answer = error === undefined ? `${status} (${ms} ms)` : `could not be reached: ${error}`
  return `${told}  ${(status < 300 ? green : red)(screen, `-> ${answer}`)}`
}

function whatOf({
  statusCode = '',
  requestIds,
  archived,
  deleted,
  supportassetId,
  tmupdateId,
}: Delivery): string {
  const many = requestIds && requestIds.length > 0 ? ` (${requestIds.length} of its requests)` : ''
  const end = deleted ? ', deleted' : archived ? ', archived' : ''
  return `${statusCode}${many}${end}${supportassetId ?? tmupdateId ?? ''}`
}

type Handed = {
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly error?: string
}

/** The response of the receiver, for the hub: 502 if there is none. */
async function handOn(url: string, call: IncomingMessage, body: string): Promise<Handed> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(call.headers))
    if (typeof value === 'string' && /^(webhook-|content-type$|user-agent$)/.test(name))
      headers[name] = value
  const begun = performance.now()
  const ended = (status: number) => ({ url, status, ms: Math.round(performance.now() - begun) })
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(9_000),
    })
    await answer.arrayBuffer()
    return ended(answer.status)
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
    return { ...ended(502), error: cause?.code ?? (error as Error).message }
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function readNumber(name: string, text: string, most: number): number {
  const found = Number(text)
  if (!/^\d{1,7}$/.test(text) || found > most)
    throw new UsageError(`${name} must be a whole number up to ${most}, not "${text}".`)
  return found
}
