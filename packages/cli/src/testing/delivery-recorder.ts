/**
 * A listener for tests: records deliveries, verified with its listener's secret, and answers as
 * configured. Its socket opens when it first listens.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Connection, type Delivery, verifyDelivery } from '@dragoman/sdk'

export type Recorded = {
  /** The same for every attempt of one delivery. */
  readonly id: string
  readonly delivery: Delivery
  readonly headers: IncomingMessage['headers']
  /** Whether its signature is valid. */
  readonly verified: boolean
}

type ListenerType = 'JOB_STATUS_UPDATED' | 'REQUEST_STATUS_UPDATED'

export type DeliveryRecorder = {
  /** Opens its URL and creates listeners of the demo connector for it, of both types by default. */
  listen(types?: readonly ListenerType[]): Promise<string>
  /** All deliveries so far. */
  readonly all: readonly Recorded[]
  /** The first match, including one that has already arrived. */
  next(fits?: (one: Recorded) => boolean): Promise<Recorded>
  /** Sets the status of the next responses; 204 by default. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void
  clear(): void
  close(): Promise<void>
}

const path = '/deliveries'
/** The hub's clock may have been moved: a test checks who signed, not when. */
const anyTime = Number.POSITIVE_INFINITY

export function openRecorder(connection: () => Connection): DeliveryRecorder {
  const all: Recorded[] = []
  const secrets: string[] = []
  const waiting = new Set<(one: Recorded) => void>()
  let answer: { status: number; headers: Readonly<Record<string, string>> } = {
    status: 204,
    headers: {},
  }
  let server: Server | undefined
  const open = async (): Promise<Server> => {
    const made = createServer(async (call, reply) => {
      const body = (await buffer(call)).toString()
      const one = await recordOf(call, body, secrets)
      all.push(one)
      for (const tell of [...waiting]) tell(one)
      reply.writeHead(answer.status, { ...answer.headers }).end()
    })
    await new Promise<void>((ready, refuse) =>
      made.once('error', refuse).listen(0, '127.0.0.1', ready),
    )
    return made
  }
  return {
    listen: async (types = ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED']) => {
      server ??= await open()
      const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
      for (const type of types) {
        const { secret } = await connection().createListener({ body: { uri, type } })
        if (secret) secrets.push(secret)
      }
      return uri
    },
    all,
    next: (fits = () => true) => {
      const found = all.find(fits)
      if (found) return Promise.resolve(found)
      return new Promise((resolve) => {
        const tell = (one: Recorded) => {
          if (!fits(one)) return
          waiting.delete(tell)
          resolve(one)
        }
        waiting.add(tell)
      })
    },
    answer: (status, headers = {}) => {
      answer = { status, headers }
    },
    clear: () => all.splice(0),
    close: async () => {
      server?.closeAllConnections()
      await new Promise((closed) => (server ? server.close(closed) : closed(undefined)))
    },
  }
}

async function recordOf(
  call: IncomingMessage,
  body: string,
  secret: readonly string[],
): Promise<Recorded> {
  const { headers } = call
  const verified = await verifyDelivery(headers, body, { secret, toleranceMs: anyTime }).then(
    () => true,
    () => false,
  )
  return {
    id: String(headers['webhook-id'] ?? ''),
    delivery: readDelivery(body),
    headers,
    verified,
  }
}

function readDelivery(body: string): Delivery {
  try {
    return JSON.parse(body) as Delivery
  } catch {
    return { eventType: 'UNREADABLE', listenerId: '', payloadUuid: '', updateTime: '', body }
  }
}
